//! Passwords of operators: those that are shown once and log in once, and those that operators choose.

use schemars::JsonSchema;
use serde::Deserialize;

use super::operators::{NewOperator, OperatorAccount, OperatorLogIn, make, open};
use super::registering::check_password;
use super::store::operator as store;
use crate::auth::{Anyone, Audience, OperatorSession, Permission, Principal, session};
use crate::error::{Error, Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Email, Password, Secret, Text};
use crate::keys::{Presence, new_token};
use crate::operation::{Cx, Done, run_typed};
use crate::platform::Platform;

vocabulary! {
    /// Where a password stands that works once.
    OneTime {
        /// Nobody has logged in with it.
        Unused = "unused",
        /// Somebody has, and has not chosen one of their own yet.
        Used = "used",
    }
}

/// An operator's own password for a new one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChangeOperatorPassword {
    /// The password until now.
    pub current_password: Password<1>,
    /// The new one: 15 to 128 characters, and none of the commonest.
    pub password: Password<15>,
}

/// Sets a password of the operator's own. Every session of theirs ends, and a new one begins, as at a
/// log-in: its answer has the cookie and the CSRF token. 422 where the current password is wrong, or the
/// new one is the same.
pub async fn change(
    cx: Cx<OperatorSession>,
    input: ChangeOperatorPassword,
) -> Result<Done<OperatorLogIn>> {
    check_password(input.password.expose())?;
    if input.password.expose() == input.current_password.expose() {
        return Err(Error::invalid("password", "must be another than the current one"));
    }
    let id = cx.caller.id;
    let mut session = cx.read().await?;
    let before = store::password_of(&mut session, id).await?;
    drop(session);
    let current = input.current_password.expose();
    if !cx.verify(current, before.as_deref()).await? {
        return Err(Error::invalid("current_password", "is not your password"));
    }
    let before = before.ok_or(codes::NOT_FOUND)?;
    let hash = cx.hash(input.password.expose()).await?;
    let mut work = cx.begin().await?;
    let changed = store::change_password(&mut work, id, &before, &hash, cx.now()).await?;
    // Switched off, or given another password, since it was read: decide anew.
    let operator = changed.ok_or(codes::AGAIN)?;
    session::end_all(&mut work, Audience::Admin, id.get()).await?;
    let csrf_token = open(&mut work, id).await?;
    work.note(operator.id, "password_changed");
    work.done(OperatorLogIn { operator, csrf_token, password_change_required: false }).await
}

/// Makes an operator with a password that works once, and answers it. For a first run; 409
/// `email_taken`.
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

/// Gives an operator a password that works once, and ends their sessions. For the command line, where
/// the host itself is asked; 404 for an unknown operator.
pub async fn reset(platform: &Platform, email: Email) -> Result<(OperatorAccount, Secret)> {
    let password = new_password(platform);
    let random = platform.random();
    let hasher = platform.hasher();
    let hash = hasher.hash(password.expose(), random, Presence::default()).await?;
    let operation = async |cx: Cx<Anyone>, (email, hash): (Email, String)| {
        let mut work = cx.begin().await?;
        let id = store::id_of(&mut work, &email).await?;
        let id = id
            .ok_or_else(|| codes::NOT_FOUND.saying(format!("There is no operator {}.", &*email)))?;
        let operator = store::reset_password(&mut work, id, &hash, cx.now()).await?;
        session::end_all(&mut work, Audience::Admin, id.get()).await?;
        work.note(operator.id, "password_reset");
        work.done(operator).await
    };
    let nobody = Anyone(Principal::Anonymous);
    let done = run_typed(platform, nobody, "host".into(), operation, (email, hash)).await?;
    Ok((done.into_inner(), password))
}

/// A password for an operator: 160 bits, in words no wider than a line.
#[must_use]
pub fn new_password(platform: &Platform) -> Secret {
    let token = new_token(platform.random());
    let digits: Vec<char> = token.expose().chars().take(40).collect();
    let groups: Vec<String> = digits.chunks(8).map(|group| group.iter().collect()).collect();
    Secret::new(groups.join("-"))
}
