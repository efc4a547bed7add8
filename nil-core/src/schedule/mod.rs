//! The worker's tasks: a row for each (`task`), when each is due, and how due records are processed
//! (`due`). This folder does not know what a task does; `worker` runs the tasks, and domain folders
//! use `due` to process their records. `shutdown` is the signal that stops servers and workers.

#![expect(missing_docs, reason = "only the packages of this library use it")]

pub mod due;
mod shutdown;
mod task;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::kernel::Time;

pub use shutdown::Shutdown;
pub use task::Task;

/// When this process last ran each task, and when it last saw to what a clock leaves behind that is
/// set back.
#[derive(Debug, Default)]
pub struct Chores {
    done: Mutex<BTreeMap<Task, Time>>,
    clock: Mutex<Option<Time>>,
}

impl Chores {
    /// Whether the task is due; if so, it counts as run. If the clock was set back, the time starts
    /// again.
    pub fn is_due(&self, task: Task, now: Time) -> bool {
        let Some(every) = task.every() else {
            return true;
        };
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let was_done = |last: &Time| *last <= now && now - *last < every;
        if done.get(&task).is_some_and(was_done) {
            return false;
        }
        done.insert(task, now);
        true
    }

    /// Whether the clock was set back since it was last seen to; also true at the beginning.
    pub fn went_back(&self, now: Time) -> bool {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        if clock.is_none_or(|seen| seen > now) {
            return true;
        }
        *clock = Some(now);
        false
    }

    /// Notes that what the clock left behind has been seen to.
    pub fn saw(&self, now: Time) {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    }

    /// Makes the task due again at once: there is something new, or something left.
    pub fn is_left(&self, task: Task) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).remove(&task);
    }
}

/// Wakes tasks before they are due. The row of a task says by which of them it is woken.
#[derive(Debug, Default)]
pub struct Bells {
    pub events: tokio::sync::Notify,
    pub letters: tokio::sync::Notify,
    pub announcements: tokio::sync::Notify,
    pub webhooks: tokio::sync::Notify,
}
