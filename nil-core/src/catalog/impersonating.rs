//! What operators who act as an account may call (decisions 26 and 52).

use super::Entry;
use crate::auth::{Impersonator, Permission};
use crate::error::{Result, codes};

impl Entry {
    /// Admits an operator who acts as the caller to what the row names a permission for that they
    /// have; else 403 `impersonation_reads_only`. A row that names none admits no such operator,
    /// whether it reads or writes.
    pub(super) fn admit_impersonator(&self, by: Option<&Impersonator>) -> Result<()> {
        let may = |by: &Impersonator| {
            self.impersonators.is_some_and(|permission| permission.is_in(&by.permissions))
        };
        if by.is_none_or(may) { Ok(()) } else { Err(codes::IMPERSONATION_READS_ONLY.into()) }
    }

    /// Admits operators who act as the caller and have this permission. To read: what they may see
    /// in the back office with that permission, never private messages, notifications, copies of
    /// everything, or what names the caller as the one who did it. To write: only what they may do
    /// to the same record in the back office or what is easily taken back, and never what moves
    /// money, speaks, decides, agrees or consents in the account's name (decisions 26 and 52).
    pub(super) const fn for_impersonators(mut self, permission: Permission) -> Self {
        self.impersonators = Some(permission);
        self
    }
}
