//! The mails of accounts. Each carries a secret, so each is sealed and is erased when the secret
//! expires. Each counts against the address's mail allowance. When the allowance is used up, no new
//! secret is made either, so the secret sent before stays valid.

use chrono::TimeDelta;

use super::store::portal_user::PortalCredentials;
use super::{PortalAccount, PortalRegistration};
use crate::auth::one_time::{self, Purpose};
use crate::auth::session::REGISTRATION_LIVES;
use crate::error::Result;
use crate::kernel::{AthleteId, Email, PortalUserId, Secret, Time, UserId};
use crate::notifications::Event;
use crate::notifications::allowance::{self, Leave};
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::platform::Platform;

/// How long a one-time code is valid.
const CODE_MINUTES: i64 = 10;
/// How long a link for e-mail verification or consent is valid.
const LINK_LIVES: TimeDelta = TimeDelta::days(7);
/// How long a password-reset link is valid.
const RESET_LIVES: TimeDelta = TimeDelta::hours(1);

/// A user and the address to write to.
#[derive(Clone, Debug)]
pub(super) struct Addressee {
    pub user_id: UserId,
    pub first_name: Option<String>,
    pub email: String,
}

impl Addressee {
    fn message(&self, event: Event) -> Message {
        let message = Message::new(event, Recipient::User(self.user_id));
        match &self.first_name {
            Some(name) => message.with("first_name", name.as_str()),
            None => message,
        }
    }
}

/// The URL of a page that takes a link's token.
pub(super) fn page(platform: &Platform, name: &str, token: &Secret) -> String {
    let base = platform.config().pages_url(name.starts_with("compliance/"));
    format!("{base}/{name}?token={}", token.expose())
}

/// Makes a new code for a registration and mails it; earlier codes become void.
pub(super) async fn send_code(work: &mut Work, to: &Addressee) -> Result<Leave> {
    let leave = allowance::take(work, &to.email).await?;
    if !leave.is_given() {
        return Ok(leave);
    }
    let platform = work.platform().clone();
    let subject = to.user_id.get();
    let code = one_time::new_code(work, &platform, Purpose::Registration, subject).await?;
    let until = work.now() + TimeDelta::minutes(CODE_MINUTES);
    let message = to
        .message(Event::OtpSent)
        .with("code", code.expose())
        .with("minutes", CODE_MINUTES)
        .sealed_mail(to.email.as_str(), until);
    work.send(message);
    Ok(leave)
}

/// A link that works once: the mail that has it, what it is for, the page that it opens, and how
/// long it works.
struct Link {
    event: Event,
    purpose: Purpose,
    page: &'static str,
    lives: TimeDelta,
}

/// Mails a new link; earlier ones for the same purpose become void. The text says what `say` adds,
/// which learns when the link ends.
async fn send_link(
    work: &mut Work,
    to: &Addressee,
    link: Link,
    say: impl FnOnce(Message, Time) -> Message,
) -> Result<Leave> {
    let leave = allowance::take(work, &to.email).await?;
    if !leave.is_given() {
        return Ok(leave);
    }
    let platform = work.platform().clone();
    let subject = to.user_id.get();
    let token = one_time::new_link(work, &platform, link.purpose, subject, link.lives).await?;
    let until = work.now() + link.lives;
    let message =
        say(to.message(link.event), until).with("url", page(&platform, link.page, &token));
    work.send(message.sealed_mail(to.email.as_str(), until));
    Ok(leave)
}

/// Mails a link that verifies the account's e-mail.
pub(super) async fn send_verification(work: &mut Work, to: &Addressee) -> Result<Leave> {
    let (event, purpose) = (Event::EmailVerify, Purpose::EmailVerification);
    let link = Link { event, purpose, page: "verify-email", lives: LINK_LIVES };
    send_link(work, to, link, |message, _| message).await
}

/// Mails a link that sets a new password.
pub(super) async fn send_reset(work: &mut Work, to: &Addressee) -> Result<Leave> {
    let (event, purpose) = (Event::PasswordReset, Purpose::PasswordReset);
    let link = Link { event, purpose, page: "reset-password", lives: RESET_LIVES };
    let minutes = RESET_LIVES.num_minutes();
    send_link(work, to, link, |message, _| message.with("minutes", minutes)).await
}

/// Mails the holder of an account that an operator opened a link that chooses the first password.
pub(super) async fn invite_user(work: &mut Work, to: &Addressee) -> Result<Leave> {
    let (event, purpose) = (Event::AccountInvited, Purpose::PasswordReset);
    let link = Link { event, purpose, page: "reset-password", lives: LINK_LIVES };
    send_link(work, to, link, |message, until| message.with("expires_on", readable(until))).await
}

/// Tells one of its addresses that an account's e-mail has changed. The mail does not name the
/// other address.
pub(super) fn tell_user_of_new_address(work: &mut Work, to: &Addressee, address: &str) {
    let mut message =
        Message::new(Event::AccountEmailChanged, Recipient::Email(address.to_owned()));
    if let Some(name) = &to.first_name {
        message = message.with("first_name", name.as_str());
    }
    work.send(message);
}

/// Mails the guardian of a minor a link to consent.
pub(super) async fn ask_guardian(
    work: &mut Work,
    athlete: AthleteId,
    athlete_name: &str,
    name: &str,
    address: &str,
) -> Result<Leave> {
    let leave = allowance::take(work, address).await?;
    if !leave.is_given() {
        return Ok(leave);
    }
    let platform = work.platform().clone();
    let purpose = Purpose::GuardianConsent;
    let token = one_time::new_link(work, &platform, purpose, athlete.get(), LINK_LIVES).await?;
    let until = work.now() + LINK_LIVES;
    let message = Message::new(Event::GuardianConsent, Recipient::Email(address.to_owned()))
        .with("first_name", name)
        .with("athlete_name", athlete_name)
        .with("expires_on", readable(until))
        .with("url", page(&platform, "guardian-consent", &token))
        .sealed_mail(address, until);
    work.send(message);
    Ok(leave)
}

/// Mails a link for accepting an invitation to the compliance portal; earlier links become void. An
/// invitation without an inviter's name is of the team of the site.
pub(super) async fn invite_portal_user(
    work: &mut Work,
    account: &PortalAccount,
    college: &str,
    invited_by: Option<String>,
) -> Result<Leave> {
    let leave = allowance::take(work, &account.email).await?;
    if !leave.is_given() {
        return Ok(leave);
    }
    let platform = work.platform().clone();
    let purpose = Purpose::PortalInvitation;
    let subject = account.id.get();
    let token = one_time::new_link(work, &platform, purpose, subject, LINK_LIVES).await?;
    let until = work.now() + LINK_LIVES;
    let mut message = Message::new(Event::PortalUserInvited, Recipient::Portal(account.id))
        .with("first_name", account.name.as_str())
        .with("college_name", college)
        .with("role", account.role.as_str())
        .with("expires_on", readable(until))
        .with("url", page(&platform, "compliance/set-password", &token))
        .sealed_mail(account.email.as_str(), until);
    if let Some(name) = invited_by {
        message = message.with("invited_by", name);
    }
    work.send(message);
    Ok(leave)
}

/// Mails a portal user a link that sets a new password.
pub(super) async fn send_portal_reset(
    work: &mut Work,
    id: PortalUserId,
    name: &str,
    email: &Email,
) -> Result<Leave> {
    let leave = allowance::take(work, email).await?;
    if !leave.is_given() {
        return Ok(leave);
    }
    let platform = work.platform().clone();
    let purpose = Purpose::PortalReset;
    let token = one_time::new_link(work, &platform, purpose, id.get(), RESET_LIVES).await?;
    let message = Message::new(Event::PasswordReset, Recipient::Portal(id))
        .with("first_name", name)
        .with("minutes", RESET_LIVES.num_minutes())
        .with("url", page(&platform, "compliance/change-password", &token))
        .sealed_mail(email.to_string(), work.now() + RESET_LIVES);
    work.send(message);
    Ok(leave)
}

/// Mails a link that confirms the e-mail of a registration for the compliance portal.
pub(super) async fn confirm_portal_registration(
    work: &mut Work,
    registration: &PortalRegistration,
    college: &str,
) -> Result<()> {
    let platform = work.platform().clone();
    let purpose = Purpose::PortalRegistration;
    let (id, lives) = (registration.registration_id, REGISTRATION_LIVES);
    let token = one_time::new_link(work, &platform, purpose, id, lives).await?;
    let to = Recipient::Email(registration.email.clone());
    let message = Message::new(Event::PortalUserConfirm, to)
        .with("first_name", registration.name.as_str())
        .with("college_name", college)
        .with("hours", lives.num_hours())
        .with("url", page(&platform, "compliance/verify-email", &token))
        .sealed_mail(registration.email.as_str(), work.now() + lives);
    work.send(message);
    Ok(())
}

/// Warns a portal user of an attempt to register with their e-mail.
pub(super) fn tell_of_registration(work: &mut Work, known: &PortalCredentials, email: &Email) {
    let to = Recipient::Email(email.to_string());
    let message = Message::new(Event::PortalUserKnown, to).with("first_name", known.name.as_str());
    work.send(message);
}

/// Notifies the old and the new address that a portal user's e-mail has changed. Neither mail names
/// the other address.
pub(super) fn tell_of_new_address(
    work: &mut Work,
    account: &PortalAccount,
    before: &str,
    college: &str,
) {
    for address in [before, account.email.as_str()] {
        let to = Recipient::Email(address.to_owned());
        let message = Message::new(Event::PortalUserEmailChanged, to)
            .with("first_name", account.name.as_str())
            .with("college_name", college);
        work.send(message);
    }
}

/// Formats a date in the style of the United States.
fn readable(at: Time) -> String {
    at.format("%B %-d, %Y").to_string()
}
