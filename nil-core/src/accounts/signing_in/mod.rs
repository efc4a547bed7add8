//! Log-in, log-out, and the caller's own account.

pub mod log_in_queue;
pub(crate) mod own_password;
pub(crate) mod own_sessions;
pub mod recovering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::log_in_queue::wait_for_turn;
use super::operators::impersonating::ActingOperator;
use super::store::user::{self as store, Credentials};
use super::{Account, LogIn, UserKind, UserStatus};
use crate::auth::{Anyone, Audience, User, session};
use crate::error::{Result, codes};
use crate::kernel::{Email, Nothing, Password, UserId};
use crate::notifications::devices;
use crate::operation::{Cx, Done, Subject, Work};
use crate::storage::Session;

/// E-mail and password.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct LogInInput {
    /// The account's e-mail.
    pub email: Email,
    /// Its password.
    pub password: Password<1>,
}

/// Logs in. Neither the response nor its timing distinguishes a wrong password from an unknown
/// e-mail. After five failures in 15 minutes, responses for the account are delayed and given one
/// at a time, whether the password is right or wrong (contract: *Authentication*). 429 if too many
/// requests wait.
pub async fn log_in(cx: Cx<Anyone>, input: LogInInput) -> Result<Done<LogIn>> {
    let (mut work, found, hash) = prove::<Credentials>(&cx, &input.email, &input.password).await?;
    let barred = match found.status {
        UserStatus::Onboarding => Some(codes::REGISTRATION_INCOMPLETE),
        UserStatus::Suspended => Some(codes::ACCOUNT_SUSPENDED),
        UserStatus::Active | UserStatus::Deactivated => None,
    };
    if let Some(barred) = barred {
        work.note(found.id, "log_in_refused");
        return Err(work.refused(barred.into()).await?);
    }
    if !store::note_login(&mut work, found.id, &hash, cx.now()).await? {
        // The account was suspended or the password changed since it was read: retry.
        return Err(codes::AGAIN.into());
    }
    work.proven(Subject { kind: found.kind.as_str(), id: found.profile_id });
    work.note(found.id, "logged_in");
    let log_in = open(&mut work, found.id, found.kind, found.profile_id).await?;
    work.done(log_in).await
}

/// An account that somebody says is theirs: what a log-in reads of it before the password is
/// checked.
pub(super) trait Claimed: Sized {
    /// Where these accounts log in. Failed attempts are counted for each by itself.
    const INTERFACE: &'static str;

    /// The account with this e-mail, if it may be logged in to at all.
    fn find(
        session: &mut Session,
        email: &Email,
    ) -> impl Future<Output = Result<Option<Self>>> + Send;

    /// The account in the audit trail.
    fn subject(&self) -> Subject;

    /// The hash of its password, if it has one.
    fn hash(&self) -> Option<&str>;
}

impl Claimed for Credentials {
    const INTERFACE: &'static str = "core";

    async fn find(session: &mut Session, email: &Email) -> Result<Option<Self>> {
        let found = store::by_email(session, email).await?;
        // A closed account counts as unknown.
        Ok(found.filter(|found| found.status != UserStatus::Deactivated))
    }

    fn subject(&self) -> Subject {
        self.id.into()
    }

    fn hash(&self) -> Option<&str> {
        self.password_hash.as_deref()
    }
}

/// Begins a log-in: waits for the attempt's turn, checks the password, opens the transaction and
/// clears the failed attempts in it. Returns the account with the hash that was right. An unknown
/// e-mail and an account without a password take the time of a wrong password, and are refused and
/// on record like one.
pub(super) async fn prove<C: Claimed>(
    cx: &Cx<Anyone>,
    email: &Email,
    password: &Password<1>,
) -> Result<(Work, C, String)> {
    let attempt = wait_for_turn(cx, C::INTERFACE, email).await?;
    let mut session = cx.read().await?;
    let found = C::find(&mut session, email).await?;
    drop(session);
    let hash = found.as_ref().and_then(C::hash).map(str::to_owned);
    let right = cx.verify(password.expose(), hash.as_deref()).await?;
    let mut work = cx.begin().await?;
    let subject = found.as_ref().map_or(NOBODY, C::subject);
    let Some((found, hash)) = found.zip(hash).filter(|_| right) else {
        let (operation, request_id) = (cx.facts().operation, &*cx.facts().request_id);
        let account = masked(email);
        tracing::warn!(operation, request_id, account, "a log-in failed");
        work.note(subject, "log_in_failed");
        return Err(work.refused(codes::WRONG_CREDENTIALS.into()).await?);
    };
    attempt.succeeds(&mut work).await?;
    Ok((work, found, hash))
}

/// The subject of a failed log-in to an account that does not exist.
pub(super) const NOBODY: Subject = Subject { kind: "unknown_account", id: 0 };

/// An e-mail in logs: enough to recognise one's own.
fn masked(email: &str) -> String {
    let (name, domain) = email.split_once('@').unwrap_or((email, ""));
    let first: String = name.chars().take(1).collect();
    format!("{first}***@{domain}")
}

/// Opens a session for an active account; returns the log-in result.
pub(super) async fn open(
    work: &mut Work,
    id: UserId,
    kind: UserKind,
    profile_id: i64,
) -> Result<LogIn> {
    let platform = work.platform().clone();
    let now = work.now();
    let until = now + platform.config().token_lives;
    let owner = Some((kind, profile_id));
    let subject = Some(id.get());
    let jti = session::open(work, &platform, Audience::Core, subject, owner, until, None).await?;
    let vault = platform.vault();
    let token = vault.sign(Audience::Core, id.get(), kind.as_str(), &jti, now, until)?;
    Ok(LogIn {
        access_token: token,
        token_type: "Bearer",
        expires_at: until,
        user: store::account(work, id, now).await?,
    })
}

/// The caller's own account.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Me {
    /// The account.
    #[serde(flatten)]
    pub account: Account,
    /// The operator who acts as this account with the token of this request; null for the account's
    /// own user. A front end says so on every page.
    pub impersonation: Option<ActingOperator>,
}

/// The caller's own account with its profile.
pub async fn me(cx: Cx<User>, _: Nothing) -> Result<Me> {
    let mut session = cx.read().await?;
    let account = store::account(&mut session, cx.caller.user_id, cx.now()).await?;
    Ok(Me { account, impersonation: ActingOperator::behind(&cx) })
}

/// Ends the session whose token came with the request, at once and on every server.
pub async fn log_out(cx: Cx<User>, _: Nothing) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    session::end(&mut work, &cx.caller.session).await?;
    devices::forget_session(&mut work, cx.caller.user_id, &cx.caller.session).await?;
    work.wake(cx.caller.user_id);
    work.note(cx.caller.user_id, "logged_out");
    work.done(()).await
}
