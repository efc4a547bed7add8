//! What the worker looks for less often than in every round.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use chrono::TimeDelta;

use crate::error::Result;
use crate::kernel::Time;
use crate::platform::Platform;

/// Something that need not be looked for in every round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Chore {
    /// Due dates and deadlines that somebody is to be reminded of.
    Reminding,
    /// Announcements to publish, to go on with or to end.
    Announcing,
    /// Orders of services that nobody answered.
    Ordering,
    /// Delivered orders that the brand has not looked at.
    Concluding,
    /// Subscriptions whose period is over.
    Billing,
    /// Commission on sales that is to be charged.
    Settling,
    /// Mails that gather what happened in a day or a week.
    Digesting,
    /// Payouts that failed.
    Retrying,
    /// Months that are to be invoiced.
    Invoicing,
    /// Announced uploads that nobody completed.
    Expiring,
    /// Files that are left over.
    Sweeping,
    /// What of delivered messages is not kept.
    Erasing,
}

impl Chore {
    fn every(self) -> TimeDelta {
        match self {
            // Their instant is to the second.
            Self::Announcing => TimeDelta::seconds(15),
            Self::Retrying => TimeDelta::minutes(10),
            // Once a day for each contract; the first hour of a day will do.
            Self::Settling => TimeDelta::hours(1),
            _ => TimeDelta::minutes(1),
        }
    }
}

/// When each chore was last done by this process.
#[derive(Debug, Default)]
pub(crate) struct Chores(Mutex<BTreeMap<Chore, Time>>);

impl Chores {
    /// Whether it is time again; if so, it counts as done. A clock that was set back starts anew.
    fn is_due(&self, chore: Chore, now: Time) -> bool {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let was_done = |last: &Time| *last <= now && now - *last < chore.every();
        if done.get(&chore).is_some_and(was_done) {
            return false;
        }
        done.insert(chore, now);
        true
    }

    /// It is time for it again, whenever it was done: there is something new, or something left.
    pub(crate) fn is_left(&self, chore: Chore) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&chore);
    }
}

/// Does a chore if it is time for it; answers nothing done otherwise.
pub(super) async fn when_due<T: Default>(
    platform: &Platform,
    chore: Chore,
    work: impl AsyncFnOnce(&Platform) -> Result<T>,
) -> Result<T> {
    if platform.chores().is_due(chore, platform.now()) {
        work(platform).await
    } else {
        Ok(T::default())
    }
}
