//! An athlete's visa. Only the athlete and the rules of their institution see it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::store::rule as store;
use super::visa_status::{Visa, VisaStatus};
use crate::auth::Athlete;
use crate::error::Result;
use crate::operation::{Cx, Done};

/// The caller's visa.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SetVisa {
    /// The visa.
    pub status: VisaStatus,
}

/// Sets the calling athlete's visa status. Institutions can warn or refuse students with an F-1
/// visa (rule `f1`). The audit trail records the change without the value.
pub async fn set(cx: Cx<Athlete>, input: SetVisa) -> Result<Done<Visa>> {
    let mut work = cx.begin().await?;
    let visa = store::set_visa(&mut work, cx.caller.id, input.status, cx.now()).await?;
    work.note(cx.caller.id, "visa_status_set");
    work.done(visa).await
}
