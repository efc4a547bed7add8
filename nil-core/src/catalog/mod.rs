//! The catalog: every operation, once. Routes, OpenAPI, the command line, the endpoint list and the
//! authorization tests are all read off it.

mod admin;
mod compliance;
#[expect(
    clippy::too_many_lines,
    reason = "a group of rows is a table, not a procedure"
)]
mod core;
mod interface;
mod markdown;
pub mod openapi;
mod path;
mod refusing;
mod row;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use interface::{Interface, Method};
pub use markdown::{endpoint_list, state_diagrams};
pub use row::{Entry, Input, Needs, Owned};

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let mut entries = core::entries();
    entries.extend(compliance::entries());
    entries.extend(admin::entries());
    let by_name = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| (entry.name, at))
        .collect();
    Catalog { entries, by_name }
});

/// All operations, in the order of the specification's tables.
#[derive(Debug)]
pub struct Catalog {
    entries: Vec<Entry>,
    by_name: HashMap<&'static str, usize>,
}

/// The one catalog.
#[must_use]
pub fn catalog() -> &'static Catalog {
    &CATALOG
}

impl Catalog {
    /// Every operation.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The operations of one interface.
    pub fn of(&self, interface: Interface) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(move |entry| entry.interface == interface)
    }

    /// The operation with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(name).and_then(|at| self.entries.get(*at))
    }
}
