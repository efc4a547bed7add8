//! A plan: the price and the interval of a subscription, and its benefits.

use chrono::Months;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{BasisPoints, Cents, PlanId, Time};
use crate::operation::Revisable;
use crate::storage::FromRow;

vocabulary! {
    /// How often a subscription is charged.
    BillingInterval {
        /// Every calendar month.
        Month = "month",
        /// Every year.
        Year = "year",
    }
}

impl BillingInterval {
    /// The instant `periods` periods after `start`. Always counted from `start`: a subscription
    /// that began on the 31st renews on the last day of February and on the 31st of March.
    #[must_use]
    pub fn after(self, start: Time, periods: i64) -> Option<Time> {
        let months = match self {
            Self::Month => 1,
            Self::Year => 12,
        };
        let months = periods.checked_mul(months)?;
        start.checked_add_months(Months::new(u32::try_from(months).ok()?))
    }
}

vocabulary! {
    /// The users a plan is for.
    PlanAudience {
        /// Brands.
        Partner = "partner",
        /// Agents.
        Agent = "agent",
    }
}

/// A plan. Changes apply to new subscriptions only; existing ones keep the terms they began with.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct SubscriptionPlan {
    /// The plan's id.
    pub id: PlanId,
    /// Its name.
    pub name: String,
    /// The users it is for.
    pub audience: PlanAudience,
    /// The price of a period.
    pub price_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// How often it is charged.
    #[row(rename = "billing_interval")]
    pub interval: BillingInterval,
    /// The platform's fee on a subscriber's hires, if it is lower than it would be otherwise; null
    /// if the plan changes no fee.
    pub fee_basis_points: Option<BasisPoints>,
    /// The features, as text.
    #[row(json)]
    pub features: Vec<String>,
    /// Whether new subscriptions are possible. Existing subscriptions continue regardless.
    pub active: bool,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Revisable for SubscriptionPlan {
    fn content(&self) -> Value {
        let fee = self.fee_basis_points;
        json!([self.name, self.price_cents, self.interval, fee, self.features, self.active])
    }
}

impl Revisable for PlanInUse {
    fn content(&self) -> Value {
        self.plan.content()
    }
}

vocabulary! {
    /// The order of plans.
    PlanSort {
        /// Oldest first.
        Oldest = "created_at",
        /// Newest first.
        Newest = "-created_at",
        /// Cheapest first.
        Cheapest = "price_cents",
        /// Most expensive first.
        Dearest = "-price_cents",
        /// By name, A to Z.
        Name = "name",
        /// By name, Z to A.
        NameBackwards = "-name",
    }
}

/// A plan with its number of subscriptions.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PlanInUse {
    /// The plan.
    #[serde(flatten)]
    #[row(flatten)]
    pub plan: SubscriptionPlan,
    /// How many of its subscriptions have not ended.
    pub subscribers: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Time {
        text.parse().unwrap()
    }

    #[test]
    fn months_end_where_the_calendar_lets_them() {
        let start = at("2027-01-31T12:30:00Z");
        let ends: Vec<String> = (1..=4)
            .map(|periods| BillingInterval::Month.after(start, periods).unwrap())
            .map(|end| end.format("%m-%d %H:%M").to_string())
            .collect();
        let expected = ["02-28 12:30", "03-31 12:30", "04-30 12:30", "05-31 12:30"];
        assert_eq!(ends, expected);
        let leap = at("2028-01-31T00:00:00Z");
        let february = BillingInterval::Month.after(leap, 1).unwrap();
        assert_eq!(february, at("2028-02-29T00:00:00Z"));
    }

    #[test]
    fn a_year_from_a_leap_day_ends_the_day_before() {
        let leap = at("2028-02-29T09:00:00Z");
        let year = BillingInterval::Year;
        assert_eq!(year.after(leap, 1), Some(at("2029-02-28T09:00:00Z")));
        assert_eq!(year.after(leap, 4), Some(at("2032-02-29T09:00:00Z")));
        assert_eq!(year.after(leap, i64::MAX), None);
        assert_eq!(year.after(leap, -1), None);
    }
}
