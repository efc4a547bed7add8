//! Whether the caller is still there.

use std::sync::{Arc, Weak};

/// Whether somebody still waits for the answer. A writing operation goes on without them, but does not
/// begin what is expensive; without a word to the contrary somebody does.
#[derive(Clone, Debug, Default)]
pub struct Presence(Option<Weak<()>>);

impl Presence {
    /// The presence of whoever holds the first of the pair.
    pub(crate) fn new() -> (Arc<()>, Self) {
        let here = Arc::new(());
        let presence = Self(Some(Arc::downgrade(&here)));
        (here, presence)
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.0.as_ref().is_some_and(|here| here.strong_count() == 0)
    }
}
