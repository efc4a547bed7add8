//! Operators, who may use the Admin interface.

pub mod impersonating;
pub mod impersonation;
pub mod operator;
pub mod passwords;
pub mod saving;
pub mod sessions;
pub mod signing_in;
pub mod two_step;

use serde_json::json;

use super::registering::check_password;
use super::store::operator as store;
use crate::auth::{Anyone, Audience, Operator, Permission, Principal, session};
use crate::error::{Result, codes};
use crate::kernel::{Email, OperatorId, Password, Text};
use crate::keys::Presence;
use crate::operation::{Cx, Done, Work, run_typed};
use crate::platform::Platform;
use operator::{ListedOperator, OneTime, OperatorAccount, WhichOperator, keep_a_chief};

/// Makes an operator. For the command line. The password has at least 15 characters and is not a
/// common one; 409 `email_taken`.
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

/// Disables an operator and ends their sessions at once, on every server; repeating it changes
/// nothing. 404 for an unknown operator, 409 `last_operator` if no active operator with all
/// permissions would remain.
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
