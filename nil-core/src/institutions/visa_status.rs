//! An athlete's visa, as far as rules depend on it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;
use crate::storage::FromRow;

vocabulary! {
    /// An athlete's visa status.
    VisaStatus {
        /// No visa is needed.
        None = "none",
        /// F-1.
        F1 = "f1",
        /// J-1.
        J1 = "j1",
        /// Any other.
        Other = "other",
    }
}

/// An athlete's visa, for the athlete.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Visa {
    /// The visa.
    pub status: VisaStatus,
    /// When it was last stated.
    pub updated_at: Time,
}
