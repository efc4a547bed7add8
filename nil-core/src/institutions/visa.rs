//! An athlete's visa. Only the athlete and the rules of their institution see it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::store::rule as store;
use crate::auth::Athlete;
use crate::error::Result;
use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;
use crate::operation::{Cx, Done};

vocabulary! {
    /// The visa an athlete studies with.
    VisaStatus {
        /// None is needed.
        None = "none",
        /// F-1.
        F1 = "f1",
        /// J-1.
        J1 = "j1",
        /// Another one.
        Other = "other",
    }
}

/// The caller's visa.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SetVisa {
    /// Which one.
    pub status: VisaStatus,
}

/// An athlete's visa, for the athlete.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Visa {
    /// Which one.
    pub status: VisaStatus,
    /// When it was last said.
    pub updated_at: Time,
}

/// Says which visa the calling athlete studies with. Institutions may warn or refuse students with an
/// F-1 visa (rule `f1`). The audit trail notes that it was said, not what.
pub async fn set(cx: Cx<Athlete>, input: SetVisa) -> Result<Done<Visa>> {
    let mut work = cx.begin().await?;
    let visa = store::set_visa(&mut work, cx.caller.id, input.status, cx.now()).await?;
    work.note(cx.caller.id, "visa_status_set");
    work.done(visa).await
}
