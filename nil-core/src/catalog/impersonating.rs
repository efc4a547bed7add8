//! What operators who act as an account may call (decision 26).

use super::Entry;
use crate::auth::{Impersonator, Permission};
use crate::error::{Result, codes};

impl Entry {
    /// Admits an operator who acts as the caller to reads, and to what the row names a permission for that they have; else
    /// 403 `impersonation_reads_only`.
    pub(super) fn admit_impersonator(&self, by: Option<&Impersonator>) -> Result<()> {
        let may = by.is_none_or(|by| match self.impersonators {
            Some(permission) => permission.is_in(&by.permissions),
            None => !self.refuses_impersonators(),
        });
        if may { Ok(()) } else { Err(codes::IMPERSONATION_READS_ONLY.into()) }
    }

    /// Whether operators who act as the caller may never call it.
    #[must_use]
    pub fn refuses_impersonators(&self) -> bool {
        self.impersonators.is_none() && (self.writes() || self.credentials)
    }

    /// Admits operators who act as the caller and have this permission. Only for what they may do to the same record in the
    /// back office or what is easily taken back, and never for what moves money, speaks, decides, agrees or consents in the
    /// account's name (decision 26).
    pub(super) const fn for_impersonators(mut self, permission: Permission) -> Self {
        self.impersonators = Some(permission);
        self
    }
}
