//! Lines of revenue, what they are about, and their sums.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, RATE_FORMAT};
use crate::storage::FromRow;

vocabulary! {
    /// What a line of revenue is about, beside its month.
    RevenueBy {
        /// Nothing else: a line is a month.
        Month = "month",
        /// A brand.
        Partner = "partner",
        /// The institution of the athletes who were paid.
        Institution = "institution",
        /// A subscription plan; only subscriptions count.
        Plan = "plan",
    }
}

vocabulary! {
    /// The order of lines of revenue.
    RevenueSort {
        /// Oldest month first, in it the smallest revenue first.
        Oldest = "month",
        /// Newest month first, in it the largest revenue first.
        Newest = "-month",
        /// Smallest revenue first.
        Smallest = "revenue_cents",
        /// Largest revenue first.
        Largest = "-revenue_cents",
    }
}

/// Sums of revenue, and what it cost. A refund counts in the month of its payment, and so do the
/// costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct RevenueSums {
    /// The number of payments that were charged.
    pub payments: i64,
    /// What the athletes were paid, commissions included.
    pub amount_cents: Cents,
    /// The platform's fees.
    pub fee_cents: Cents,
    /// How much of the fees was refunded.
    pub refunded_fee_cents: Cents,
    /// What subscriptions were charged, less refunds.
    pub subscription_cents: Cents,
    /// What the platform earned: fees less refunds, and subscriptions.
    pub revenue_cents: Cents,
    /// What the processor kept of charges. The costs are in the line without a name by institution,
    /// because a charge can be of several; with a status of payments they do not count.
    pub processor_cost_cents: Cents,
    /// What the processor kept for disputes.
    pub dispute_fee_cents: Cents,
    /// What the platform bears of lost disputes: what payees bear goes back as a refund.
    pub dispute_loss_cents: Cents,
    /// What the platform keeps: the revenue less these three costs.
    pub kept_cents: Cents,
}

/// A line of revenue.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Revenue {
    /// The month, such as `2026-11`.
    pub month: String,
    /// The id of the brand, institution or plan; null by month, and where there is none.
    pub id: Option<i64>,
    /// Its name.
    pub name: Option<String>,
    /// The sums.
    #[serde(flatten)]
    pub sums: RevenueSums,
}

/// The revenue of all lines, beside the same number of months before.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RevenueTotals {
    /// The sums of these months.
    pub totals: RevenueSums,
    /// The sums of as many months before them.
    pub previous: RevenueSums,
    /// How far the revenue has grown (or, below zero, shrunk), in hundredths of a percent; null
    /// without revenue before.
    #[schemars(extend("format" = RATE_FORMAT))]
    pub change_basis_points: Option<i64>,
}
