//! The worker's tasks: their names, how often each runs, and how due records are processed (`due`). This folder does
//! not know what a task does; `worker` runs the tasks, and domain folders use `due` to process their records.
//! `shutdown` is the signal that stops servers and workers.

#![expect(missing_docs, reason = "only the packages of this library use it")]

pub mod due;
mod shutdown;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;

use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;

pub use shutdown::Shutdown;

vocabulary! {
    /// A task of the worker, in the order of a round.
    Task {
        /// Contracts that were not confirmed in time.
        Contracts = "contracts",
        /// Contract requests that the brand has not answered.
        Requests = "requests",
        /// Agents' invitations that were not answered in time.
        Invitations = "invitations",
        /// Orders of services that were not answered in time.
        Orders = "orders",
        /// Delivered orders that the brand has not reviewed.
        OrderReviews = "order-reviews",
        /// Jobs whose deadline has passed.
        Jobs = "jobs",
        /// Events of the embedded processor.
        Sandbox = "sandbox",
        /// Reminders of due dates and deadlines.
        Reminders = "reminders",
        /// Published posts that must stay up.
        Posts = "posts",
        /// Notices of agency contracts that are due.
        FilingReminders = "filing-reminders",
        /// Reminders of disclosures and of deals that go to the clearinghouse.
        DisclosureReminders = "disclosure-reminders",
        /// Charges, payouts and refunds with an unknown outcome.
        Reconciling = "reconciling",
        /// Commission on sales to be charged.
        Commission = "commission",
        /// Payouts that can be sent, and automatic payouts.
        Payouts = "payouts",
        /// Failed payouts to try again.
        Retries = "retries",
        /// Subscriptions whose period is over.
        Subscriptions = "subscriptions",
        /// Tax forms that returns of the last year lack.
        TaxForms = "tax-forms",
        /// Months to be invoiced.
        Invoices = "invoices",
        /// Announced uploads that were not completed.
        Uploads = "uploads",
        /// Queued exports.
        Exports = "exports",
        /// Unused files.
        Files = "files",
        /// Digests of a day or a week.
        Digests = "digests",
        /// Announcements to publish, to continue or to end.
        Announcements = "announcements",
        /// Events to split into one message per channel.
        Events = "events",
        /// Mails and text messages for the courier.
        Letters = "letters",
        /// Changes of transactions to be added to institutions' totals.
        Totals = "totals",
        /// The hash chain over the audit trail.
        Trail = "trail",
        /// Data that is no longer needed.
        Pruning = "pruning",
    }
}

impl Task {
    /// The pause between two runs.
    pub fn pause(self) -> Duration {
        match (self, self.every()) {
            // It checks every wallet that is paid out automatically.
            (Self::Payouts, _) => Duration::from_secs(30),
            (Self::Announcements, _) | (_, None) => Duration::from_secs(2),
            (_, Some(every)) => every.to_std().unwrap_or_default(),
        }
    }

    /// The time limit, longer than a run ever takes; after it the run is aborted and started again.
    pub fn time_box(self) -> Duration {
        match self {
            // A courier may take a minute for each of several messages.
            Self::Letters | Self::Files => Duration::from_mins(10),
            // A file of many millions of rows.
            Self::Exports => Duration::from_hours(1),
            _ => Duration::from_mins(5),
        }
    }

    /// Whether only one server runs it. Messages and exports are taken one by one, so that servers share them.
    pub fn is_leased(self) -> bool {
        !matches!(self, Self::Events | Self::Letters | Self::Exports)
    }

    /// The minimum time between two runs; nothing if every round runs it.
    pub fn every(self) -> Option<TimeDelta> {
        match self {
            // Their start is exact to the second.
            Self::Announcements => Some(TimeDelta::seconds(15)),
            Self::Retries => Some(TimeDelta::minutes(10)),
            // Once a day for each contract; it need only run in the first hour of a day.
            Self::Commission => Some(TimeDelta::hours(1)),
            Self::Orders
            | Self::OrderReviews
            | Self::Reminders
            | Self::FilingReminders
            | Self::DisclosureReminders
            | Self::Posts
            | Self::Subscriptions
            | Self::TaxForms
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
            | Self::Exports
            | Self::Events
            | Self::Letters
            | Self::Totals
            | Self::Trail => None,
        }
    }
}

/// When this process last ran each task, and when it last saw to what a clock leaves behind that is set back.
#[derive(Debug, Default)]
pub struct Chores {
    done: Mutex<BTreeMap<Task, Time>>,
    clock: Mutex<Option<Time>>,
}

impl Chores {
    /// Whether the task is due; if so, it counts as run. If the clock was set back, the time starts again.
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

/// Wakes tasks before they are due.
#[derive(Debug, Default)]
pub struct Bells {
    pub events: tokio::sync::Notify,
    pub letters: tokio::sync::Notify,
    pub announcements: tokio::sync::Notify,
}

impl Bells {
    pub fn of(&self, task: Task) -> Option<&tokio::sync::Notify> {
        match task {
            Task::Events => Some(&self.events),
            Task::Letters => Some(&self.letters),
            Task::Announcements => Some(&self.announcements),
            _ => None,
        }
    }
}
