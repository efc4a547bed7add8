//! Closing an account.

use schemars::JsonSchema;
use serde::Deserialize;

use super::departure::{Departure, Leaving, Profile};
use super::store::departure as store;
use super::{ending, erasing, remaining};
use crate::accounts::{UserEvent, suspension};
use crate::auth::{Operator, User};
use crate::content::Discarded;
use crate::error::{Error, Result};
use crate::kernel::{Password, Text, UserId};
use crate::operation::{Cx, Done, Work};
use crate::platform::Platform;
use crate::reports;

/// Proves that it is the user who closes the account.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CloseOwn {
    /// The account's password.
    pub password: Password<1>,
}

/// The account that an operator closes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CloseAccount {
    /// The account.
    pub user_id: UserId,
    /// Why it is closed. The record of the departure keeps it, so it should not describe the
    /// person.
    pub reason: Text<1, 500>,
}

/// Closes the caller's account for good and erases their personal data (extension). Applications
/// are withdrawn, a representation ends, a brand's jobs are cancelled and a subscription is not
/// renewed. Contracts, payments, tax records and the audit trail are kept; `docs/retention.md` says
/// what, why and how long. 422 at `password` if it is wrong, 409 `account_not_settled` while money
/// or contracts are under way: `data.left` names all of it.
pub async fn close_own(cx: Cx<User>, input: CloseOwn) -> Result<Done<Departure>> {
    let proven = suspension::proven(&cx, &input.password).await?;
    let mut work = cx.begin().await?;
    let asked = Asked { by: "user".into(), reason: None, proven };
    let (departure, objects) = close(&mut work, cx.caller.user_id, asked).await?;
    let done = work.done(departure).await?;
    remove(cx.platform(), objects).await;
    Ok(done)
}

/// Closes an account for good and erases its personal data (extension), as the user could. 404 for
/// an unknown account, 409 `illegal_transition` for one that is being registered or is closed,
/// `account_not_settled` while money or contracts are under way: `data.left` names all of it.
pub async fn close_account(cx: Cx<Operator>, input: CloseAccount) -> Result<Done<Departure>> {
    let mut work = cx.begin().await?;
    let reason = Some(input.reason.trim().to_owned());
    let asked = Asked { by: format!("operator:{}", cx.caller.id), reason, proven: None };
    let (departure, objects) = close(&mut work, input.user_id, asked).await?;
    let done = work.done(departure).await?;
    remove(cx.platform(), objects).await;
    Ok(done)
}

/// Who asked for it.
struct Asked {
    by: String,
    reason: Option<String>,
    /// The stored form of the password that the user has proven.
    proven: Option<String>,
}

async fn close(work: &mut Work, user: UserId, asked: Asked) -> Result<(Departure, Vec<Discarded>)> {
    let person = store::leaving(work, user).await?;
    let profile = person.profile().ok_or_else(|| Error::internal("an account without a record"))?;
    // A hire locks the job, the application, then the athlete: the same order here.
    ending::end_first(work, profile).await?;
    lock(work, &person, profile).await?;
    suspension::lock_to_close(work, user, asked.proven.as_deref()).await?;
    let open = ending::lock_open_jobs(work, profile).await?;
    remaining::check(work, &person).await?;
    ending::end_rest(work, profile, &open).await?;
    let status = suspension::change_status(work, user, UserEvent::Deactivate).await?;
    let now = work.now();
    let names = person.names();
    store::add(work, user, (&asked.by, asked.reason), &names, now).await?;
    let objects = erasing::erase(work, &person, &names).await?;
    work.note(user, "personal_data_erased");
    Ok((Departure { user_id: user, kind: person.kind, status, left_at: now }, objects))
}

/// Locks the person's record: hires, orders and representations lock it before they are made.
async fn lock(work: &mut Work, person: &Leaving, profile: Profile) -> Result<()> {
    let table = match profile {
        Profile::Athlete(_) => "athlete",
        Profile::Partner(_) => "partner",
        Profile::Agent(_) => "agent",
        Profile::Fan => "fan",
    };
    work.lock(table, person.profile_id).await
}

/// Removes what the database still held of a person after the commit: the objects of deleted files,
/// the files of exports, and the log of SQLite. The worker removes what could not be.
pub(super) async fn remove(platform: &Platform, objects: Vec<Discarded>) {
    for object in objects {
        object.remove(platform).await;
    }
    if let Err(error) = reports::remove_expired(platform).await {
        tracing::warn!(%error, "files of exports could not be removed yet");
    }
    match platform.db().empty_log().await {
        Ok(true) => {}
        Ok(false) => tracing::info!("the write-ahead log is being read and is emptied later"),
        Err(error) => tracing::warn!(%error, "the write-ahead log could not be emptied"),
    }
}
