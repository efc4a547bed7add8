//! What all registration steps share.

use super::super::mail::{self, Addressee};
use super::super::store::registration::{self as store, Registration};
use super::super::{LogIn, Progress, UserKind, signing_in};
use super::registration::{Name, Step, missing};
use crate::accounts::signing_in::log_in_queue::remember_owner;
use crate::auth::AnyRegistrant;
use crate::auth::one_time::{self, Purpose};
use crate::error::{Error, Result, codes};
use crate::kernel::{Phone, Secret, day_in};
use crate::notifications::allowance::Leave;
use crate::notifications::outbox::{Message, Recipient};
use crate::notifications::{Event, lifting};
use crate::operation::{Cx, Done, Work};
use crate::people::{ADULT, is_under};

/// The fields that can come with any step.
#[derive(Debug)]
pub(super) struct Names {
    pub first_name: Option<Name>,
    pub last_name: Option<Name>,
    pub phone: Option<Phone>,
}

/// A registration within the transaction of one step.
#[derive(Debug)]
pub(super) struct UnderWay {
    pub work: Work,
    pub registration: Registration,
    pub token: Secret,
}

impl UnderWay {
    /// Opens the step's transaction; 409 if the registration is finished.
    pub(super) async fn load(cx: &Cx<AnyRegistrant>) -> Result<Self> {
        let mut work = cx.begin().await?;
        let registration = store::under_way(&mut work, cx.caller.user_id).await?;
        Ok(Self { work, registration, token: cx.caller.token.clone() })
    }

    /// Takes over names and phone if present.
    pub(super) fn learn(&mut self, names: Names) {
        let known = &mut self.registration;
        known.first_name = names.first_name.map(Name::into_string).or(known.first_name.take());
        known.last_name = names.last_name.map(Name::into_string).or(known.last_name.take());
        known.phone = names.phone.map(|phone| phone.to_string()).or(known.phone.take());
    }

    fn missing(&self) -> Vec<String> {
        let registration = &self.registration;
        missing(registration.kind, &registration.done, registration.known())
    }

    /// 422 naming what is missing before the last step.
    pub(super) fn nothing_else_missing(&self) -> Result<()> {
        let last = Step::last(self.registration.kind);
        let mut missing = self.missing();
        missing.retain(|step| step != last.as_str());
        if missing.is_empty() { Ok(()) } else { Err(refuse_missing(&missing)) }
    }

    /// Commits a step that is not the last, and sends the code when it is due.
    pub(super) async fn complete(mut self, step: Step) -> Result<Done<Progress>> {
        if !self.registration.done.contains(&step) {
            self.registration.done.push(step);
            self.registration.done.sort_unstable();
        }
        let now = self.work.now();
        let missing = self.missing();
        let next = missing.first().map(String::as_str);
        store::save(&mut self.work, &self.registration, next, now).await?;
        self.send_code_in_time(step, &missing).await?;
        self.work.note(self.registration.id, step.as_str());
        let progress = Progress {
            id: self.registration.id,
            registration_token: self.token,
            completed_steps: self.registration.done,
            missing_steps: missing,
        };
        self.work.done(progress).await
    }

    /// Sends the code after its own step, and after any other step when only the code is missing
    /// and none was sent.
    async fn send_code_in_time(&mut self, step: Step, missing: &[String]) -> Result<()> {
        let kind = self.registration.kind;
        let Some(to) = addressee(&self.registration).filter(|_| kind != UserKind::Fan) else {
            return Ok(());
        };
        let id = self.registration.id.get();
        let now = self.work.now();
        let due = step.sends_code(kind)
            || (missing == [Step::last(kind).as_str()]
                && !one_time::has_code(&mut self.work, Purpose::Registration, id, now).await?);
        if due {
            self.registration.check_codes(now)?;
            mail::send_code(&mut self.work, &to).await?.or_refuse()?;
        }
        Ok(())
    }

    /// Commits the last step: the account is active and logged in. `verified`: whether the code was
    /// right.
    pub(super) async fn finish(mut self, verified: bool) -> Result<Done<LogIn>> {
        let now = self.work.now();
        let id = self.registration.id;
        let kind = self.registration.kind;
        store::save(&mut self.work, &self.registration, None, now).await?;
        store::finish(&mut self.work, &self.registration, verified, now).await?;
        match kind {
            UserKind::Athlete => self.open_athlete().await?,
            UserKind::Partner => store::open_partner(&mut self.work, id, now).await?,
            UserKind::Agent => {}
            UserKind::Fan => {
                if let Some(to) = addressee(&self.registration) {
                    let leave = mail::send_verification(&mut self.work, &to).await?;
                    self.note_unsent(leave, "verification_not_sent");
                }
            }
        }
        if verified {
            self.work.send(account_verified(id));
            if let Some(to) = addressee(&self.registration) {
                remember_owner(&mut self.work, "core", &to.email).await?;
                lifting::confirmed(&mut self.work, &to.email).await?;
            }
        }
        self.work.note(id, "registered");
        let profile = store::profile_id(&mut self.work, kind, id).await?;
        let log_in = signing_in::open(&mut self.work, id, kind, profile).await?;
        self.work.done(log_in).await
    }

    /// Opens the athlete's profile: adults are listed, minors are not until they are of age. The
    /// guardian is asked now, because the athlete's own e-mail is verified.
    async fn open_athlete(&mut self) -> Result<()> {
        let now = self.work.now();
        let athlete = store::new_athlete(&mut self.work, self.registration.id).await?;
        let born = athlete.date_of_birth;
        let minor = born.is_none_or(|born| is_under(ADULT, born, day_in(now, athlete.zone())));
        let first = self.registration.first_name.as_deref().unwrap_or_default();
        let last = self.registration.last_name.as_deref().unwrap_or_default();
        let name = format!("{} {}", first.trim(), last.trim());
        store::open_athlete(&mut self.work, &athlete, &name, !minor, now).await?;
        if let (Some(guardian), Some(address)) = (&athlete.guardian_name, &athlete.guardian_email) {
            let work = &mut self.work;
            let leave = mail::ask_guardian(work, athlete.id, &name, guardian, address).await?;
            self.note_unsent(leave, "guardian_not_asked");
        }
        Ok(())
    }

    /// Records a mail that the address's allowance did not permit. The registration must not fail
    /// because others had mails sent to the same address; the user can request the mail again.
    fn note_unsent(&mut self, leave: Leave, action: &'static str) {
        if !leave.is_given() {
            self.work.note(self.registration.id, action);
        }
    }
}

/// The message that the account is open.
pub(in crate::accounts) fn account_verified(id: crate::kernel::UserId) -> Message {
    Message::new(Event::AccountVerified, Recipient::User(id))
}

/// The recipient of a registration's mail, once the address is known.
pub(super) fn addressee(registration: &Registration) -> Option<Addressee> {
    Some(Addressee {
        user_id: registration.id,
        first_name: registration.first_name.clone(),
        email: registration.email.clone()?,
    })
}

/// 422 with a message for each missing item.
pub(super) fn refuse_missing(missing: &[String]) -> Error {
    let refusal = Error::from(codes::REGISTRATION_STEPS_MISSING);
    missing.iter().fold(refusal, |refusal, step| refusal.at(step.as_str(), "is missing"))
}
