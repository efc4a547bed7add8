//! Two-step log-in of operators and of portal users: a password, and the code of an authenticator
//! app (contract: *Authentication*).
//!
//! An account gets a secret, its user enters it in the app, and confirms with a first code; from
//! then on every log-in needs a code. A code works once. Ten recovery codes stand in for a lost
//! app, each once. After [`MOST_WRONG`] wrong codes in a row only a recovery code helps: whoever
//! guesses codes knows the password already.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::signing_in::own_password::check_current;
use super::store::two_step::{self as store, Held, Stepped};
use crate::auth::totp::{SharedSecret, recovery_codes, recovery_mark, recovery_marks};
use crate::auth::{Caller, Operator, OperatorSession, PortalUser, session};
use crate::backoffice::site;
use crate::error::{Result, codes};
use crate::kernel::{Email, Identity as _, OperatorId, Password, PortalUserId, Secret};
use crate::operation::{Cx, Done, Work};

/// The number of wrong codes in a row after which codes of the app are refused.
const MOST_WRONG: i64 = 20;

/// A caller whose log-in can have two steps.
pub trait TwoStepCaller: Caller {
    /// The id of their account.
    type Id: Stepped;

    /// Their account, and the stored name of their session.
    fn account(&self) -> (Self::Id, &str);
}

impl TwoStepCaller for Operator {
    type Id = OperatorId;

    fn account(&self) -> (OperatorId, &str) {
        (self.id, &self.session)
    }
}

impl TwoStepCaller for OperatorSession {
    type Id = OperatorId;

    fn account(&self) -> (OperatorId, &str) {
        (self.id, &self.session)
    }
}

impl TwoStepCaller for PortalUser {
    type Id = PortalUserId;

    fn account(&self) -> (PortalUserId, &str) {
        (self.id, &self.session)
    }
}

/// E-mail and password, and the second step if it is on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct TwoStepLogInInput {
    /// The account's e-mail.
    pub email: Email,
    /// Its password.
    pub password: Password<1>,
    /// The six digits that the authenticator app shows, or a recovery code. Needed if two-step
    /// log-in is on.
    #[schemars(extend("examples" = ["492039"]))]
    pub totp: Option<Password<6>>,
}

/// The caller's password.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct StartTotp {
    /// The current password.
    pub current_password: Password<1>,
}

/// A secret for an authenticator app.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct TotpSecret {
    /// The secret in base 32, for typing it into the app.
    pub secret: Secret,
    /// The address (`otpauth://totp/…`) to show as a QR code: six digits, 30 seconds, SHA-1.
    pub uri: Secret,
}

/// The first code of an authenticator app.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ConfirmTotp {
    /// The six digits that the app shows.
    #[schemars(extend("examples" = ["492039"]))]
    pub totp: Password<6>,
}

/// Both steps once more.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct BothSteps {
    /// The current password.
    pub current_password: Password<1>,
    /// The six digits that the authenticator app shows, or a recovery code.
    #[schemars(extend("examples" = ["492039"]))]
    pub totp: Password<6>,
}

/// New recovery codes, shown here only.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct NewRecoveryCodes {
    /// Ten codes; each logs in once instead of a code of the app. Earlier ones are void.
    pub recovery_codes: Vec<Secret>,
}

/// Makes a secret for the caller's authenticator app; an earlier one that was not confirmed is
/// void. Nothing changes at log-in before `/totp/confirm`. 422 if the password is wrong, 409
/// `totp_on` if two-step log-in is on.
pub async fn start<C: TwoStepCaller>(cx: Cx<C>, input: StartTotp) -> Result<Done<TotpSecret>> {
    let (id, _) = cx.caller.account();
    let (mut work, held) = with_password(&cx, id, &input.current_password).await?;
    if held.is_on() {
        return Err(codes::TOTP_ON.into());
    }
    let shared = SharedSecret::new(cx.platform().random())?;
    let sealed = shared.seal(cx.platform().vault(), id)?;
    store::start(&mut work, id, sealed, cx.now()).await?;
    let site = site::letterhead(&mut work).await?.name;
    let uri = shared.address(&site, &held.email)?;
    work.note(id, "totp_started");
    work.done(TotpSecret { secret: shared.typed(), uri }).await
}

/// Turns the caller's two-step log-in on with a first code, ends their other sessions, and returns
/// recovery codes. 409 `totp_not_started` without a secret, 409 `totp_on` if it is on, 401
/// `totp_invalid` for a wrong code.
pub async fn confirm<C: TwoStepCaller>(
    cx: Cx<C>,
    input: ConfirmTotp,
) -> Result<Done<NewRecoveryCodes>> {
    let (id, own) = cx.caller.account();
    let mut work = cx.begin().await?;
    let held = store::lock(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
    if held.is_on() {
        return Err(codes::TOTP_ON.into());
    }
    let sealed = held.totp_secret.as_deref().ok_or(codes::TOTP_NOT_STARTED)?;
    let shared = SharedSecret::open(cx.platform().vault(), id, sealed)?;
    let step = shared.step(input.totp.expose(), cx.now()).ok_or(codes::TOTP_INVALID)?;
    store::turn_on(&mut work, id, step, cx.now()).await?;
    session::end_others(&mut work, C::Id::AUDIENCE, id.number(), own).await?;
    let made = new_codes(&mut work, id).await?;
    work.note(id, "totp_turned_on");
    work.done(made).await
}

/// Replaces the caller's recovery codes. 422 if the password is wrong, 401 `totp_invalid` for a
/// wrong code, 409 `totp_not_on`.
pub async fn replace_codes<C: TwoStepCaller>(
    cx: Cx<C>,
    input: BothSteps,
) -> Result<Done<NewRecoveryCodes>> {
    let mut work = with_both(&cx, &input).await?;
    let (id, _) = cx.caller.account();
    let made = new_codes(&mut work, id).await?;
    work.note(id, "recovery_codes_replaced");
    work.done(made).await
}

/// Turns the caller's two-step log-in off. 422 if the password is wrong, 401 `totp_invalid` for a
/// wrong code, 409 `totp_not_on`.
pub async fn turn_off<C: TwoStepCaller>(cx: Cx<C>, input: BothSteps) -> Result<Done<()>> {
    let mut work = with_both(&cx, &input).await?;
    let (id, _) = cx.caller.account();
    store::turn_off(&mut work, id, cx.now()).await?;
    work.note(id, "totp_turned_off");
    work.done(()).await
}

/// Checks the caller's password and opens the transaction with their row locked.
pub(super) async fn with_password<C: Caller, I: Stepped>(
    cx: &Cx<C>,
    id: I,
    password: &Password<1>,
) -> Result<(Work, Held)> {
    let mut session = cx.read().await?;
    let before = store::read(&mut session, id).await?.and_then(|held| held.password_hash);
    drop(session);
    check_current(cx, password, before.as_deref()).await?;
    let mut work = cx.begin().await?;
    let held = store::lock(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
    // The password changed since it was read: retry.
    let held = Some(held).filter(|held| held.password_hash == before);
    Ok((work, held.ok_or(codes::AGAIN)?))
}

async fn with_both<C: TwoStepCaller>(cx: &Cx<C>, input: &BothSteps) -> Result<Work> {
    let (id, _) = cx.caller.account();
    let (work, held) = with_password(cx, id, &input.current_password).await?;
    if !held.is_on() {
        return Err(codes::TOTP_NOT_ON.into());
    }
    prove(cx, work, (id, &held), Some(&input.totp)).await
}

async fn new_codes<I: Stepped>(work: &mut Work, id: I) -> Result<NewRecoveryCodes> {
    let platform = work.platform().clone();
    let made = recovery_codes(platform.random());
    let marks = made.iter().map(|code| recovery_mark(platform.vault(), id, code.expose()));
    let marks = marks.collect();
    store::replace_codes(work, id, marks).await?;
    Ok(NewRecoveryCodes { recovery_codes: made })
}

/// Checks the second step of a log-in whose password was right, with this hash.
pub(super) async fn prove_after<C: Caller, I: Stepped>(
    cx: &Cx<C>,
    mut work: Work,
    (id, hash): (I, &str),
    code: Option<&Password<6>>,
) -> Result<Work> {
    // If the account was disabled or the password changed since it was read: retry.
    let held = store::lock(&mut work, id).await?.filter(|held| held.has(hash));
    prove(cx, work, (id, &held.ok_or(codes::AGAIN)?), code).await
}

/// Checks the second step, if it is on. A right code is used up in this transaction; a wrong one
/// rolls it back and is counted and noted in another. 401 `totp_required` or `totp_invalid`, 403
/// `totp_blocked`.
async fn prove<C: Caller, I: Stepped>(
    cx: &Cx<C>,
    mut work: Work,
    (id, held): (I, &Held),
    code: Option<&Password<6>>,
) -> Result<Work> {
    let Some(sealed) = held.totp_secret.as_deref().filter(|_| held.is_on()) else {
        return Ok(work);
    };
    let code = code.ok_or(codes::TOTP_REQUIRED)?.expose();
    let vault = cx.platform().vault();
    let is_blocked = held.totp_failures >= MOST_WRONG;
    let step = SharedSecret::open(vault, id, sealed)?.step(code, cx.now());
    if let Some(step) = step.filter(|step| *step > held.totp_step && !is_blocked) {
        store::note_right(&mut work, id, step).await?;
        return Ok(work);
    }
    let marks = recovery_marks(vault, id, code);
    if store::use_code(&mut work, id, marks).await? {
        store::note_right(&mut work, id, held.totp_step).await?;
        work.note(id, "recovery_code_used");
        return Ok(work);
    }
    drop(work);
    let mut work = cx.begin().await?;
    store::note_wrong(&mut work, id).await?;
    work.note(id, "second_step_refused");
    let refusal = if is_blocked { codes::TOTP_BLOCKED } else { codes::TOTP_INVALID };
    Err(work.refused(refusal.into()).await?)
}
