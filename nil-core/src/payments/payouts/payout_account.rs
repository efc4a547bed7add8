//! A payout account: where an athlete's or agent's money is sent.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::payout::HoldReason;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{PayoutAccountId, Time};
use crate::operation::Subject;
use crate::ports::processor::{ConnectedAccount, Restriction};
use crate::storage::FromRow;

vocabulary! {
    /// How the account's owner is onboarded at the processor.
    AccountKind {
        /// The owner uses the processor's own account pages.
        Standard = "standard",
        /// The processor's short form.
        Express = "express",
    }
}

vocabulary! {
    /// Whether money can be sent to an account.
    AccountStatus {
        /// No account was opened.
        None = "none",
        /// Opened; the processor still requires information from the owner.
        Pending = "pending",
        /// Was enabled before; the processor requires information again.
        Restricted = "restricted",
        /// Payouts can be sent to it.
        Enabled = "enabled",
    }
}

vocabulary! {
    /// When a wallet is paid out.
    PayoutPreference {
        /// Once a day.
        Standard = "standard",
        /// As soon as it holds money.
        Instant = "instant",
        /// When an operator triggers it.
        Manual = "manual",
    }
}

/// A payout account.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PayoutAccount {
    /// The id; null if no account was opened.
    pub id: Option<PayoutAccountId>,
    /// The owner, such as `athlete:3`.
    pub owner: String,
    /// The processor's id of the account.
    pub processor_account_id: Option<String>,
    /// How the owner is onboarded.
    pub kind: Option<AccountKind>,
    /// Whether it can take charges.
    pub charges_enabled: bool,
    /// Whether payouts can be sent to it.
    pub payouts_enabled: bool,
    /// What the processor still requires from the owner.
    #[schemars(with = "Vec<String>")]
    pub requirements_due: Value,
    /// Until when the owner can provide it before payouts stop; null if no day is set.
    pub requirements_due_by: Option<Time>,
    /// Why the processor sends no payouts to it; null if it does, or if no account was opened.
    pub restriction: Option<Restriction>,
    /// The status.
    pub status: AccountStatus,
    /// When the wallet is paid out.
    pub preference: PayoutPreference,
    /// When it was opened.
    pub created_at: Option<Time>,
    /// When it was last changed.
    pub updated_at: Option<Time>,
}

impl PayoutAccount {
    /// The account of an owner who has opened none.
    #[must_use]
    pub fn none(owner: String) -> Self {
        Self {
            id: None,
            owner,
            processor_account_id: None,
            kind: None,
            charges_enabled: false,
            payouts_enabled: false,
            requirements_due: Value::Array(Vec::new()),
            requirements_due_by: None,
            restriction: None,
            status: AccountStatus::None,
            preference: PayoutPreference::Manual,
            created_at: None,
            updated_at: None,
        }
    }

    /// Takes over the processor's state of the account; returns whether anything changed.
    pub(crate) fn learn(&mut self, seen: &ConnectedAccount) -> bool {
        let status = match (seen.payouts_enabled, self.status) {
            (true, _) => AccountStatus::Enabled,
            (false, AccountStatus::Enabled | AccountStatus::Restricted) => {
                AccountStatus::Restricted
            }
            (false, AccountStatus::None | AccountStatus::Pending) => AccountStatus::Pending,
        };
        let learned = Self {
            processor_account_id: Some(seen.reference.clone()),
            charges_enabled: seen.charges_enabled,
            payouts_enabled: seen.payouts_enabled,
            requirements_due: serde_json::json!(seen.requirements_due),
            requirements_due_by: seen.requirements_due_by,
            restriction: seen.restriction,
            status,
            ..self.clone()
        };
        let different = learned != *self;
        *self = learned;
        different
    }

    /// Why payouts cannot be sent to it; empty if they can.
    #[must_use]
    pub fn hold_reasons(&self) -> Vec<HoldReason> {
        if self.processor_account_id.is_none() {
            vec![HoldReason::NoPayoutAccount]
        } else if self.payouts_enabled {
            Vec::new()
        } else {
            vec![HoldReason::PayoutsDisabled]
        }
    }

    /// Its name in the audit trail.
    #[must_use]
    pub fn subject(&self) -> Subject {
        Subject { kind: "payout_account", id: self.id.map_or(0, PayoutAccountId::get) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_that_worked_is_restricted_and_a_new_one_pending() {
        let seen = |payouts_enabled| ConnectedAccount {
            reference: "acct_1".into(),
            charges_enabled: false,
            payouts_enabled,
            requirements_due: vec!["external_account".into()],
            requirements_due_by: None,
            restriction: (!payouts_enabled).then_some(Restriction::InformationDue),
        };
        let mut account = PayoutAccount::none("athlete:1".into());
        assert_eq!(account.hold_reasons(), [HoldReason::NoPayoutAccount]);
        assert!(account.learn(&seen(false)));
        assert_eq!(account.status, AccountStatus::Pending);
        assert_eq!(account.hold_reasons(), [HoldReason::PayoutsDisabled]);
        assert!(!account.learn(&seen(false)));
        assert!(account.learn(&seen(true)));
        assert_eq!((account.status, account.hold_reasons()), (AccountStatus::Enabled, vec![]));
        assert!(account.learn(&seen(false)));
        assert_eq!(account.status, AccountStatus::Restricted);
    }
}
