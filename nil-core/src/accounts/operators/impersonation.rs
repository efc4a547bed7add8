//! An operator acting as an account: what for, how long, and what the record shows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::MemberKind;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ImpersonationId, OperatorId, PortalUserId, Time, UserId};
use crate::storage::FromRow;

vocabulary! {
    /// What an operator acts as an account for.
    ImpersonationPurpose {
        /// The account's user has a question or a problem.
        Support = "support",
        /// Something on the platform does not work.
        Fault = "fault",
        /// The account is suspected of abuse. Only for operators with all permissions; the account
        /// is not told.
        AbuseInvestigation = "abuse_investigation",
    }
}

impl ImpersonationPurpose {
    /// What the account is told; none if it is not.
    pub(super) const fn told(self) -> Option<&'static str> {
        match self {
            Self::Support => Some("help with a question or a problem"),
            Self::Fault => Some("finding out what does not work"),
            Self::AbuseInvestigation => None,
        }
    }
}

/// An impersonation.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Impersonation {
    /// The impersonation's id, the subject of its entries in the audit trail.
    pub id: ImpersonationId,
    /// The operator.
    pub operator_id: OperatorId,
    /// The operator's name.
    pub operator_name: String,
    /// The account; null for a portal user.
    pub user_id: Option<UserId>,
    /// The portal user; null for other accounts.
    pub portal_user_id: Option<PortalUserId>,
    /// The kind of the account.
    pub kind: MemberKind,
    /// The name of the account's user.
    pub account_name: String,
    /// The account's e-mail.
    pub account_email: Option<String>,
    /// What for.
    pub purpose: ImpersonationPurpose,
    /// The reason in words.
    pub reason: String,
    /// The network address from which it was started.
    pub address: Option<String>,
    /// How many calls were made. Each has an entry in the audit trail.
    pub calls: i64,
    /// When it was started.
    pub started_at: Time,
    /// When it ends at the latest.
    pub expires_at: Time,
    /// When an operator ended it; null if none did. It also ends with the operator's own session,
    /// with their permission `accounts`, and with the account's sessions.
    pub ended_at: Option<Time>,
    /// Whether its token still works.
    pub running: bool,
}

/// The impersonations to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListImpersonations {
    /// Only those that run, or only those that have ended.
    pub running: Option<bool>,
    /// Only those of this operator.
    pub operator_id: Option<OperatorId>,
    /// Only those as this user of the Core interface.
    pub user_id: Option<UserId>,
    /// Only those as this portal user.
    pub portal_user_id: Option<PortalUserId>,
}
