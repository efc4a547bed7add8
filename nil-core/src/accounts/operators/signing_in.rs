//! How operators log in to the Admin interface: a CSRF token first, then a session of their own.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;

use super::operator::{OneTime, OperatorAccount};
use crate::accounts::signing_in::{Claimed, prove};
use crate::accounts::store::operator::{self as store, Credentials};
use crate::accounts::two_step::{TwoStepLogInInput, prove_after};
use crate::auth::{Anyone, Audience, OperatorSession, Principal, csrf, operator_hours, session};
use crate::error::{Result, codes};
use crate::kernel::{Email, Nothing, OperatorId, Secret};
use crate::keys::fingerprint;
use crate::operation::{Cx, Done, Subject, Work};
use crate::platform::Platform;
use crate::storage::Session;

/// How long an anonymous browser session lives before log-in.
const VISIT: TimeDelta = TimeDelta::hours(1);

/// An operator who has just logged in.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct OperatorLogIn {
    /// The operator.
    #[serde(flatten)]
    pub operator: OperatorAccount,
    /// The CSRF token that every POST, PUT and DELETE of the new session must carry.
    pub csrf_token: Secret,
    /// Whether the log-in used a one-time password: the session then allows `/change-password` and
    /// `/logout` only; everything else responds 403 `password_change_required`.
    pub password_change_required: bool,
    /// Whether this platform requires two-step log-in and it is not on yet: the session then allows
    /// `/totp/start`, `/totp/confirm`, `/change-password` and `/logout` only; everything else
    /// responds 403 `totp_setup_required`.
    pub totp_setup_required: bool,
}

impl OperatorLogIn {
    /// What the operator of a new session is told.
    pub(crate) fn new(
        platform: &Platform,
        operator: OperatorAccount,
        csrf_token: Secret,
        password_change_required: bool,
    ) -> Self {
        let is_off = operator.totp_on_at.is_none();
        let totp_setup_required = platform.config().operators_need_totp && is_off;
        Self { operator, csrf_token, password_change_required, totp_setup_required }
    }

    /// What the operator of a new session is told who has signed on: the provider has checked them.
    pub(crate) fn signed_on(operator: OperatorAccount, csrf_token: Secret) -> Self {
        Self { operator, csrf_token, password_change_required: false, totp_setup_required: false }
    }
}

/// A CSRF token.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CsrfToken {
    /// The CSRF token that every POST, PUT and DELETE of this session must carry.
    pub csrf_token: Secret,
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
        let secret = session::open(&mut work, platform, audience, None, None, until, None).await?;
        let id = fingerprint(secret.expose());
        work.start_session(secret);
        id
    };
    let csrf_token = csrf::issue(platform.vault(), platform.random(), &session);
    work.done(CsrfToken { csrf_token }).await
}

impl Claimed for Credentials {
    const INTERFACE: &'static str = "admin";

    async fn find(session: &mut Session, email: &Email) -> Result<Option<Self>> {
        store::by_email(session, email).await
    }

    fn subject(&self) -> Subject {
        self.id.into()
    }

    fn hash(&self) -> Option<&str> {
        Some(&self.password_hash)
    }
}

/// Logs an operator in: ends the browser's session and starts one with a new secret. Responses and
/// delays are those of Core's log-in. A one-time password works once; afterwards 403
/// `one_time_password_used`; 403 `sign_on_required` if the host has switched passwords off. If
/// two-step log-in is on: 401 `totp_required` without a code, 401
/// `totp_invalid` for a wrong one, 403 `totp_blocked` after twenty wrong ones in a row.
pub async fn log_in(cx: Cx<Anyone>, input: TwoStepLogInInput) -> Result<Done<OperatorLogIn>> {
    let (mut work, found, hash) = prove::<Credentials>(&cx, &input.email, &input.password).await?;
    if found.one_time_password == Some(OneTime::Used) {
        work.note(found.id, "log_in_refused");
        return Err(work.refused(codes::ONE_TIME_PASSWORD_USED.into()).await?);
    }
    let sign_on = cx.platform().config().operator_sign_on.as_ref();
    if sign_on.is_some_and(|sign_on| !sign_on.passwords) {
        work.note(found.id, "log_in_refused");
        return Err(work.refused(codes::SIGN_ON_REQUIRED.into()).await?);
    }
    let (id, once) = (found.id, found.one_time_password);
    let mut work = prove_after(&cx, work, (id, &hash), input.totp.as_ref()).await?;
    let noted = store::note_login(&mut work, id, &hash, once, cx.now()).await?;
    let operator = noted.ok_or(codes::AGAIN)?;
    if let Some(before) = browser_session(&cx.caller.0) {
        session::end(&mut work, before).await?;
    }
    let csrf_token = open(&mut work, id).await?;
    work.proven(operator.id);
    work.note(operator.id, "logged_in");
    let log_in = OperatorLogIn::new(cx.platform(), operator, csrf_token, once.is_some());
    work.done(log_in).await
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
pub(crate) async fn open(work: &mut Work, id: OperatorId) -> Result<Secret> {
    let (token, secret) = opened(work, id).await?;
    work.start_session(secret);
    Ok(token)
}

/// Opens an operator's session; returns a CSRF token for it, and its secret.
pub(crate) async fn opened(work: &mut Work, id: OperatorId) -> Result<(Secret, Secret)> {
    let platform = work.platform().clone();
    let until = operator_hours::operator_until(work.now());
    let audience = Audience::Admin;
    let (owner, address) = (Some(id.get()), work.facts().address);
    let secret = session::open(work, &platform, audience, owner, None, until, address).await?;
    let token = csrf::issue(platform.vault(), platform.random(), &fingerprint(secret.expose()));
    Ok((token, secret))
}

/// The Admin session that came with a request, logged in or not. Sessions of other interfaces are
/// ignored.
pub(crate) fn browser_session(who: &Principal) -> Option<&str> {
    match who {
        Principal::Visitor { session }
        | Principal::Operator { session, .. }
        | Principal::NewOperator { session, .. } => Some(session),
        _ => None,
    }
}
