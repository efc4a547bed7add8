//! Registering for access to an institution's portal. The e-mail is confirmed first: until then
//! neither owners nor operators see the registration, and the response does not disclose which
//! addresses are known.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use super::mail_domains;
use super::portal_user::PortalRegistration;
use super::signing_in::hashed;
use crate::accounts::registering::check_password;
use crate::accounts::signing_in::recovering::{LINK_ANSWERED_AFTER, LinkToken, token_invalid};
use crate::accounts::store::portal_registration::{self as registrations, NewPortalRegistration};
use crate::accounts::store::portal_user::{self as store, NewPortalUser};
use crate::accounts::store::sign_on_provider as providers;
use crate::accounts::{PortalAccount, PortalUserStatus, mail};
use crate::auth::one_time::{self, Purpose};
use crate::auth::session::REGISTRATION_LIVES;
use crate::auth::{Anyone, Role};
use crate::error::{Error, Result, codes};
use crate::kernel::{CollegeId, Email, Password, PersonName};
use crate::notifications::outbox::{Message, Recipient};
use crate::notifications::{Event, allowance};
use crate::operation::{Cx, Done, Subject};

/// Minimum time from hashing the password to the response, whatever the result.
const ANSWERED_AFTER: Duration = LINK_ANSWERED_AFTER;

/// A request for access.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RegisterPortalUser {
    /// The e-mail to log in with.
    pub email: Email,
    /// The password: 12 to 128 characters, and not a common one.
    pub password: Password<12>,
    /// Full name.
    pub name: PersonName<160>,
    /// The institution.
    pub college_id: CollegeId,
    /// The role asked for (default `viewer`).
    pub role: Option<Role>,
}

/// Requests access. Grants none by itself: the mailed link confirms the e-mail, then an owner of
/// the institution or an operator must approve. The response and its timing are the same if the
/// e-mail already belongs to a portal user; only the mail says so. 422 at `email` if the
/// institution has domains of its own and the e-mail belongs to none of them, 403
/// `sign_on_required` if it has switched passwords off.
pub async fn register(
    cx: Cx<Anyone>,
    input: RegisterPortalUser,
) -> Result<Done<PortalRegistration>> {
    check_password(input.password.expose())?;
    let mut session = cx.read().await?;
    let college = store::college(&mut session, input.college_id).await?;
    let provider = providers::of_college(&mut session, input.college_id).await?;
    drop(session);
    if provider.is_some_and(|provider| !provider.passwords) {
        return Err(codes::SIGN_ON_REQUIRED.into());
    }
    let college = college.ok_or_else(|| Error::invalid("college_id", "is not a known college"))?;
    if mail_domains::includes(&college.email_domains, &input.email) == Some(false) {
        let why = "must be an address at one of the institution's domains";
        return Err(Error::invalid("email", why));
    }
    let hash = hashed(&cx, &input.password).await?;
    let answered = Instant::now() + ANSWERED_AFTER;
    let now = cx.now();
    let mut work = cx.begin().await?;
    let taken = store::by_email(&mut work, &input.email).await?;
    let (name, role) = (input.name.into_string(), input.role.unwrap_or(Role::Viewer));
    let new = NewPortalRegistration {
        college_id: input.college_id,
        email: input.email.clone(),
        name: name.clone(),
        role,
        password_hash: taken.is_none().then_some(hash),
        expires_at: now + REGISTRATION_LIVES,
    };
    let expires_at = new.expires_at;
    let id = registrations::add(&mut work, new, now).await?;
    let registration = PortalRegistration {
        registration_id: id,
        college_id: input.college_id,
        email: input.email.to_string(),
        name,
        role,
        status: PortalUserStatus::Pending,
        created_at: now,
        expires_at,
    };
    // The address may belong to another person.
    if allowance::take(&mut work, &input.email).await?.is_given() {
        match taken {
            None => {
                mail::confirm_portal_registration(&mut work, &registration, &college.name).await?;
            }
            Some(taken) => mail::tell_of_registration(&mut work, &taken, &input.email),
        }
    }
    work.note(Subject { kind: "portal_registration", id }, "registered");
    let done = work.done(registration).await?;
    tokio::time::sleep_until(answered).await;
    Ok(done)
}

/// Confirms a registration's e-mail with the mailed token. The registration then waits for an owner
/// of the institution or an operator, who are notified. 422 `token_invalid` for a token that is
/// wrong, used or expired, 409 `email_taken` if the e-mail has meanwhile become a portal user's.
pub async fn verify_email(cx: Cx<Anyone>, input: LinkToken) -> Result<Done<PortalAccount>> {
    let now = cx.now();
    let mut work = cx.begin().await?;
    let purpose = Purpose::PortalRegistration;
    let id = one_time::use_link(&mut work, purpose, &input.token, now).await?;
    let found = registrations::take(&mut work, id).await?;
    let found = found.ok_or_else(token_invalid)?;
    let new = NewPortalUser {
        college_id: found.college_id,
        email: Email::new(&found.email).map_err(Error::internal)?,
        name: found.name,
        role: found.role,
        sport_ids: None,
        password_hash: Some(found.password_hash.ok_or_else(token_invalid)?),
        status: PortalUserStatus::Pending,
    };
    let account = store::add(&mut work, new, now).await?;
    let college = store::college_name(&mut work, account.college_id).await?;
    let college = college.ok_or(codes::NOT_FOUND)?;
    for owner in store::owners(&mut work, account.college_id).await? {
        // Anyone can request access, so the mail may be limited. The list of users shows every
        // request.
        let inbox = format!("portal_user:{owner}");
        if !allowance::take(&mut work, &inbox).await?.is_given() {
            continue;
        }
        let message = Message::new(Event::PortalUserPending, Recipient::Portal(owner))
            .with("college_name", college.as_str())
            .with("person_name", account.name.as_str())
            .with("person_email", account.email.as_str());
        work.send(message);
    }
    work.note(account.id, "registered");
    work.done(account).await
}
