//! What the dashboard shows: queues, jobs, the outbox, the books, and the figures of each day.

use schemars::JsonSchema;
use serde::Serialize;

use crate::jobs::JobStatus;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, Date, Time};
use crate::notifications::outbox::Channel;
use crate::storage::FromRow;

/// The number of days of the series.
pub(super) const DAYS: u64 = 30;

vocabulary! {
    /// What waits for an operator.
    QueueKind {
        /// Jobs to approve.
        JobsPending = "jobs_pending",
        /// Manual reviews of submitted work.
        ManualReviews = "manual_reviews",
        /// People who registered for a compliance portal and must be approved.
        PortalUsersPending = "portal_users_pending",
        /// Payouts whose owner cannot receive money yet.
        PayoutsOnHold = "payouts_on_hold",
        /// Payouts that failed in the last thirty days and were not tried again.
        PayoutsFailed = "payouts_failed",
        /// Payouts that the processor has not confirmed for a day.
        PayoutsUnconfirmed = "payouts_unconfirmed",
        /// Charges that the processor has not answered for an hour.
        ChargesUnanswered = "charges_unanswered",
        /// Refunds that the processor has not confirmed for a day.
        RefundsUnconfirmed = "refunds_unconfirmed",
        /// Disputes that await an answer, inquiries and early warnings among them.
        DisputesToAnswer = "disputes_to_answer",
        /// Open differences between the processor's statement and our records.
        ProcessorDifferences = "processor_differences",
        /// Messages that were given up.
        MessagesDead = "messages_dead",
        /// Messages of the last thirty days that left with their first text, because the template
        /// could not be used.
        MessagesFellBack = "messages_fell_back",
    }
}

/// Records that wait for an operator.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Queue {
    /// What waits.
    pub kind: QueueKind,
    /// How many; 10,001 stands for more than 10,000.
    pub count: i64,
    /// Since when the oldest has waited.
    pub oldest_at: Option<Time>,
}

/// The jobs in one status.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobsInStatus {
    /// The status.
    pub status: JobStatus,
    /// How many; 10,001 stands for more than 10,000.
    pub count: i64,
}

/// The messages of one channel that have not left yet.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Backlog {
    /// The channel; `event` is what has not been divided into messages yet.
    pub channel: Channel,
    /// How many; 10,001 stands for more than 10,000.
    pub count: i64,
    /// For how many seconds the oldest has been due; 0 if none is due.
    pub overdue_seconds: i64,
}

/// One day, by UTC.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DayFigures {
    /// The day.
    pub day: Date,
    /// The athletes who signed up and finished their registration.
    pub athletes: i64,
    /// The brands.
    pub partners: i64,
    /// The agents.
    pub agents: i64,
    /// The fans.
    pub fans: i64,
    /// The applications to jobs.
    pub applications: i64,
    /// The athletes who were hired, through applications and orders.
    pub hires: i64,
    /// What was charged for athletes; null without the permission `finance`.
    pub gross_cents: Option<Cents>,
    /// The platform's fees on it; null without the permission `finance`.
    pub fee_cents: Option<Cents>,
}

/// The platform's own accounts in the ledger.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Books {
    /// Fees earned, less refunds.
    pub fees_cents: Cents,
    /// What subscriptions were charged.
    pub subscriptions_cents: Cents,
    /// What the processor has kept of charges.
    pub processor_costs_cents: Cents,
    /// What disputes have cost: the platform's part of lost ones, and the processor's fees. What
    /// the platform advances for open ones is not in it.
    pub dispute_costs_cents: Cents,
    /// What the platform advances for disputes that are not decided.
    pub disputed_cents: Cents,
    /// What the platform keeps: fees and subscriptions, less both costs.
    pub kept_cents: Cents,
    /// The money of payouts that have not arrived.
    pub clearing_cents: Cents,
    /// The money of refunds that are not confirmed.
    pub refunding_cents: Cents,
    /// The payouts that have not arrived. It equals `clearing_cents`, or the books need
    /// `nil verify`.
    pub payouts_under_way_cents: Cents,
}

/// The dashboard.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Dashboard {
    /// What waits for an operator; nothing is left out if it is empty.
    pub queues: Vec<Queue>,
    /// The jobs by status.
    pub jobs: Vec<JobsInStatus>,
    /// The messages that have not left.
    pub outbox: Vec<Backlog>,
    /// The platform's accounts; null without the permission `finance`.
    pub books: Option<Books>,
    /// Today so far.
    pub today: DayFigures,
    /// The last thirty days, oldest first; the last one is today.
    pub days: Vec<DayFigures>,
    /// The basic settings that still have what a new site begins with: `name`, `support_email`.
    /// Until both are set, documents do not name the marketplace, and the site issues no invoices.
    pub unset: Vec<&'static str>,
}

/// A count of one kind on one day.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Part {
    pub(super) day: String,
    /// A kind of user, `application`, `hire` or `payment`.
    pub(super) what: String,
    pub(super) count: i64,
    pub(super) gross_cents: Cents,
    pub(super) fee_cents: Cents,
}

impl DayFigures {
    pub(super) fn new(day: Date, finance: bool) -> Self {
        let money = finance.then_some(Cents::ZERO);
        Self {
            day,
            athletes: 0,
            partners: 0,
            agents: 0,
            fans: 0,
            applications: 0,
            hires: 0,
            gross_cents: money,
            fee_cents: money,
        }
    }

    pub(super) fn add(&mut self, part: &Part) {
        match part.what.as_str() {
            "athlete" => self.athletes = part.count,
            "partner" => self.partners = part.count,
            "agent" => self.agents = part.count,
            "fan" => self.fans = part.count,
            "application" => self.applications = part.count,
            "hire" => self.hires = part.count,
            _ => {
                self.gross_cents = self.gross_cents.map(|_| part.gross_cents);
                self.fee_cents = self.fee_cents.map(|_| part.fee_cents);
            }
        }
    }
}
