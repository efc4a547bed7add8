//! Operators, and how they log in to the Admin interface.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::FromRow;

use super::log_in_queue::wait_for_turn;
use super::operator_passwords::OneTime;
use super::registering::check_password;
use super::signing_in::{LogInInput, prove};
use super::store::operator as store;
use crate::auth::{
    Anyone, Audience, Operator, OperatorSession, Permission, Principal, csrf, session,
};
use crate::error::{Result, codes};
use crate::kernel::{Email, Nothing, OperatorId, Password, Secret, Text, Time};
use crate::keys::{Presence, fingerprint};
use crate::operation::{Cx, Done, Work, run_typed};
use crate::platform::Platform;

/// How long an anonymous browser session lives before log-in.
const VISIT: TimeDelta = TimeDelta::hours(1);

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
    #[sqlx(flatten)]
    pub operator: OperatorAccount,
    /// The state of the one-time password; none if the operator has chosen a password.
    pub one_time_password: Option<OneTime>,
}

/// An operator who has just logged in.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OperatorLogIn {
    /// The operator.
    #[serde(flatten)]
    pub operator: OperatorAccount,
    /// The CSRF token that every POST, PUT and DELETE of the new session must carry.
    pub csrf_token: Secret,
    /// Whether the log-in used a one-time password: the session then allows `/change-password` and
    /// `/logout` only; everything else responds 403 `password_change_required`.
    pub password_change_required: bool,
}

/// A CSRF token.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CsrfToken {
    /// The CSRF token that every POST, PUT and DELETE of this session must carry.
    pub csrf_token: Secret,
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
    let all = store::hold_all(work).await?;
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
    }
    let action = if active { "enabled" } else { "disabled" };
    work.note(operator.id, action);
    Ok(operator)
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

/// Returns a CSRF token for the browser's session; starts a session if there is none.
pub async fn csrf_token(cx: Cx<Anyone>, _: Nothing) -> Result<Done<CsrfToken>> {
    let platform = cx.platform();
    let mut work = cx.begin().await?;
    let session = if let Some(session) = browser_session(&cx.caller.0) {
        session.to_owned()
    } else {
        let until = cx.now() + VISIT;
        let audience = Audience::Admin;
        let secret = session::open(&mut work, platform, audience, None, None, until).await?;
        let id = fingerprint(secret.expose());
        work.start_session(secret);
        id
    };
    let csrf_token = csrf::issue(platform.vault(), platform.random(), &session);
    work.done(CsrfToken { csrf_token }).await
}

/// Logs an operator in: ends the browser's session and starts one with a new secret. Responses and delays
/// are those of Core's log-in. A one-time password works once; afterwards 403 `one_time_password_used`.
pub async fn log_in(cx: Cx<Anyone>, input: LogInInput) -> Result<Done<OperatorLogIn>> {
    let attempt = wait_for_turn(&cx, "admin", &input.email).await?;
    let mut session = cx.read().await?;
    let found = store::by_email(&mut session, &input.email).await?;
    drop(session);
    let hash = found.as_ref().map(|found| found.password_hash.clone());
    let (mut work, hash) = prove(&cx, &attempt, &input.password, hash).await?;
    let found = found.ok_or(codes::WRONG_CREDENTIALS)?;
    if found.one_time_password == Some(OneTime::Used) {
        return Err(work.refused(codes::ONE_TIME_PASSWORD_USED.into()).await?);
    }
    let (id, once) = (found.id, found.one_time_password);
    let Some(operator) = store::note_login(&mut work, id, &hash, once, cx.now()).await? else {
        // The operator was disabled or the password changed since it was read: retry.
        return Err(codes::AGAIN.into());
    };
    if let Some(before) = browser_session(&cx.caller.0) {
        session::end(&mut work, before).await?;
    }
    let csrf_token = open(&mut work, id).await?;
    work.note(operator.id, "logged_in");
    work.done(OperatorLogIn { operator, csrf_token, password_change_required: once.is_some() })
        .await
}

/// Ends the browser's session.
pub async fn log_out(cx: Cx<OperatorSession>, _: Nothing) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    session::end(&mut work, &cx.caller.session).await?;
    work.end_session();
    work.note(cx.caller.id, "logged_out");
    work.done(()).await
}

/// Opens an operator's session, hands the browser its secret and returns a CSRF token for it.
pub(super) async fn open(work: &mut Work, id: OperatorId) -> Result<Secret> {
    let platform = work.platform().clone();
    let until = session::operator_until(work.now());
    let audience = Audience::Admin;
    let secret = session::open(work, &platform, audience, Some(id.get()), None, until).await?;
    let token = csrf::issue(platform.vault(), platform.random(), &fingerprint(secret.expose()));
    work.start_session(secret);
    Ok(token)
}

/// The Admin session that came with a request, logged in or not. Sessions of other interfaces are ignored.
fn browser_session(who: &Principal) -> Option<&str> {
    match who {
        Principal::Visitor { session }
        | Principal::Operator { session, .. }
        | Principal::NewOperator { session, .. } => Some(session),
        _ => None,
    }
}
