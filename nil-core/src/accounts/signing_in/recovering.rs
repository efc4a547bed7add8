//! Password recovery, mailed links, and whether an e-mail is available.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::log_in_queue::remember_owner;
use crate::accounts::mail::Addressee;
use crate::accounts::registering::check_password;
use crate::accounts::registering::progress::account_verified;
use crate::accounts::store::{registration, user as store};
use crate::accounts::{UserStatus, mail};
use crate::auth::one_time::{self, Purpose};
use crate::auth::{Anyone, Audience, session};
use crate::calendar::keeping as calendar;
use crate::error::{Error, Result, codes};
use crate::kernel::{Email, Password, Secret, UserId};
use crate::notifications::{devices, lifting};
use crate::operation::{Cx, Done};

/// Minimum response time for link requests: longer than the work takes, so that the time does not
/// disclose who has an account.
pub(crate) const LINK_ANSWERED_AFTER: Duration = Duration::from_millis(200);

/// An e-mail.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ByEmail {
    /// The e-mail of an account.
    pub email: Email,
}

/// A new password with the token that authorizes it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NewPassword {
    /// The token of the mailed link; it works once and expires after an hour.
    pub token: Secret,
    /// The password: 8 to 128 characters, and not a common one.
    pub password: Password<8>,
}

/// A mailed token.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct LinkToken {
    /// The token of the mailed link; it works once, until the time given in the mail.
    pub token: Secret,
}

/// Whether an e-mail can be registered.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Availability {
    /// Whether the e-mail is free.
    pub available: bool,
}

/// Whether an e-mail is free. The registration form needs this, so it discloses by design; the
/// throttle class `registration` limits bulk queries.
pub async fn check_email(cx: Cx<Anyone>, input: ByEmail) -> Result<Availability> {
    let mut session = cx.read().await?;
    let available = registration::is_free(&mut session, &input.email).await?;
    Ok(Availability { available })
}

/// Mails a password-reset link if an active account has this e-mail. The response and its timing
/// are the same if none has.
pub async fn forget_password(cx: Cx<Anyone>, input: ByEmail) -> Result<Done<()>> {
    let answered = Instant::now() + LINK_ANSWERED_AFTER;
    let mut work = cx.begin().await?;
    let found = store::by_email(&mut work, &input.email).await?;
    if let Some(found) = found.filter(|found| found.status == UserStatus::Active) {
        let to = Addressee {
            user_id: found.id,
            first_name: found.first_name,
            email: input.email.to_string(),
        };
        // Exceeding the mail allowance must look the same as an unknown account.
        if mail::send_reset(&mut work, &to).await?.is_given() {
            work.note(found.id, "password_reset_requested");
        }
    }
    let done = work.done(()).await?;
    tokio::time::sleep_until(answered).await;
    Ok(done)
}

/// Sets a new password, ends every session of the account at once and revokes the address of its
/// calendar. 422 `token_invalid` for a token that is wrong, used or expired.
pub async fn confirm_password_reset(cx: Cx<Anyone>, input: NewPassword) -> Result<Done<()>> {
    check_password(input.password.expose())?;
    let hash = cx.hash(input.password.expose()).await?;
    let mut work = cx.begin().await?;
    let purpose = Purpose::PasswordReset;
    let id = one_time::use_link(&mut work, purpose, &input.token, cx.now()).await?;
    let id = UserId::new(id).ok_or_else(token_invalid)?;
    if !store::set_password(&mut work, id, hash, cx.now()).await? {
        return Err(token_invalid());
    }
    session::end_all(&mut work, Audience::Core, id.get()).await?;
    devices::forget_all(&mut work, id).await?;
    calendar::revoke_of_user(&mut work, id).await?;
    if let Some(email) = store::email_of(&mut work, id).await? {
        remember_owner(&mut work, "core", &email).await?;
        lifting::confirmed(&mut work, &email).await?;
    }
    work.wake(id);
    work.note(id, "password_changed");
    work.done(()).await
}

/// Verifies an e-mail with the mailed token. 422 `token_invalid` for a token that is wrong, used or
/// expired.
pub async fn verify_email(cx: Cx<Anyone>, input: LinkToken) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let purpose = Purpose::EmailVerification;
    let id = one_time::use_link(&mut work, purpose, &input.token, cx.now()).await?;
    let id = UserId::new(id).ok_or_else(token_invalid)?;
    if store::set_verified(&mut work, id, cx.now()).await? {
        work.send(account_verified(id));
        work.note(id, "email_verified");
    }
    if let Some(email) = store::email_of(&mut work, id).await? {
        lifting::confirmed(&mut work, &email).await?;
    }
    work.done(()).await
}

pub(crate) fn token_invalid() -> Error {
    Error::from(codes::TOKEN_INVALID).at("token", "is wrong, used or expired")
}
