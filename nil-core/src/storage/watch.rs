//! Records statements while somebody watches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sea_query::Values;
use sqlx::SqlStr;

/// Records statements while it is switched on.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    on: AtomicBool,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) transactions: usize,
    pub(super) statements: Vec<(SqlStr, Values)>,
}

impl Watch {
    pub(super) fn asked(&self, text: &SqlStr, values: &Values) {
        if self.is_on() {
            self.with(|seen| seen.statements.push((text.clone(), values.clone())));
        }
    }

    pub(super) fn begun(&self) {
        if self.is_on() {
            self.with(|seen| seen.transactions += 1);
        }
    }

    fn is_on(&self) -> bool {
        self.0.on.load(Ordering::Relaxed)
    }

    /// Begins to record.
    pub(super) fn begin(&self) {
        self.with(std::mem::take);
        self.0.on.store(true, Ordering::Relaxed);
    }

    /// Stops; returns what was recorded.
    pub(super) fn end(&self) -> Seen {
        self.0.on.store(false, Ordering::Relaxed);
        self.with(std::mem::take)
    }

    fn with<T>(&self, change: impl FnOnce(&mut Seen) -> T) -> T {
        change(&mut self.0.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
