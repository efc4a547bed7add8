//! Log-in to the Compliance interface, invitations and password recovery.

use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use crate::accounts::mail;
use crate::accounts::registering::check_password;
use crate::accounts::signing_in::log_in_queue::remember_owner;
use crate::accounts::signing_in::recovering::{ByEmail, LINK_ANSWERED_AFTER, token_invalid};
use crate::accounts::signing_in::{Claimed, prove};
use crate::accounts::store::portal_user::{self as store, PortalCredentials};
use crate::accounts::store::sign_on_provider as providers;
use crate::accounts::two_step::{TwoStepLogInInput, prove_after};
use crate::accounts::{PortalLogIn, PortalUserEvent, PortalUserStatus};
use crate::auth::one_time::{self, Purpose};
use crate::auth::{Anyone, Audience, PortalUser, session};
use crate::calendar::keeping as calendar;
use crate::error::{Result, codes};
use crate::kernel::{Email, Machine as _, Nothing, Password, PortalUserId, Secret};
use crate::notifications::lifting;
use crate::operation::{Cx, Done, Subject, Work};
use crate::storage::Session;

/// A new portal password with the token that authorizes it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NewPortalPassword {
    /// The token of the mailed link; it works once.
    pub token: Secret,
    /// The password: 12 to 128 characters, and not a common one.
    pub password: Password<12>,
}

impl Claimed for PortalCredentials {
    const INTERFACE: &'static str = "compliance";

    async fn find(session: &mut Session, email: &Email) -> Result<Option<Self>> {
        store::by_email(session, email).await
    }

    fn subject(&self) -> Subject {
        self.id.into()
    }

    fn hash(&self) -> Option<&str> {
        self.password_hash.as_deref()
    }
}

/// Logs a compliance officer in; responses and delays are those of Core's log-in. 403
/// `approval_pending` until the registration is approved, `sign_on_required` if the institution has
/// switched passwords off. If two-step log-in is on: 401
/// `totp_required` without a code, 401 `totp_invalid` for a wrong one, 403 `totp_blocked` after
/// twenty wrong ones in a row.
pub async fn log_in(cx: Cx<Anyone>, input: TwoStepLogInInput) -> Result<Done<PortalLogIn>> {
    let (mut work, found, hash) =
        prove::<PortalCredentials>(&cx, &input.email, &input.password).await?;
    let barred = match found.status {
        PortalUserStatus::Pending => Some(codes::APPROVAL_PENDING),
        PortalUserStatus::Disabled => Some(codes::ACCOUNT_SUSPENDED),
        PortalUserStatus::Active | PortalUserStatus::Invited => None,
    };
    if let Some(barred) = barred {
        work.note(found.id, "log_in_refused");
        return Err(work.refused(barred.into()).await?);
    }
    if !providers::allows_passwords(&mut work, found.id).await? {
        work.note(found.id, "log_in_refused");
        return Err(work.refused(codes::SIGN_ON_REQUIRED.into()).await?);
    }
    let mut work = prove_after(&cx, work, (found.id, &hash), input.totp.as_ref()).await?;
    if !store::note_login(&mut work, found.id, &hash, cx.now()).await? {
        // The user was disabled or the password changed since it was read: retry.
        return Err(codes::AGAIN.into());
    }
    let (log_in, _) = open(&mut work, found.id).await?;
    work.proven(found.id);
    work.note(log_in.user.id, "logged_in");
    work.done(log_in).await
}

/// Ends the session whose token came with the request, at once and on every server.
pub async fn log_out(cx: Cx<PortalUser>, _: Nothing) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    session::end(&mut work, &cx.caller.session).await?;
    work.note(cx.caller.id, "logged_out");
    work.done(()).await
}

/// Accepts an invitation: sets the password and logs in. 422 `token_invalid` for a token that is
/// wrong, used or expired, 403 `sign_on_required` if the institution has switched passwords off.
pub async fn set_password(cx: Cx<Anyone>, input: NewPortalPassword) -> Result<Done<PortalLogIn>> {
    check_password(input.password.expose())?;
    let hash = hashed(&cx, &input.password).await?;
    let mut work = cx.begin().await?;
    let id = take_link(&mut work, Purpose::PortalInvitation, &input.token).await?;
    may_have_password(&mut work, id).await?;
    let account = store::find(&mut work, id).await?;
    let moved = account.status.on(PortalUserEvent::SetPassword)?;
    store::change_status(&mut work, id, moved, Some(hash), cx.now()).await?;
    remember_owner(&mut work, "compliance", &account.email).await?;
    work.proven(account.id);
    work.note(account.id, "invitation_accepted");
    let (log_in, _) = open(&mut work, id).await?;
    work.done(log_in).await
}

/// Mails a password-reset link if an active portal user has this e-mail, and may log in with a
/// password. The response and its timing are the same if none has.
pub async fn forgot_password(cx: Cx<Anyone>, input: ByEmail) -> Result<Done<()>> {
    let answered = Instant::now() + LINK_ANSWERED_AFTER;
    let mut work = cx.begin().await?;
    let found = store::by_email(&mut work, &input.email).await?;
    let found = found.filter(|found| found.status == PortalUserStatus::Active);
    if let Some(found) = found
        && providers::allows_passwords(&mut work, found.id).await?
    {
        let leave = mail::send_portal_reset(&mut work, found.id, &found.name, &input.email);
        if leave.await?.is_given() {
            work.note(found.id, "password_reset_requested");
        }
    }
    let done = work.done(()).await?;
    tokio::time::sleep_until(answered).await;
    Ok(done)
}

/// Sets a new password with the mailed token, ends every session of the portal user at once and
/// revokes the address of their calendar. 403 `sign_on_required` if the institution has switched
/// passwords off.
pub async fn change_password(cx: Cx<Anyone>, input: NewPortalPassword) -> Result<Done<()>> {
    check_password(input.password.expose())?;
    let hash = hashed(&cx, &input.password).await?;
    let mut work = cx.begin().await?;
    let id = take_link(&mut work, Purpose::PortalReset, &input.token).await?;
    may_have_password(&mut work, id).await?;
    if !store::set_password(&mut work, id, hash, cx.now()).await? {
        return Err(token_invalid());
    }
    session::end_all(&mut work, Audience::Compliance, id.get()).await?;
    calendar::revoke_of_officer(&mut work, id).await?;
    let account = store::find(&mut work, id).await?;
    remember_owner(&mut work, "compliance", &account.email).await?;
    lifting::confirmed(&mut work, &account.email).await?;
    work.note(id, "password_changed");
    work.done(()).await
}

pub(super) async fn hashed(cx: &Cx<Anyone>, password: &Password<12>) -> Result<String> {
    cx.hash(password.expose()).await
}

async fn take_link(work: &mut Work, purpose: Purpose, token: &Secret) -> Result<PortalUserId> {
    let now = work.now();
    let id = one_time::use_link(work, purpose, token, now).await?;
    PortalUserId::new(id).ok_or_else(token_invalid)
}

/// 403 `sign_on_required` if the institution has switched passwords off.
pub(super) async fn may_have_password(work: &mut Work, id: PortalUserId) -> Result<()> {
    if providers::allows_passwords(work, id).await? {
        return Ok(());
    }
    Err(codes::SIGN_ON_REQUIRED.into())
}

/// Opens a session for an active portal user; returns the log-in result, and the session's secret
/// name.
pub(crate) async fn open(work: &mut Work, id: PortalUserId) -> Result<(PortalLogIn, Secret)> {
    let platform = work.platform().clone();
    let now = work.now();
    let until = now + platform.config().token_lives;
    let audience = Audience::Compliance;
    let (subject, address) = (Some(id.get()), work.facts().address);
    let jti = session::open(work, &platform, audience, subject, None, until, address).await?;
    let user = store::find(work, id).await?;
    let vault = platform.vault();
    let token = vault.sign(audience, id.get(), user.role.as_str(), &jti, now, until)?;
    Ok((PortalLogIn { token, token_type: "Bearer", expires_at: until, user }, jti))
}
