//! Statistics that name nobody, as they are published.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, CollegeId, Date};

vocabulary! {
    /// How published statistics are divided.
    PublishedBy {
        /// By the athletes' sport.
        Sport = "sport",
        /// By the category of the job.
        Category = "category",
        /// By calendar month.
        Month = "month",
    }
}

/// The figures of a group. Sums and medians are of gross amounts, rounded to two digits and whole
/// five dollars.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PublishedGroup {
    /// The sport, the category, or the month as `2026-07`.
    pub name: String,
    /// The number of deals' payments, and of disclosed deals.
    pub deals: i64,
    /// The number of different athletes.
    pub athletes: i64,
    /// Their sum.
    pub gross_cents: Cents,
    /// Their median.
    pub median_cents: Cents,
}

/// Statistics of an academic year in which no athlete can be recognised.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PublishedStatistics {
    /// The institution.
    pub college_id: CollegeId,
    /// The first day of the academic year.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// The groups.
    pub by: PublishedBy,
    /// The fewest athletes that a figure stands for (k): the institution's setting
    /// `smallest_group`.
    pub smallest_group: i64,
    /// All groups together; null if they are too few athletes, or nearly one.
    pub all: Option<PublishedGroup>,
    /// The groups that can be shown; months in their order, others by name.
    pub groups: Vec<PublishedGroup>,
    /// How many groups with deals are left out: those of too few athletes or with one who is nearly
    /// all of it, and others without which these would follow from the total.
    pub suppressed: i64,
    /// A note to be published with the figures: how many groups are left out and why, and what is
    /// counted.
    pub note: String,
}
