//! A time in which tax is withheld from payments to someone, and the notice that began it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{BackupWithholdingId, Time};
use crate::storage::FromRow;

vocabulary! {
    /// Why tax is withheld.
    WithholdingNotice {
        /// The tax office says that name and number do not match (CP2100, a B notice).
        BNotice = "b_notice",
        /// The tax office says that income was not reported (a C notice).
        CNotice = "c_notice",
        /// No taxpayer number was given.
        NoTin = "no_tin",
    }
}

/// A time in which tax is withheld from payments to someone.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct BackupWithholding {
    /// The id.
    pub id: BackupWithholdingId,
    /// From whom, such as `athlete:3`.
    pub owner: String,
    /// The notice.
    pub notice: WithholdingNotice,
    /// When it began.
    pub starts_at: Time,
    /// When it ended; null while tax is withheld.
    pub ends_at: Option<Time>,
}
