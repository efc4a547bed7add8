//! The worker's tasks: what there is to do by itself, when it is time again, and how what is due is worked
//! off. It knows nothing of what a task does.

pub(crate) mod due;
#[cfg(feature = "http")]
mod shutdown;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use chrono::TimeDelta;

use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;

#[cfg(feature = "http")]
pub use shutdown::Shutdown;

vocabulary! {
    /// A task of the worker's. In the order in which one round does them.
    Task {
        /// Contracts that nobody confirmed in time.
        Contracts = "contracts",
        /// Requests that a brand left unanswered.
        Requests = "requests",
        /// Agents' invitations that nobody answered in time.
        Invitations = "invitations",
        /// Orders of services that nobody answered.
        Orders = "orders",
        /// Delivered orders that the brand has not looked at.
        OrderReviews = "order-reviews",
        /// Jobs whose deadline has passed.
        Jobs = "jobs",
        /// What the embedded processor has to tell.
        Sandbox = "sandbox",
        /// Due dates and deadlines that somebody is to be reminded of.
        Reminders = "reminders",
        /// Notices of agency contracts that are due.
        FilingReminders = "filing-reminders",
        /// Charges, payouts and refunds whose outcome is not known.
        Reconciling = "reconciling",
        /// Commission on sales that is to be charged.
        Commission = "commission",
        /// Payouts that can go, and those made by themselves.
        Payouts = "payouts",
        /// Payouts that failed.
        Retries = "retries",
        /// Subscriptions whose period is over.
        Subscriptions = "subscriptions",
        /// Months that are to be invoiced.
        Invoices = "invoices",
        /// Announced uploads that nobody completed.
        Uploads = "uploads",
        /// Files that are left over.
        Files = "files",
        /// Mails that gather what happened in a day or a week.
        Digests = "digests",
        /// Announcements to publish, to go on with or to end.
        Announcements = "announcements",
        /// Events that become a message per channel.
        Events = "events",
        /// Mails and text messages for the courier.
        Letters = "letters",
        /// The hash chain over the audit trail.
        Trail = "trail",
        /// What is kept for nobody any more.
        Pruning = "pruning",
    }
}

impl Task {
    /// How long a round leaves it alone after it was done; nothing where every round does it.
    pub(crate) fn every(self) -> Option<TimeDelta> {
        match self {
            // Their instant is to the second.
            Self::Announcements => Some(TimeDelta::seconds(15)),
            Self::Retries => Some(TimeDelta::minutes(10)),
            // Once a day for each contract; the first hour of a day will do.
            Self::Commission => Some(TimeDelta::hours(1)),
            Self::Orders
            | Self::OrderReviews
            | Self::Reminders
            | Self::FilingReminders
            | Self::Subscriptions
            | Self::Invoices
            | Self::Uploads
            | Self::Files
            | Self::Digests
            | Self::Pruning => Some(TimeDelta::minutes(1)),
            Self::Contracts
            | Self::Requests
            | Self::Invitations
            | Self::Jobs
            | Self::Sandbox
            | Self::Reconciling
            | Self::Payouts
            | Self::Events
            | Self::Letters
            | Self::Trail => None,
        }
    }
}

/// When each task was last done by this process.
#[derive(Debug, Default)]
pub(crate) struct Chores(Mutex<BTreeMap<Task, Time>>);

impl Chores {
    /// Whether it is time again; if so, it counts as done. A clock that was set back starts anew.
    pub(crate) fn is_due(&self, task: Task, now: Time) -> bool {
        let Some(every) = task.every() else {
            return true;
        };
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let was_done = |last: &Time| *last <= now && now - *last < every;
        if done.get(&task).is_some_and(was_done) {
            return false;
        }
        done.insert(task, now);
        true
    }

    /// It is time for it again, whenever it was done: there is something new, or something left.
    pub(crate) fn is_left(&self, task: Task) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&task);
    }
}

/// Who wakes a task before its time.
#[derive(Debug, Default)]
pub(crate) struct Bells {
    pub(crate) events: tokio::sync::Notify,
    pub(crate) letters: tokio::sync::Notify,
    pub(crate) announcements: tokio::sync::Notify,
}

impl Bells {
    #[cfg(feature = "http")]
    pub(crate) fn of(&self, task: Task) -> Option<&tokio::sync::Notify> {
        match task {
            Task::Events => Some(&self.events),
            Task::Letters => Some(&self.letters),
            Task::Announcements => Some(&self.announcements),
            _ => None,
        }
    }
}
