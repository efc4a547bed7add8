//! Logging in and out, and looking at one's own account.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::store::user as store;
use super::{Account, LogIn, UserKind, UserStatus, user};
use crate::auth::{Anyone, Audience, User, session};
use crate::error::{Result, codes};
use crate::kernel::{Email, Password, UserId};
use crate::notifications::devices;
use crate::operation::{Cx, Done, Work};

/// Wrong passwords that pass without delay.
const FREE_FAILURES: i64 = 5;
/// The longest delay.
const LONGEST_DELAY: Duration = Duration::from_secs(4);

/// E-mail and password.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct LogInInput {
    /// The account's e-mail.
    pub email: Email,
    /// Its password.
    pub password: Password<1>,
}

/// Nothing.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct Nothing {}

/// Logs in. A wrong password and an unknown e-mail are told apart neither by the answer nor by the
/// time it takes; after five failures in 15 minutes the account's answers come later, right or wrong
/// alike (contract: *Authentication*).
pub async fn log_in(cx: Cx<Anyone>, input: LogInInput) -> Result<Done<LogIn>> {
    let account = format!("core:{}", &*input.email);
    let mut session = cx.read().await?;
    let failures = store::failures(&mut session, &account, cx.now()).await?;
    let found = store::by_email(&mut session, &input.email).await?;
    drop(session);
    // A closed account is as good as none.
    let found = found.filter(|found| found.status != UserStatus::Deactivated);
    let hash = found.as_ref().and_then(|found| found.password_hash.clone());
    let (mut work, hash) = prove(&cx, &account, failures, &input.password, hash).await?;
    let found = found.ok_or(codes::WRONG_CREDENTIALS)?;
    match found.status {
        UserStatus::Onboarding => return Err(codes::REGISTRATION_INCOMPLETE.into()),
        UserStatus::Suspended => return Err(codes::ACCOUNT_SUSPENDED.into()),
        UserStatus::Active | UserStatus::Deactivated => {}
    }
    if !store::note_login(&mut work, found.id, &hash, cx.now()).await? {
        // Suspended, or the password changed, since it was read: decide anew.
        return Err(codes::AGAIN.into());
    }
    store::forget_failures(&mut work, &account).await?;
    work.note(user::subject(found.id), "logged_in");
    let log_in = open(&mut work, found.id, found.kind, found.profile_id).await?;
    work.done(log_in).await
}

/// Checks a password, later the more failures there were, and opens the transaction of the log-in.
/// Without a stored hash it takes as long, and the failure is counted and refused all the same.
pub(super) async fn prove(
    cx: &Cx<Anyone>,
    account: &str,
    failures: i64,
    password: &Password<1>,
    hash: Option<String>,
) -> Result<(Work, String)> {
    let right = cx.verify(password.expose(), hash.as_deref()).await?;
    tokio::time::sleep(delay(failures)).await;
    let mut work = cx.begin().await?;
    if let Some(hash) = hash.filter(|_| right) {
        return Ok((work, hash));
    }
    store::note_failure(&mut work, account, cx.now()).await?;
    Err(work.refused(codes::WRONG_CREDENTIALS.into()).await?)
}

/// How long the answer waits after so many failures.
fn delay(failures: i64) -> Duration {
    let over = failures.saturating_sub(FREE_FAILURES);
    if over < 0 {
        return Duration::ZERO;
    }
    let doublings = u32::try_from(over).unwrap_or(u32::MAX).min(4);
    Duration::from_millis(250)
        .saturating_mul(2_u32.saturating_pow(doublings))
        .min(LONGEST_DELAY)
}

/// Opens a session for an active account; answers the login result.
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
    let jti = session::open(work, &platform, Audience::Core, subject, owner, until).await?;
    let vault = platform.vault();
    let token = vault.sign(Audience::Core, id.get(), kind.as_str(), &jti, now, until)?;
    Ok(LogIn {
        access_token: token,
        token_type: "Bearer",
        expires_at: until,
        user: store::account(work, id, now).await?,
    })
}

/// The caller's own account with its profile.
pub async fn me(cx: Cx<User>, _: Nothing) -> Result<Account> {
    let mut session = cx.read().await?;
    store::account(&mut session, cx.caller.user_id, cx.now()).await
}

/// Ends the session whose token came with the call, at once and everywhere.
pub async fn log_out(cx: Cx<User>, _: Nothing) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    session::end(&mut work, &cx.caller.session).await?;
    devices::forget_session(&mut work, cx.caller.user_id, &cx.caller.session).await?;
    work.wake(cx.caller.user_id);
    work.note(user::subject(cx.caller.user_id), "logged_out");
    work.done(()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_delayed_after_five_failures_and_never_more_than_four_seconds() {
        let millis = |failures| delay(failures).as_millis();
        assert_eq!((millis(0), millis(4)), (0, 0));
        assert_eq!((millis(5), millis(6), millis(8)), (250, 500, 2_000));
        assert_eq!((millis(9), millis(1_000)), (4_000, 4_000));
    }
}
