//! Registration, step by step. A token carries it, steps can come in any order, the last one logs
//! in.

pub mod agent;
pub mod athlete;
pub mod athlete_steps;
pub mod consenting;
pub mod fan;
mod lapsing;
pub mod partner;
pub(super) mod progress;
pub(super) mod registration;

use schemars::JsonSchema;
use serde::Deserialize;

pub use self::lapsing::forget_lapsed;
use self::progress::{Names, UnderWay};
use self::registration::Step;
use super::store::registration as store;
use super::{LogIn, Progress, UserKind, mail};
use crate::auth::one_time::{self, Purpose};
use crate::auth::session::REGISTRATION_LIVES;
use crate::auth::{AnyRegistrant, Anyone, NewAgent, NewAthlete, NewFan, NewPartner, is_common};
use crate::error::{Error, Result, codes};
use crate::kernel::{Code6, Email, Password, Phone, Text};
use crate::keys::{fingerprint, new_token};
use crate::operation::{Cx, Done};
use registration::Name;

/// The start of a registration. Names and phone can also come with any later step.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Start {
    /// First name.
    pub first_name: Option<Name>,
    /// Last name.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
    /// The referral code of the recommending user.
    pub referral_code: Option<Text<1, 60>>,
}

/// E-mail and password of a new account.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Credentials {
    /// The e-mail to log in with.
    pub email: Email,
    /// The password: 8 to 128 characters, and not a common one.
    pub password: Password<8>,
    /// First name.
    pub first_name: Option<Name>,
    /// Last name.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
}

/// The mailed code.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Verify {
    /// Six digits.
    pub otp: Code6,
    /// First name.
    pub first_name: Option<Name>,
    /// Last name.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
}

/// An empty body; the registration token is enough.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct ResendCode {}

/// Begins an athlete's registration (contract: *Registration*).
pub async fn start_athlete(cx: Cx<Anyone>, input: Start) -> Result<Done<Progress>> {
    start(cx, UserKind::Athlete, input).await
}

/// Begins a brand's registration.
pub async fn start_partner(cx: Cx<Anyone>, input: Start) -> Result<Done<Progress>> {
    start(cx, UserKind::Partner, input).await
}

/// Begins an agent's registration.
pub async fn start_agent(cx: Cx<Anyone>, input: Start) -> Result<Done<Progress>> {
    start(cx, UserKind::Agent, input).await
}

/// Begins a fan's registration.
pub async fn start_fan(cx: Cx<Anyone>, input: Start) -> Result<Done<Progress>> {
    start(cx, UserKind::Fan, input).await
}

/// Saves an athlete's e-mail and password.
pub async fn athlete_credentials(cx: Cx<NewAthlete>, input: Credentials) -> Result<Done<Progress>> {
    set_credentials(cx.by(cx.caller.clone().into()), input).await
}

/// Saves a brand's e-mail and password.
pub async fn partner_credentials(cx: Cx<NewPartner>, input: Credentials) -> Result<Done<Progress>> {
    set_credentials(cx.by(cx.caller.clone().into()), input).await
}

/// Saves an agent's e-mail and password.
pub async fn agent_credentials(cx: Cx<NewAgent>, input: Credentials) -> Result<Done<Progress>> {
    set_credentials(cx.by(cx.caller.clone().into()), input).await
}

/// Saves a fan's e-mail and password.
pub async fn fan_credentials(cx: Cx<NewFan>, input: Credentials) -> Result<Done<Progress>> {
    set_credentials(cx.by(cx.caller.clone().into()), input).await
}

/// Finishes an athlete's registration with the mailed code.
pub async fn verify_athlete(cx: Cx<NewAthlete>, input: Verify) -> Result<Done<LogIn>> {
    verify(cx.by(cx.caller.clone().into()), input).await
}

/// Finishes a brand's registration with the mailed code.
pub async fn verify_partner(cx: Cx<NewPartner>, input: Verify) -> Result<Done<LogIn>> {
    verify(cx.by(cx.caller.clone().into()), input).await
}

/// Finishes an agent's registration with the mailed code.
pub async fn verify_agent(cx: Cx<NewAgent>, input: Verify) -> Result<Done<LogIn>> {
    verify(cx.by(cx.caller.clone().into()), input).await
}

/// Mails a new code; earlier codes become void. 422 without an e-mail to send it to, and for fans,
/// who get a link instead.
pub async fn resend_code(cx: Cx<AnyRegistrant>, _: ResendCode) -> Result<Done<()>> {
    let UnderWay { mut work, registration, .. } = UnderWay::load(&cx).await?;
    registration.check_codes(cx.now())?;
    if registration.kind == UserKind::Fan {
        return Err(Error::from(codes::VALIDATION_FAILED)
            .at("registration_token", "belongs to a fan, who gets a link instead of a code"));
    }
    let Some(to) = progress::addressee(&registration) else {
        return Err(progress::refuse_missing(&["step2".to_owned()]));
    };
    mail::send_code(&mut work, &to).await?.or_refuse()?;
    work.note(registration.id, "code_resent");
    work.done(()).await
}

async fn start(cx: Cx<Anyone>, kind: UserKind, input: Start) -> Result<Done<Progress>> {
    let mut work = cx.begin().await?;
    let now = cx.now();
    let names =
        Names { first_name: input.first_name, last_name: input.last_name, phone: input.phone };
    let referral = input.referral_code.map(Text::into_string);
    let id = store::start(&mut work, kind, referral, now).await?;
    let token = new_token(cx.platform().random());
    let hash = fingerprint(token.expose());
    store::open(&mut work, id, hash, now + REGISTRATION_LIVES).await?;
    work.note(id, "registration_started");
    let registration = store::under_way(&mut work, id).await?;
    let mut under_way = UnderWay { work, registration, token };
    under_way.learn(names);
    under_way.complete(Step::Register).await
}

/// Refuses common passwords: 422 at `password`.
pub(super) fn check_password(password: &str) -> Result<()> {
    if is_common(password) {
        return Err(Error::invalid("password", "is too common; choose another password"));
    }
    Ok(())
}

async fn set_credentials(cx: Cx<AnyRegistrant>, input: Credentials) -> Result<Done<Progress>> {
    check_password(input.password.expose())?;
    let hash = cx.hash(input.password.expose()).await?;
    let mut under_way = UnderWay::load(&cx).await?;
    under_way.learn(Names {
        first_name: input.first_name,
        last_name: input.last_name,
        phone: input.phone,
    });
    let UnderWay { work, registration, .. } = &mut under_way;
    if registration.kind == UserKind::Athlete {
        let athlete = store::new_athlete(work, registration.id).await?;
        if athlete.guardian_email.as_deref() == Some(&*input.email) {
            return Err(Error::invalid("email", "must not be the guardian's"));
        }
    }
    store::release_email(work, registration.id, &input.email, cx.now()).await?;
    store::set_credentials(work, registration.id, &input.email, hash, cx.now()).await?;
    if registration.email.as_deref() != Some(&*input.email) {
        // A code that went to the old address must not verify the new one.
        one_time::void_code(work, Purpose::Registration, registration.id.get()).await?;
        registration.email = Some(input.email.to_string());
    }
    under_way.complete(Step::Step2).await
}

async fn verify(cx: Cx<AnyRegistrant>, input: Verify) -> Result<Done<LogIn>> {
    let mut under_way = UnderWay::load(&cx).await?;
    under_way.learn(Names {
        first_name: input.first_name,
        last_name: input.last_name,
        phone: input.phone,
    });
    under_way.nothing_else_missing()?;
    under_way.registration.check_codes(cx.now())?;
    let id = under_way.registration.id.get();
    let platform = cx.platform();
    let tried =
        one_time::try_code(&mut under_way.work, platform, Purpose::Registration, id, &input.otp)
            .await?;
    if tried.was_a_guess() {
        store::note_wrong_code(&mut under_way.work, &under_way.registration).await?;
    }
    match tried.refusal() {
        None => under_way.finish(true).await,
        // The failed attempt must count, so it is committed with the refusal.
        Some(refusal) => Err(under_way.work.refused(refusal).await?),
    }
}
