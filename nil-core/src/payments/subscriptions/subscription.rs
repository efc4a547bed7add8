//! A subscription: a brand or an agent pays for a plan, period by period.

use schemars::JsonSchema;
use serde::Serialize;

use super::plan::BillingInterval;
use crate::error::{Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{BasisPoints, Cents, Machine, Move, PlanId, SubscriptionId, Time};
use crate::payments::ledger::Owner;
use crate::storage::FromRow;

vocabulary! {
    /// The status of a subscription.
    SubscriptionStatus {
        /// Its first charge is under way.
        Pending = "pending",
        /// Paid.
        Active = "active",
        /// The next period could not be charged yet; until it is, the plan's benefits are
        /// suspended.
        PastDue = "past_due",
        /// Over, or it never began.
        Ended = "ended",
    }
}

/// An event in a subscription's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriptionEvent {
    /// A period was paid.
    Pay,
    /// A period could not be charged.
    Decline,
    /// The last attempt to charge a period failed.
    GiveUp,
    /// Its owner cancelled it, or the account is no longer active.
    End,
}

impl Machine for SubscriptionStatus {
    type Event = SubscriptionEvent;
    const NAME: &'static str = "subscription";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Pending];
    const TERMINAL: &'static [Self] = &[Self::Ended];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Pending, SubscriptionEvent::Pay, Self::Active), // POST /subscriptions/subscribe
        (Self::Pending, SubscriptionEvent::Decline, Self::Ended),
        (Self::Active, SubscriptionEvent::Pay, Self::Active), // the worker, period after period
        (Self::Active, SubscriptionEvent::Decline, Self::PastDue),
        (Self::Active, SubscriptionEvent::End, Self::Ended), // the worker, after POST /subscriptions/cancel
        (Self::PastDue, SubscriptionEvent::Pay, Self::Active),
        (Self::PastDue, SubscriptionEvent::Decline, Self::PastDue),
        (Self::PastDue, SubscriptionEvent::GiveUp, Self::Ended),
        (Self::PastDue, SubscriptionEvent::End, Self::Ended), // POST /subscriptions/cancel
    ];
}

vocabulary! {
    /// Why a subscription ended.
    SubscriptionEndReason {
        /// Its owner cancelled it.
        Cancelled = "cancelled",
        /// The first charge was declined: it never began.
        Declined = "declined",
        /// A period was not paid after all attempts.
        Unpaid = "unpaid",
        /// The account is no longer active.
        AccountClosed = "account_closed",
    }
}

/// A subscription. Price, interval and fee are those of the plan on the day of subscription, or of
/// the last change of plan.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Subscription {
    /// The subscription's id.
    pub id: SubscriptionId,
    /// The owner, such as `partner:7`.
    pub owner: String,
    /// The plan.
    pub plan_id: PlanId,
    /// The plan's name.
    pub plan_name: String,
    /// The status.
    pub status: SubscriptionStatus,
    /// The price of a period.
    pub price_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// How often it is charged.
    #[row(rename = "billing_interval")]
    pub interval: BillingInterval,
    /// The platform's fee on hires while it is active; null if the plan changes no fee.
    pub fee_basis_points: Option<BasisPoints>,
    /// Whether it ends with the paid period.
    pub cancel_at_period_end: bool,
    /// When it began; later periods are counted from it, or from the last change of the interval.
    pub started_at: Time,
    /// The period that the later ones are counted from.
    #[serde(skip)]
    pub anchor_period: i64,
    /// When that period began.
    #[serde(skip)]
    pub anchor_at: Time,
    /// The number of the paid period, from 1; the first one until it is paid.
    pub period: i64,
    /// When that period began.
    pub period_starts_at: Time,
    /// When it ends.
    pub period_ends_at: Time,
    /// The plan that the next period begins with, if it is another one.
    pub next_plan_id: Option<PlanId>,
    /// Its name.
    pub next_plan_name: Option<String>,
    /// Its price.
    pub next_price_cents: Option<Cents>,
    /// When it is charged next, or ends; null while a charge is under way and after the end.
    #[row(rename = "bill_at")]
    pub next_charge_at: Option<Time>,
    /// Until when the cardholder can confirm a charge with their bank, while that is needed: see
    /// `POST /subscriptions/confirm`.
    pub confirm_until: Option<Time>,
    /// How many attempts to charge the next period failed.
    pub failed_attempts: i64,
    /// When the first of them failed.
    #[serde(skip)]
    pub unpaid_since: Option<Time>,
    /// The processor's failure code of the last charge.
    pub failure_code: Option<String>,
    /// Why it ended.
    pub end_reason: Option<SubscriptionEndReason>,
    /// When it ended.
    pub ended_at: Option<Time>,
    /// When it was requested.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// One billing period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::payments) struct Span {
    /// Its number, from 1.
    pub(in crate::payments) number: i64,
    /// When it begins.
    pub(in crate::payments) starts_at: Time,
    /// When it ends, and the next one begins.
    pub(in crate::payments) ends_at: Time,
}

impl Span {
    /// The period with this number, counted from `start`.
    pub(in crate::payments) fn of(
        interval: BillingInterval,
        start: Time,
        number: i64,
    ) -> Result<Self> {
        let edge = |periods| interval.after(start, periods).ok_or(codes::INTERNAL);
        Ok(Self { number, starts_at: edge(number - 1)?, ends_at: edge(number)? })
    }

    /// The period with this number, counted from the period `first` that began at `start`.
    fn counted(
        interval: BillingInterval,
        (first, start): (i64, Time),
        number: i64,
    ) -> Result<Self> {
        let span = Self::of(interval, start, number - first + 1)?;
        Ok(Self { number, ..span })
    }
}

impl Subscription {
    /// What the cardholder's bank shows of its charges.
    pub(in crate::payments) fn label(&self) -> String {
        format!("SUB-{}", self.id)
    }

    /// The next period to pay: the first one until it is paid.
    pub(in crate::payments) fn next_period(&self) -> Result<Span> {
        let number = match self.status {
            SubscriptionStatus::Pending => self.period,
            _ => self.period + 1,
        };
        Span::counted(self.interval, (self.anchor_period, self.anchor_at), number)
    }

    /// The owner.
    pub(in crate::payments) fn payer(&self) -> Result<Owner> {
        Owner::named(&self.owner).ok_or_else(|| codes::INTERNAL.into())
    }

    /// Whether the paid period is over.
    #[must_use]
    pub fn is_over(&self, now: Time) -> bool {
        self.period_ends_at <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_follow_one_another() {
        let start = "2027-01-31T12:00:00Z".parse().unwrap();
        let spans: Vec<Span> = (1..=24)
            .map(|number| Span::of(BillingInterval::Month, start, number).unwrap())
            .collect();
        assert_eq!(spans[0].starts_at, start);
        for pair in spans.windows(2) {
            assert_eq!(pair[0].ends_at, pair[1].starts_at);
            assert!(pair[0].starts_at < pair[0].ends_at);
        }
        assert_eq!(spans[11].ends_at, "2028-01-31T12:00:00Z".parse::<Time>().unwrap());
        // After the third month the interval changes to a year.
        let anchor = (4, spans[2].ends_at);
        let years: Vec<Span> = (4..=6)
            .map(|number| Span::counted(BillingInterval::Year, anchor, number).unwrap())
            .collect();
        assert_eq!((years[0].number, years[0].starts_at), (4, spans[2].ends_at));
        assert_eq!(years[2].starts_at, "2029-04-30T12:00:00Z".parse::<Time>().unwrap());
    }
}
