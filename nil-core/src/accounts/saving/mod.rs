//! Operators open accounts for athletes, brands and agents, and change them.
//!
//! No operator gives a password: a new account's holder gets a mail with a link that chooses one.

pub mod agent;
pub mod athlete;
pub mod holder;
pub mod partner;

use super::edit_note::note_edit;
use super::registering::registration::Name;
use super::store::{registration, saving as store, user};
use super::{AccountRecord, UserEvent, UserKind, UserStatus, mail, suspension};
use crate::auth::Operator;
use crate::auth::one_time::{self, Purpose};
use crate::error::{Result, Wrong, codes};
use crate::kernel::{Identity, Machine as _, UserId};
use crate::keys::new_token;
use crate::operation::{Cx, Subject, Work};
use holder::{GivenStatus, Holder, Stored};

impl<Id> Holder<Id> {
    /// Adds what a new account lacks: what registration asks of everybody.
    fn check_new(&self, wrong: &mut Wrong) {
        wrong.needs("email", self.email.is_some());
        wrong.needs("first_name", self.first_name.is_some());
        wrong.needs("last_name", self.last_name.is_some());
        wrong.needs("phone", self.phone.is_some());
        if self.status == Some(GivenStatus::Suspended) {
            wrong.add("status", "must be `active` for a new account");
        }
    }

    /// The stored form of a password that nobody knows, for a new account: an active account has
    /// one, and the mailed link replaces it. Empty for a change. It takes long, so it comes before
    /// the transaction.
    async fn unknown_password(&self, cx: &Cx<Operator>) -> Result<String> {
        if self.id.is_some() {
            return Ok(String::new());
        }
        cx.hash(new_token(cx.platform().random()).expose()).await
    }

    /// Opens an account of this kind with an empty record. 409 `email_taken`.
    async fn open(&self, work: &mut Work, kind: UserKind, hash: String) -> Result<UserId> {
        let now = work.now();
        let id = registration::start(work, kind, None, now).await?;
        if let Some(email) = &self.email {
            registration::release_email(work, id, email, now).await?;
            registration::set_credentials(work, id, email, hash, now).await?;
        }
        store::write(work, id, self, now).await?;
        let moved = UserStatus::Onboarding.on(UserEvent::Finish)?;
        user::change_status(work, id, moved, now).await?;
        work.note(id, "opened_by_operator");
        Ok(id)
    }

    /// The holder's full name, for a new record.
    fn name(&self) -> String {
        let name = |part: &Option<Name>| part.as_deref().unwrap_or_default().trim().to_owned();
        format!("{} {}", name(&self.first_name), name(&self.last_name))
    }

    /// Mails a new account's holder the link that chooses a password. 429 `too_many_mails`.
    async fn invite(&self, work: &mut Work, id: UserId) -> Result<()> {
        let to = store::lock(work, id).await?.addressee()?;
        mail::invite_user(work, &to).await?.or_refuse()
    }

    /// The account and its profile before a change, locked. 409 `state_changed` if the caller has
    /// seen another one.
    async fn held(&self, work: &mut Work, id: UserId, record: Id) -> Result<AccountRecord>
    where
        Id: Identity + Into<Subject>,
    {
        store::lock(work, id).await?;
        let now = work.now();
        let before = AccountRecord::of(record, user::account(work, id, now).await?);
        let subjects = [id.into(), record.into()];
        work.both_as_seen(subjects, &before, self.revision.as_ref()).await?;
        Ok(before)
    }

    /// Writes the given fields to an account, and changes its status. 409 for an account that is
    /// still being registered or is closed, `email_taken`, and for a status that the account cannot
    /// get.
    async fn change(&self, work: &mut Work, id: UserId) -> Result<()> {
        let now = work.now();
        let before = store::lock(work, id).await?;
        if !matches!(before.status, UserStatus::Active | UserStatus::Suspended) {
            let sentence = "Only accounts that are active or suspended can be changed.";
            return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
        }
        let new = self.email.as_ref().filter(|new| before.email.as_deref() != Some(&***new));
        if let Some(email) = new {
            registration::release_email(work, id, email, now).await?;
        }
        store::write(work, id, self, now).await?;
        let event = match (self.status, before.status) {
            (Some(GivenStatus::Suspended), UserStatus::Active) => Some(UserEvent::Suspend),
            (Some(GivenStatus::Active), UserStatus::Suspended) => Some(UserEvent::Restore),
            _ => None,
        };
        if let Some(event) = event {
            suspension::change_status(work, id, event).await?;
        }
        let after = store::lock(work, id).await?;
        if after.is_other_than(&before) {
            note_edit(work, id, &before, &after);
        }
        if new.is_some() {
            moved(work, &before, &after).await?;
        }
        Ok(())
    }
}

/// What follows a new e-mail: sessions and mailed links end, both addresses are told, and the new
/// one is verified.
async fn moved(work: &mut Work, before: &Stored, after: &Stored) -> Result<()> {
    user::set_unverified(work, after.id).await?;
    one_time::void_link(work, Purpose::EmailVerification, after.id.get()).await?;
    suspension::shut_out(work, after.id).await?;
    let to = after.addressee()?;
    for address in before.email.iter().chain(&after.email) {
        mail::tell_user_of_new_address(work, &to, address);
    }
    if after.status == UserStatus::Active {
        mail::send_verification(work, &to).await?.or_refuse()?;
    }
    Ok(())
}
