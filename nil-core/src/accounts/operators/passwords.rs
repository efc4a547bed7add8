//! Operators' passwords: one-time passwords, and those that operators choose.

use schemars::JsonSchema;
use serde::Deserialize;

use super::operator::{OneTime, OperatorAccount};
use super::signing_in::{OperatorLogIn, open};
use super::two_step::enough_alone;
use super::{NewOperator, make};
use crate::accounts::signing_in::own_password::check_new;
use crate::accounts::store::{operator as store, two_step as steps};
use crate::accounts::two_step::with_password;
use crate::auth::{Anyone, Audience, OperatorSession, Permission, Principal, session};
use crate::error::{Result, codes};
use crate::kernel::{Email, OperatorId, Password, Secret, Text};
use crate::keys::{Presence, new_token};
use crate::operation::{Cx, Done, Work, run_typed};
use crate::platform::Platform;

/// The current and the new password of an operator.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChangeOperatorPassword {
    /// The current password.
    pub current_password: Password<1>,
    /// The new password: 15 to 128 characters (12 with two-step log-in), and not a common one.
    #[schemars(extend("examples" = ["a new and longer passphrase"]))]
    pub password: Password<12>,
}

/// Replaces the calling operator's password. Ends all of the operator's sessions and starts a new
/// one, as a log-in does: the response carries the cookie and the CSRF token. 422 if the current
/// password is wrong or the new one is the same.
pub async fn change(
    cx: Cx<OperatorSession>,
    input: ChangeOperatorPassword,
) -> Result<Done<OperatorLogIn>> {
    check_new(&input.password, &input.current_password)?;
    let id = cx.caller.id;
    let hash = cx.hash(input.password.expose()).await?;
    let (mut work, held) = with_password(&cx, id, &input.current_password).await?;
    if !held.is_on() {
        enough_alone("password", &input.password)?;
    }
    let operator = store::change_password(&mut work, id, &hash, cx.now()).await?;
    session::end_all(&mut work, Audience::Admin, id.get()).await?;
    let csrf_token = open(&mut work, id).await?;
    work.note(operator.id, "password_changed");
    work.done(OperatorLogIn::new(cx.platform(), operator, csrf_token, false)).await
}

/// Makes an operator with a one-time password and returns both. For a first run; 409 `email_taken`.
pub async fn create(
    platform: &Platform,
    email: Email,
    name: Text<1, 160>,
    permissions: Vec<Permission>,
) -> Result<(OperatorAccount, Secret)> {
    let password = new_password(platform);
    let new = NewOperator { email, name, permissions, one_time: Some(OneTime::Unused) };
    let operator = make(platform, new, password.expose()).await?;
    Ok((operator, password))
}

/// Gives an operator a one-time password, turns their two-step log-in off if wanted, and ends their
/// sessions. For the command line, where access to the host is the authorization. 404 for an
/// unknown operator.
pub async fn reset(
    platform: &Platform,
    email: Email,
    totp_off: bool,
) -> Result<(OperatorAccount, Secret)> {
    let password = new_password(platform);
    let random = platform.random();
    let hasher = platform.hasher();
    let hash = hasher.hash(password.expose(), random, Presence::default()).await?;
    let operation = async |cx: Cx<Anyone>, (email, hash): (Email, String)| {
        let mut work = cx.begin().await?;
        let id = store::id_of(&mut work, &email).await?;
        let id = id
            .ok_or_else(|| codes::NOT_FOUND.saying(format!("There is no operator {}.", &*email)))?;
        let operator = give(&mut work, id, &hash, totp_off).await?;
        work.done(operator).await
    };
    let nobody = Anyone(Principal::Anonymous);
    let done = run_typed(platform, nobody, "host".into(), operation, (email, hash)).await?;
    Ok((done.into_inner(), password))
}

/// Gives an operator this one-time password, turns their two-step log-in off if wanted, and ends
/// their sessions.
pub(crate) async fn give(
    work: &mut Work,
    id: OperatorId,
    hash: &str,
    totp_off: bool,
) -> Result<OperatorAccount> {
    let now = work.now();
    if totp_off {
        steps::turn_off(work, id, now).await?;
    }
    let operator = store::reset_password(work, id, hash, now).await?;
    session::end_all(work, Audience::Admin, id.get()).await?;
    work.note(id, if totp_off { "log_in_reset" } else { "password_reset" });
    Ok(operator)
}

/// Generates a password for an operator: 160 bits, in groups short enough for one line.
#[must_use]
pub fn new_password(platform: &Platform) -> Secret {
    let token = new_token(platform.random());
    let digits: Vec<char> = token.expose().chars().take(40).collect();
    let groups: Vec<String> = digits.chunks(8).map(|group| group.iter().collect()).collect();
    Secret::new(groups.join("-"))
}
