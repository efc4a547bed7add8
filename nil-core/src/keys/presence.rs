//! Whether the caller still waits for the answer.

use std::sync::{Arc, Weak};

/// Whether the caller still waits for the answer. A writing operation continues without them, but
/// does not start expensive work. Unknown counts as waiting.
#[derive(Clone, Debug, Default)]
pub struct Presence(Option<Weak<()>>);

impl Presence {
    /// The presence of the caller, who holds the first value of the pair.
    pub fn new() -> (Arc<()>, Self) {
        let here = Arc::new(());
        let presence = Self(Some(Arc::downgrade(&here)));
        (here, presence)
    }

    #[doc(hidden)]
    pub fn is_gone(&self) -> bool {
        self.0.as_ref().is_some_and(|here| here.strong_count() == 0)
    }
}
