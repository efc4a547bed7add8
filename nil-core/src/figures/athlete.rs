//! An institution's athletes with their transaction totals.

use schemars::JsonSchema;
use serde::Serialize;

use super::transaction::Marks;
use crate::accounts::{ClassYear, Gender, UserStatus};
use crate::institutions::DealFlag;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, AthleteId, Cents, Date, SportId, Time};
use crate::people::is_under_age;
use crate::storage::FromRow;

vocabulary! {
    /// The order of athletes.
    AthleteSort {
        /// By name.
        Name = "name",
        /// Highest totals first.
        Greatest = "-gross_cents",
        /// Lowest totals first.
        Least = "gross_cents",
        /// Most recently joined first.
        Newest = "-created_at",
    }
}

/// The totals of an athlete's transactions.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct AthleteTotals {
    /// The number of transactions.
    pub count: i64,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// What the athlete gets, less an agent's commission.
    pub net_cents: Cents,
    /// How much of the gross was refunded.
    pub refunded_cents: Cents,
    /// When the latest one occurred.
    pub last_at: Option<Time>,
}

/// An athlete of the institution.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct CollegeAthlete {
    /// The athlete.
    pub id: AthleteId,
    /// The display name.
    pub display_name: String,
    /// Their sport.
    pub sport_id: Option<SportId>,
    /// The sport's name.
    pub sport: Option<String>,
    /// Their gender.
    pub gender: Option<Gender>,
    /// Their position.
    pub position: Option<String>,
    /// Their class year.
    pub class_year: Option<ClassYear>,
    /// The number on the jersey.
    pub jersey_number: Option<String>,
    /// The account's status.
    pub status: UserStatus,
    /// Whether they are under 18 today.
    #[row(skip)]
    pub minor: bool,
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) date_of_birth: Option<Date>,
    /// The agent who represents them.
    pub agent_id: Option<AgentId>,
    /// The agency's name.
    pub agency: Option<String>,
    /// The totals of their transactions.
    #[row(skip)]
    pub totals: AthleteTotals,
    /// All flags of these transactions.
    #[row(skip)]
    pub flags: Vec<DealFlag>,
    /// When they joined.
    pub created_at: Time,
    /// When their record was last changed.
    pub updated_at: Time,
}

impl CollegeAthlete {
    pub(super) fn with(mut self, tally: Option<&Tally>, today: Date) -> Self {
        self.minor = is_under_age(self.date_of_birth, today);
        if let Some(tally) = tally {
            self.totals = tally.totals;
            self.flags = tally.marks.flags();
        }
        self
    }
}

/// The totals and flags of an athlete's transactions.
#[derive(Clone, Copy, Debug, FromRow)]
pub(super) struct Tally {
    pub(super) athlete_id: AthleteId,
    #[row(flatten)]
    pub(super) totals: AthleteTotals,
    #[row(flatten)]
    pub(super) marks: Marks,
}
