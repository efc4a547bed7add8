//! A change of plan: what it is about, when it takes effect, and what it costs.

use schemars::JsonSchema;
use serde::Serialize;

use super::plan::{BillingInterval, SubscriptionPlan};
use super::proration::Days;
use super::subscription::Subscription;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    BasisPoints, Cents, InvoiceId, Machine, Move, PlanId, SubscriptionChangeId, SubscriptionId,
    SubscriptionPeriodId, Time,
};
use crate::storage::FromRow;

vocabulary! {
    /// The status of a change of plan.
    ChangeStatus {
        /// Its charge is under way; the old plan is in force.
        Pending = "pending",
        /// It waits for the end of the paid period.
        Scheduled = "scheduled",
        /// It has taken effect.
        Done = "done",
        /// The card was declined: the old plan stays.
        Declined = "declined",
        /// Another change took its place, or the subscription ended.
        Withdrawn = "withdrawn",
    }
}

/// An event in a change's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeEvent {
    /// The difference was paid.
    Pay,
    /// The card was declined.
    Decline,
    /// It takes effect.
    Apply,
    /// It will not take effect.
    Withdraw,
}

impl Machine for ChangeStatus {
    type Event = ChangeEvent;
    const NAME: &'static str = "subscription_change";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Pending, Self::Scheduled];
    const TERMINAL: &'static [Self] = &[Self::Done, Self::Declined, Self::Withdrawn];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Pending, ChangeEvent::Pay, Self::Done), // POST /subscriptions/change
        (Self::Pending, ChangeEvent::Decline, Self::Declined),
        (Self::Scheduled, ChangeEvent::Apply, Self::Done), // the worker, with the next period
        (Self::Scheduled, ChangeEvent::Withdraw, Self::Withdrawn), // another change, or the end
    ];
}

vocabulary! {
    /// When a change of plan takes effect.
    ChangeEffect {
        /// At once: the new plan costs as much or more, and is charged as often.
        Now = "now",
        /// With the next period: the new plan costs less, or is charged more or less often.
        NextPeriod = "next_period",
    }
}

/// A change of plan. Price, interval and fee are those of the new plan on the day of the change.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PlanChange {
    /// The change's id.
    pub id: SubscriptionChangeId,
    /// The subscription.
    pub subscription_id: SubscriptionId,
    /// The period in which it was asked for.
    #[serde(skip)]
    pub period_id: SubscriptionPeriodId,
    /// The plan before.
    pub from_plan_id: PlanId,
    /// The price of a period before.
    pub from_price_cents: Cents,
    /// The new plan.
    pub plan_id: PlanId,
    /// The new plan's name.
    pub plan_name: String,
    /// The new price of a period.
    pub price_cents: Cents,
    /// How often it is charged.
    #[row(rename = "billing_interval")]
    pub interval: BillingInterval,
    /// The platform's fee on hires with the new plan; null if it changes no fee.
    pub fee_basis_points: Option<BasisPoints>,
    /// The status.
    pub status: ChangeStatus,
    /// What the days left of the old plan are worth, as far as they were paid and not given back; 0
    /// if the change waits for the next period.
    pub unused_cents: Cents,
    /// What the same days of the new plan cost; 0 if the change waits for the next period.
    pub rest_cents: Cents,
    /// The charge: the difference of the two.
    pub total_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// When it takes effect.
    pub takes_effect_at: Time,
    /// The invoice of the charge; null if nothing is charged.
    pub invoice_id: Option<InvoiceId>,
    /// The processor's code for a refusal.
    pub failure_code: Option<String>,
    /// When it was asked for.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// The cost of a change at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::payments) struct Quote {
    pub(in crate::payments) effect: ChangeEffect,
    pub(in crate::payments) days: Days,
    /// The part of the old plan's price whose days left are credited: what was paid for and not
    /// given back.
    pub(in crate::payments) credited: Cents,
    /// What these days are worth.
    pub(in crate::payments) unused: Cents,
    /// What they cost with the new one.
    pub(in crate::payments) rest: Cents,
    pub(in crate::payments) takes_effect_at: Time,
}

impl Quote {
    /// The cost of a change of this subscription to this plan. `kept` is the price of the present
    /// period that was paid and not given back.
    pub(in crate::payments) fn of(
        subscription: &Subscription,
        kept: Cents,
        plan: &SubscriptionPlan,
        now: Time,
    ) -> Self {
        let (starts_at, ends_at) = (subscription.period_starts_at, subscription.period_ends_at);
        let days = Days::of(starts_at, ends_at, now);
        let dearer = plan.price_cents >= subscription.price_cents;
        if dearer && plan.interval == subscription.interval {
            let credited = kept.min(plan.price_cents);
            let [unused, rest] = [credited, plan.price_cents].map(|price| days.left_at(price));
            Self { effect: ChangeEffect::Now, days, credited, unused, rest, takes_effect_at: now }
        } else {
            Self {
                effect: ChangeEffect::NextPeriod,
                days,
                credited: Cents::ZERO,
                unused: Cents::ZERO,
                rest: Cents::ZERO,
                takes_effect_at: ends_at,
            }
        }
    }

    /// What is charged now; never negative.
    pub(in crate::payments) fn total(&self) -> Cents {
        self.rest - self.unused
    }
}
