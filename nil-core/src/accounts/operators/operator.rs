//! Operators, their permissions, their one-time passwords and their sessions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::auth::Permission;
use crate::error::{Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{NameSort, OperatorId, Text, Time};
use crate::storage::FromRow;

vocabulary! {
    /// The state of a one-time password.
    OneTime {
        /// Not used yet.
        Unused = "unused",
        /// Used to log in once; the operator has not chosen a password yet.
        Used = "used",
    }
}

/// An operator.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct OperatorAccount {
    /// The operator's id.
    pub id: OperatorId,
    /// The e-mail to log in with.
    pub email: String,
    /// Full name.
    pub name: String,
    /// The operator's permissions.
    #[schemars(with = "Vec<Permission>")]
    pub permissions: Value,
    /// Whether the operator may log in.
    pub active: bool,
    /// When two-step log-in was turned on; null: the password alone is enough.
    pub totp_on_at: Option<Time>,
    /// Time of the last login.
    pub last_login_at: Option<Time>,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// An operator in the list of all.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ListedOperator {
    /// The operator.
    #[serde(flatten)]
    #[row(flatten)]
    pub operator: OperatorAccount,
    /// The state of the one-time password; none if the operator has chosen a password.
    pub one_time_password: Option<OneTime>,
}

/// Selects an operator.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichOperator {
    /// The operator's id.
    pub id: OperatorId,
}

/// Whether an operator has the permission to act as accounts.
pub(super) fn may_see_accounts(operator: &OperatorAccount) -> bool {
    let enough = [Permission::Accounts, Permission::All].map(|one| Value::from(one.as_str()));
    let may = operator.permissions.as_array();
    may.is_some_and(|may| enough.iter().any(|one| may.contains(one)))
}

/// Whether an operator may log in and has all permissions.
pub(super) fn is_chief(operator: &OperatorAccount) -> bool {
    let all = Value::from(Permission::All.as_str());
    operator.active && operator.permissions.as_array().is_some_and(|may| may.contains(&all))
}

/// 409 `last_operator` if this change of an operator took all permissions from the last one who has
/// them. `all` are all operators, locked.
pub(super) fn keep_a_chief(all: &[OperatorAccount], changed: &OperatorAccount) -> Result<()> {
    let (known, others): (Vec<_>, Vec<_>) =
        all.iter().partition(|operator| operator.id == changed.id);
    let is_lost = known.into_iter().any(is_chief) && !is_chief(changed);
    if is_lost && !others.into_iter().any(is_chief) {
        return Err(codes::LAST_OPERATOR.into());
    }
    Ok(())
}

/// The operators to list.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ListOperators {
    /// Only operators who may log in, or only those who may not.
    pub active: Option<bool>,
    /// Part of the name or of the e-mail.
    pub q: Option<Text<0, 100>>,
    /// The order (default by name).
    pub sort: Option<NameSort>,
}
