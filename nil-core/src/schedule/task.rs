//! The worker's tasks, one row each: what a task is for, its name, its pace and its time limit.

use std::time::Duration;

use chrono::TimeDelta;
use tokio::sync::Notify;

use super::Bells;
use crate::kernel::vocabulary::vocabulary;

const MINUTE: TimeDelta = TimeDelta::minutes(1);
/// The pause of a task that runs in every round.
const SOON: Duration = Duration::from_secs(2);

vocabulary! {
    /// A task of the worker, in the order of a round.
    Task: TaskRow {
        /// Contracts that were not confirmed in time.
        Contracts = "contracts" => each_round(),
        /// Contract requests that the brand has not answered.
        Requests = "requests" => each_round(),
        /// Agents' invitations that were not answered in time.
        Invitations = "invitations" => each_round(),
        /// Orders of services that were not answered in time.
        Orders = "orders" => every(MINUTE),
        /// Delivered orders that the brand has not reviewed.
        OrderReviews = "order-reviews" => every(MINUTE),
        /// Jobs whose deadline has passed.
        Jobs = "jobs" => each_round(),
        /// Events of the embedded processor.
        Sandbox = "sandbox" => each_round(),
        /// Reminders of due dates and deadlines.
        Reminders = "reminders" => every(MINUTE),
        /// Published posts that must stay up.
        Posts = "posts" => every(MINUTE),
        /// Notices of agency contracts that are due.
        FilingReminders = "filing-reminders" => every(MINUTE),
        /// Reminders of disclosures and of deals that go to the clearinghouse.
        DisclosureReminders = "disclosure-reminders" => every(MINUTE),
        /// Charges, payouts and refunds with an unknown outcome.
        Reconciling = "reconciling" => each_round(),
        /// The processor's statement of the last days.
        // Once a day; it looks whether a day is over.
        Statement = "statement" => every(MINUTE).within(Duration::from_hours(1)),
        /// Commission on sales to be charged.
        // Once a day for each contract; it need only run in the first hour of a day.
        Commission = "commission" => every(TimeDelta::hours(1)),
        /// Payouts that can be sent, and automatic payouts.
        // It checks every wallet that is paid out automatically.
        Payouts = "payouts" => each_round().paused(Duration::from_secs(30)),
        /// Failed payouts to try again.
        Retries = "retries" => every(TimeDelta::minutes(10)),
        /// Subscriptions whose period is over.
        Subscriptions = "subscriptions" => every(MINUTE),
        /// Tax forms that returns of the last year lack.
        TaxForms = "tax-forms" => every(MINUTE),
        /// Months to be invoiced.
        Invoices = "invoices" => every(MINUTE),
        /// Announced uploads that were not completed.
        Uploads = "uploads" => every(MINUTE),
        /// Queued exports.
        // A file of many millions of rows.
        Exports = "exports" => each_round().within(Duration::from_hours(1)).shared(),
        /// Unused files.
        Files = "files" => every(MINUTE).within(Duration::from_mins(10)),
        /// Digests of a day or a week.
        Digests = "digests" => every(MINUTE),
        /// Announcements to publish, to continue or to end.
        // Their start is exact to the second.
        Announcements = "announcements" => every(TimeDelta::seconds(15))
            .paused(SOON)
            .rung_by(|bells| &bells.announcements),
        /// Events to split into one message per channel.
        Events = "events" => each_round().shared().rung_by(|bells| &bells.events),
        /// Mails and text messages for the courier.
        // A courier may take a minute for each of several messages.
        Letters = "letters" => each_round()
            .within(Duration::from_mins(10))
            .shared()
            .rung_by(|bells| &bells.letters),
        /// Events for the endpoints of brands and institutions.
        // It goes on while something is due; each request has fifteen seconds.
        Webhooks = "webhooks" => each_round().shared().rung_by(|bells| &bells.webhooks),
        /// Changes of transactions to be added to institutions' totals.
        Totals = "totals" => each_round(),
        /// The hash chain over the audit trail.
        Trail = "trail" => each_round(),
        /// Data that is no longer needed.
        Pruning = "pruning" => every(MINUTE),
        /// The ranges of ids into which PostgreSQL's largest tables are divided.
        Partitions = "partitions" => every(TimeDelta::minutes(10)),
    }
}

impl Task {
    /// The pause between two runs.
    pub fn pause(self) -> Duration {
        let TaskRow { every, pause, .. } = self.row();
        pause.or_else(|| every.map(|every| every.to_std().unwrap_or_default())).unwrap_or(SOON)
    }

    /// The time limit, longer than a run ever takes; after it the run is aborted and started again.
    pub const fn time_box(self) -> Duration {
        self.row().time_box
    }

    /// Whether only one server runs it. Messages and exports are taken one by one, so that servers
    /// share them.
    pub const fn is_leased(self) -> bool {
        !self.row().shared
    }

    /// The minimum time between two runs; nothing if every round runs it.
    pub const fn every(self) -> Option<TimeDelta> {
        self.row().every
    }

    /// What wakes it before it is due, if anything does.
    pub fn bell(self, bells: &Bells) -> Option<&Notify> {
        self.row().bell.map(|bell| bell(bells))
    }
}

/// Which of the bells wakes a task.
type Bell = fn(&Bells) -> &Notify;

/// What a task's row says beside its name.
#[derive(Clone, Copy, Debug)]
pub struct TaskRow {
    every: Option<TimeDelta>,
    pause: Option<Duration>,
    time_box: Duration,
    shared: bool,
    bell: Option<Bell>,
}

/// A task that every round runs.
const fn each_round() -> TaskRow {
    let time_box = Duration::from_mins(5);
    TaskRow { every: None, pause: None, time_box, shared: false, bell: None }
}

/// A task with this time between two runs.
const fn every(time: TimeDelta) -> TaskRow {
    TaskRow { every: Some(time), ..each_round() }
}

impl TaskRow {
    /// Says how long the worker pauses after a run, if that is not the time between two runs.
    const fn paused(mut self, pause: Duration) -> Self {
        self.pause = Some(pause);
        self
    }

    /// Sets the time limit.
    const fn within(mut self, time_box: Duration) -> Self {
        self.time_box = time_box;
        self
    }

    /// Says that servers share its work.
    const fn shared(mut self) -> Self {
        self.shared = true;
        self
    }

    /// Says what wakes the task before it is due.
    const fn rung_by(mut self, bell: Bell) -> Self {
        self.bell = Some(bell);
        self
    }
}
