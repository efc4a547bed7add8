//! Operators suspend and restore accounts.

use schemars::JsonSchema;
use serde::Deserialize;

use super::mail::Addressee;
use super::store::user as store;
use super::{Account, UserEvent, UserStatus, mail};
use crate::auth::one_time::{self, Purpose};
use crate::auth::{Anyone, Audience, Operator, Principal, User, session};
use crate::error::{Error, Result, codes};
use crate::kernel::{AthleteId, Email, Machine as _, Password, UserId};
use crate::notifications::devices;
use crate::operation::{Cx, Done, Work, run_typed};
use crate::platform::Platform;

/// Suspends an account and ends its sessions at once, on every server. For the command line. 404 if
/// it does not exist, 409 if it is not active.
pub async fn suspend(platform: &Platform, user: UserId) -> Result<UserStatus> {
    change(platform, user, UserEvent::Suspend).await
}

/// Restores a suspended account. For the command line.
pub async fn restore(platform: &Platform, user: UserId) -> Result<UserStatus> {
    change(platform, user, UserEvent::Restore).await
}

/// The account with this e-mail. For the command line. 404 if it does not exist.
pub async fn find(platform: &Platform, email: &Email) -> Result<Account> {
    let mut session = platform.db().read().await?;
    let found = store::by_email(&mut session, email).await?;
    let found =
        found.ok_or_else(|| codes::NOT_FOUND.saying(format!("There is no user {}.", &**email)))?;
    store::account(&mut session, found.id, platform.now()).await
}

/// The account with this id. For the command line. 404 if it does not exist.
pub async fn find_by_id(platform: &Platform, id: UserId) -> Result<Account> {
    let mut session = platform.db().read().await?;
    match store::account(&mut session, id, platform.now()).await {
        Err(error) if error.is(codes::NOT_FOUND) => {
            Err(codes::NOT_FOUND.saying(format!("There is no user with the id {id}.")))
        }
        found => found,
    }
}

/// Selects an athlete.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct AthleteById {
    /// The athlete's id.
    pub id: AthleteId,
}

/// Mails an athlete a new link to verify the e-mail; earlier links become void. 404 for an unknown
/// athlete, 409 if the account is not active or the e-mail is already verified.
pub async fn send_verification(cx: Cx<Operator>, input: AthleteById) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let found = store::unverified(&mut work, input.id).await?;
    if found.status != UserStatus::Active || found.email_verified_at.is_some() {
        return Err(codes::ILLEGAL_TRANSITION.saying("There is no e-mail to verify."));
    }
    let to = Addressee {
        user_id: found.id,
        first_name: found.first_name,
        email: found.email.ok_or(codes::NOT_FOUND)?,
    };
    mail::send_verification(&mut work, &to).await?.or_refuse()?;
    work.note(found.id, "verification_sent");
    work.done(()).await
}

async fn change(platform: &Platform, user: UserId, event: UserEvent) -> Result<UserStatus> {
    let nobody = Anyone(Principal::Anonymous);
    let operation = async |cx: Cx<Anyone>, (user, event)| -> Result<Done<UserStatus>> {
        let mut work = cx.begin().await?;
        let status = change_status(&mut work, user, event).await?;
        work.done(status).await
    };
    let done = run_typed(platform, nobody, "host".into(), operation, (user, event)).await?;
    Ok(done.into_inner())
}

/// Checks the caller's password; returns its stored form. 422 at `password` if it is wrong.
pub async fn proven(cx: &Cx<User>, password: &Password<1>) -> Result<Option<String>> {
    let mut session = cx.read().await?;
    let stored = store::password_of(&mut session, cx.caller.user_id).await?;
    drop(session);
    if !cx.verify(password.expose(), stored.as_deref()).await? {
        return Err(Error::invalid("password", "is not your password"));
    }
    Ok(stored)
}

/// Locks an account that is about to be closed. 409 `illegal_transition` if it cannot be;
/// `try_again` if its password is no longer the one that was proven.
pub async fn lock_to_close(work: &mut Work, user: UserId, proven: Option<&str>) -> Result<()> {
    store::status(work, user).await?.on(UserEvent::Deactivate)?;
    if proven.is_some() && store::password_of(work, user).await?.as_deref() != proven {
        return Err(codes::AGAIN.into());
    }
    Ok(())
}

/// Ends an account's sessions and voids its password-reset links.
pub(super) async fn shut_out(work: &mut Work, user: UserId) -> Result<()> {
    session::end_all(work, Audience::Core, user.get()).await?;
    one_time::void_link(work, Purpose::PasswordReset, user.get()).await?;
    devices::forget_all(work, user).await?;
    work.wake(user);
    Ok(())
}

/// Changes an account's status inside an operation and adds the audit row. Leaving `active` ends
/// the account's sessions and voids its password-reset links.
pub async fn change_status(work: &mut Work, user: UserId, event: UserEvent) -> Result<UserStatus> {
    let moved = store::status(work, user).await?.on(event)?;
    let now = work.now();
    store::change_status(work, user, moved, now).await?;
    if moved.to() != UserStatus::Active {
        shut_out(work, user).await?;
    }
    work.note_change(
        user,
        "status_changed",
        serde_json::json!({ "status": moved.from() }),
        serde_json::json!({ "status": moved.to() }),
    );
    Ok(moved.to())
}
