//! An athlete's visa. Only the athlete and the rules of their institution see it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::rule as store;
use crate::auth::Athlete;
use crate::error::Result;
use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;
use crate::operation::{Cx, Done};
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

/// The caller's visa.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SetVisa {
    /// The visa.
    pub status: VisaStatus,
}

/// An athlete's visa, for the athlete.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Visa {
    /// The visa.
    pub status: VisaStatus,
    /// When it was last stated.
    pub updated_at: Time,
}

/// Sets the calling athlete's visa status. Institutions can warn or refuse students with an F-1 visa (rule
/// `f1`). The audit trail records the change without the value.
pub async fn set(cx: Cx<Athlete>, input: SetVisa) -> Result<Done<Visa>> {
    let mut work = cx.begin().await?;
    let visa = store::set_visa(&mut work, cx.caller.id, input.status, cx.now()).await?;
    work.note(cx.caller.id, "visa_status_set");
    work.done(visa).await
}
