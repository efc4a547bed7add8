//! A person's calendar feed.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{Secret, Time};
use crate::storage::FromRow;

/// A person's calendar feed.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CalendarFeed {
    /// Whether there is an address that calendar programs can read.
    pub active: bool,
    /// The address, for a calendar program: shown when it is made, and null ever after. Whoever
    /// knows it reads the calendar.
    #[schemars(extend("examples" = ["https://nil.example/api/calendar/5f0c…e1.ics"]))]
    pub address: Option<Secret>,
    /// When the address was made; null without one.
    pub created_at: Option<Time>,
    /// When a calendar program last read it, to about five minutes; null if none has.
    pub read_at: Option<Time>,
}

/// The row of an address.
#[derive(Clone, Copy, Debug, FromRow)]
pub(super) struct Made {
    pub(super) created_at: Time,
    pub(super) read_at: Option<Time>,
}

impl From<Made> for CalendarFeed {
    fn from(made: Made) -> Self {
        Self {
            active: true,
            address: None,
            created_at: Some(made.created_at),
            read_at: made.read_at,
        }
    }
}
