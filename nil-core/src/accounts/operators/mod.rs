//! Operators, who may use the Admin interface.

pub mod impersonating;
pub mod passwords;
pub mod saving;
pub mod sessions;
pub mod signing_in;
pub mod two_step;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::passwords::OneTime;
use super::registering::check_password;
use super::store::operator as store;
use crate::auth::{Anyone, Audience, Operator, Permission, Principal, session};
use crate::error::{Result, codes};
use crate::kernel::{Email, OperatorId, Password, Text, Time};
use crate::keys::Presence;
use crate::operation::{Cx, Done, Work, run_typed};
use crate::platform::Platform;
use crate::storage::FromRow;

/// An operator.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
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
pub struct ListedOperator {
    /// The operator.
    #[serde(flatten)]
    #[row(flatten)]
    pub operator: OperatorAccount,
    /// The state of the one-time password; none if the operator has chosen a password.
    pub one_time_password: Option<OneTime>,
}

/// Makes an operator. For the command line. The password has at least 15 characters and is not a common
/// one; 409 `email_taken`.
pub async fn create(
    platform: &Platform,
    email: Email,
    name: Text<1, 160>,
    permissions: Vec<Permission>,
    password: Password<15>,
) -> Result<OperatorAccount> {
    check_password(password.expose())?;
    let new = NewOperator { email, name, permissions, one_time: None };
    make(platform, new, password.expose()).await
}

/// An operator to make.
pub(super) struct NewOperator {
    pub(super) email: Email,
    pub(super) name: Text<1, 160>,
    pub(super) permissions: Vec<Permission>,
    pub(super) one_time: Option<OneTime>,
}

/// Makes an operator with this password.
pub(super) async fn make(
    platform: &Platform,
    new: NewOperator,
    password: &str,
) -> Result<OperatorAccount> {
    let random = platform.random();
    let hash = platform.hasher().hash(password, random, Presence::default()).await?;
    let nobody = Anyone(Principal::Anonymous);
    let operation = async |cx: Cx<Anyone>, new: store::NewOperator| {
        let mut work = cx.begin().await?;
        let operator = store::add(&mut work, new, cx.now()).await?;
        let may = json!({ "permissions": operator.permissions });
        work.note_change(operator.id, "created", None, may);
        work.done(operator).await
    };
    let new = store::NewOperator {
        email: new.email,
        name: new.name.into_string(),
        permissions: new.permissions,
        hash,
        one_time: new.one_time,
    };
    let done = run_typed(platform, nobody, "host".into(), operation, new).await?;
    Ok(done.into_inner())
}

/// Selects an operator.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichOperator {
    /// The operator's id.
    pub id: OperatorId,
}

/// Disables an operator and ends their sessions at once, on every server; repeating it changes nothing. 404
/// for an unknown operator, 409 `last_operator` if no active operator with all permissions would remain.
pub async fn disable(cx: Cx<Operator>, input: WhichOperator) -> Result<Done<OperatorAccount>> {
    let mut work = cx.begin().await?;
    let operator = switch(&mut work, input.id, false).await?;
    work.done(operator).await
}

/// Enables an operator again; they must log in again. 404 for an unknown operator.
pub async fn enable(cx: Cx<Operator>, input: WhichOperator) -> Result<Done<OperatorAccount>> {
    let mut work = cx.begin().await?;
    let operator = switch(&mut work, input.id, true).await?;
    work.done(operator).await
}

/// [`disable`] and [`enable`] for the command line, where access to the host is the authorization.
pub async fn set_active(
    platform: &Platform,
    email: Email,
    active: bool,
) -> Result<OperatorAccount> {
    let operation = async |cx: Cx<Anyone>, email: Email| {
        let mut work = cx.begin().await?;
        let id = store::id_of(&mut work, &email).await?;
        let id = id
            .ok_or_else(|| codes::NOT_FOUND.saying(format!("There is no operator {}.", &*email)))?;
        let operator = switch(&mut work, id, active).await?;
        work.done(operator).await
    };
    let nobody = Anyone(Principal::Anonymous);
    let done = run_typed(platform, nobody, "host".into(), operation, email).await?;
    Ok(done.into_inner())
}

async fn switch(work: &mut Work, id: OperatorId, active: bool) -> Result<OperatorAccount> {
    let all = store::lock_all(work).await?;
    let found = all.iter().find(|operator| operator.id == id);
    let found = found.ok_or(codes::NOT_FOUND)?;
    if found.active == active {
        return Ok(found.clone());
    }
    keep_a_chief(&all, &OperatorAccount { active, ..found.clone() })?;
    let now = work.now();
    let operator = store::set_active(work, id, active, now).await?;
    if !active {
        session::end_all(work, Audience::Admin, id.get()).await?;
        impersonating::end_all_of(work, id).await?;
    }
    let action = if active { "enabled" } else { "disabled" };
    work.note(operator.id, action);
    Ok(operator)
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

/// 409 `last_operator` if this change of an operator took all permissions from the last one who has them. `all` are all
/// operators, locked.
pub(super) fn keep_a_chief(all: &[OperatorAccount], changed: &OperatorAccount) -> Result<()> {
    let (known, others): (Vec<_>, Vec<_>) =
        all.iter().partition(|operator| operator.id == changed.id);
    let is_lost = known.into_iter().any(is_chief) && !is_chief(changed);
    if is_lost && !others.into_iter().any(is_chief) {
        return Err(codes::LAST_OPERATOR.into());
    }
    Ok(())
}

/// Every operator, active or not. For the command line.
pub async fn list(platform: &Platform) -> Result<Vec<ListedOperator>> {
    let mut session = platform.db().read().await?;
    store::list(&mut session).await
}

/// Whether any operator exists.
pub async fn any(platform: &Platform) -> Result<bool> {
    let mut session = platform.db().read().await?;
    store::any(&mut session).await
}
