//! Two-step log-in of operators: a password, and the code of an authenticator app (contract:
//! *Authentication*).
//!
//! An operator gets a secret, enters it in the app, and confirms with a first code; from then on
//! every log-in needs a code. A code works once. Ten recovery codes stand in for a lost app, each
//! once. After [`MOST_WRONG`] wrong codes in a row only a recovery code helps: whoever guesses
//! codes knows the password already.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::signing_in::own_password::check_current;
use crate::accounts::store::operator as operators;
use crate::accounts::store::two_step::{self as store, Held};
use crate::auth::totp::{SharedSecret, recovery_codes, recovery_mark};
use crate::auth::{Audience, Caller, Operator, OperatorSession, session};
use crate::backoffice::site;
use crate::error::{Error, Result, codes};
use crate::kernel::{OperatorId, Password, Secret};
use crate::operation::{Cx, Done, Work};

/// The number of wrong codes in a row after which codes of the app are refused.
const MOST_WRONG: i64 = 20;
/// The shortest password of an operator without two-step log-in.
const SHORTEST_ALONE: usize = 15;

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
pub async fn start(cx: Cx<OperatorSession>, input: StartTotp) -> Result<Done<TotpSecret>> {
    let id = cx.caller.id;
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
pub async fn confirm(
    cx: Cx<OperatorSession>,
    input: ConfirmTotp,
) -> Result<Done<NewRecoveryCodes>> {
    let OperatorSession { id, session } = &cx.caller;
    let mut work = cx.begin().await?;
    let held = store::lock(&mut work, *id).await?.ok_or(codes::NOT_FOUND)?;
    if held.is_on() {
        return Err(codes::TOTP_ON.into());
    }
    let sealed = held.totp_secret.as_deref().ok_or(codes::TOTP_NOT_STARTED)?;
    let shared = SharedSecret::open(cx.platform().vault(), *id, sealed)?;
    let step = shared.step(input.totp.expose(), cx.now()).ok_or(codes::TOTP_INVALID)?;
    store::turn_on(&mut work, *id, step, cx.now()).await?;
    session::end_others(&mut work, Audience::Admin, id.get(), session).await?;
    let made = new_codes(&mut work, *id).await?;
    work.note(*id, "totp_turned_on");
    work.done(made).await
}

/// Replaces the caller's recovery codes. 422 if the password is wrong, 401 `totp_invalid` for a
/// wrong code, 409 `totp_not_on`.
pub async fn replace_codes(cx: Cx<Operator>, input: BothSteps) -> Result<Done<NewRecoveryCodes>> {
    let id = cx.caller.id;
    let (mut work, _) = with_both(&cx, id, &input).await?;
    let made = new_codes(&mut work, id).await?;
    work.note(id, "recovery_codes_replaced");
    work.done(made).await
}

/// Turns the caller's two-step log-in off. 422 if the password is wrong or too short to be enough
/// alone (15 characters), 401 `totp_invalid` for a wrong code, 409 `totp_not_on`, 409
/// `totp_compulsory` if this platform requires it.
pub async fn turn_off(cx: Cx<Operator>, input: BothSteps) -> Result<Done<()>> {
    if cx.platform().config().operators_need_totp {
        return Err(codes::TOTP_COMPULSORY.into());
    }
    let id = cx.caller.id;
    let (mut work, _) = with_both(&cx, id, &input).await?;
    enough_alone("current_password", &input.current_password)?;
    store::turn_off(&mut work, id, cx.now()).await?;
    work.note(id, "totp_turned_off");
    work.done(()).await
}

/// 422 for a password that is too short without a second step.
pub(super) fn enough_alone<const MIN: usize>(
    field: &'static str,
    password: &Password<MIN>,
) -> Result<()> {
    if password.expose().chars().count() < SHORTEST_ALONE {
        let why = "must be 15 to 128 characters long without two-step log-in";
        return Err(Error::invalid(field, why));
    }
    Ok(())
}

/// Checks the caller's password and opens the transaction with their row locked.
pub(super) async fn with_password<C: Caller>(
    cx: &Cx<C>,
    id: OperatorId,
    password: &Password<1>,
) -> Result<(Work, Held)> {
    let mut session = cx.read().await?;
    let before = operators::password_of(&mut session, id).await?;
    drop(session);
    check_current(cx, password, before.as_deref()).await?;
    let mut work = cx.begin().await?;
    let held = store::lock(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
    // The password changed since it was read: retry.
    let held = Some(held).filter(|held| Some(&held.password_hash) == before.as_ref());
    Ok((work, held.ok_or(codes::AGAIN)?))
}

async fn with_both<C: Caller>(
    cx: &Cx<C>,
    id: OperatorId,
    input: &BothSteps,
) -> Result<(Work, Held)> {
    let (work, held) = with_password(cx, id, &input.current_password).await?;
    if !held.is_on() {
        return Err(codes::TOTP_NOT_ON.into());
    }
    let work = prove(cx, work, &held, Some(&input.totp)).await?;
    Ok((work, held))
}

async fn new_codes(work: &mut Work, id: OperatorId) -> Result<NewRecoveryCodes> {
    let platform = work.platform().clone();
    let made = recovery_codes(platform.random());
    let marks = made.iter().map(|code| recovery_mark(platform.vault(), id, code.expose()));
    let marks = marks.collect();
    store::replace_codes(work, id, marks).await?;
    Ok(NewRecoveryCodes { recovery_codes: made })
}

/// Checks the second step, if it is on. A right code is used up in this transaction; a wrong one
/// rolls it back and is counted and noted in another. 401 `totp_required` or `totp_invalid`, 403
/// `totp_blocked`.
pub(crate) async fn prove<C: Caller>(
    cx: &Cx<C>,
    mut work: Work,
    held: &Held,
    code: Option<&Password<6>>,
) -> Result<Work> {
    let Some(sealed) = held.totp_secret.as_deref().filter(|_| held.is_on()) else {
        return Ok(work);
    };
    let code = code.ok_or(codes::TOTP_REQUIRED)?.expose();
    let vault = cx.platform().vault();
    let is_blocked = held.totp_failures >= MOST_WRONG;
    let step = SharedSecret::open(vault, held.id, sealed)?.step(code, cx.now());
    if let Some(step) = step.filter(|step| *step > held.totp_step && !is_blocked) {
        store::note_right(&mut work, held.id, step).await?;
        return Ok(work);
    }
    let mark = recovery_mark(vault, held.id, code);
    if store::use_code(&mut work, held.id, mark).await? {
        store::note_right(&mut work, held.id, held.totp_step).await?;
        work.note(held.id, "recovery_code_used");
        return Ok(work);
    }
    drop(work);
    let mut work = cx.begin().await?;
    store::note_wrong(&mut work, held.id).await?;
    work.note(held.id, "second_step_refused");
    let refusal = if is_blocked { codes::TOTP_BLOCKED } else { codes::TOTP_INVALID };
    Err(work.refused(refusal.into()).await?)
}
