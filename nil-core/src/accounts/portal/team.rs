//! Owners manage the users of their institution's portal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::admin::{WhichPortalUser, change_status, forget_second_step, held_owner, too_much};
use crate::accounts::store::portal_user as store;
use crate::accounts::{PortalAccount, PortalUserStatus};
use crate::auth::{PortalUser, Role};
use crate::error::{Error, Result, codes};
use crate::kernel::{Followed, Listing, Many, PortalUserId, Revision, SportId, Text};
use crate::operation::{Cx, Done, Revised};

/// Selects portal users.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListTeam {
    /// With one of these statuses (default: all).
    pub statuses: Option<Many<PortalUserStatus, 0, 4>>,
    /// Part of the name or e-mail.
    pub q: Option<Text<0, 100>>,
}

/// Changes to a portal user; omitted fields keep their values.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChangeTeamMember {
    /// The portal user.
    pub id: PortalUserId,
    /// The role.
    pub role: Option<Role>,
    /// The sports the access is limited to; an empty list means all.
    pub sport_ids: Option<Many<SportId, 0, 60>>,
    /// The new status: `active` approves or restores, `disabled` refuses or revokes access.
    pub status: Option<PortalUserStatus>,
    /// The revision that the caller has seen; 409 `state_changed` if the user has another one.
    pub revision: Option<Revision>,
}

/// Lists the portal users of the caller's institution in every status.
pub async fn list(
    cx: Cx<PortalUser>,
    input: Followed<ListTeam>,
) -> Result<Listing<Revised<PortalAccount>>> {
    let (input, place) = cx.place(input)?;
    let statuses = Many::or_none(input.statuses);
    let (college, q) = (cx.caller.college_id, input.q.as_deref());
    let mut session = cx.read().await?;
    let page = store::page_of(&mut session, college, &statuses, q, place).await?;
    Ok(page.map(Revised::from))
}

/// Changes a portal user's role, sports or status; disabling ends their sessions at once. 403 if an
/// owner limited to certain sports would give access to other sports, or change a user with access
/// to others. 404 for another institution's user; 409 `illegal_transition` if the status does not
/// allow it, `last_owner` if no active owner would remain, and `state_changed` for a user who was
/// changed meanwhile.
pub async fn change(
    cx: Cx<PortalUser>,
    input: ChangeTeamMember,
) -> Result<Done<Revised<PortalAccount>>> {
    let college = cx.caller.college_id;
    let mut work = cx.begin().await?;
    let owners = store::lock_owners(&mut work, college).await?;
    let owner = held_owner(&mut work, &cx.caller).await?;
    let mut account = store::find(&mut work, input.id).await?;
    if account.college_id != college {
        return Err(codes::NOT_FOUND.into());
    }
    work.as_seen(account.id, &account, input.revision.as_ref()).await?;
    // A pending user has no access yet.
    if account.status != PortalUserStatus::Pending && !owner.covers(&account.sports()) {
        return Err(too_much());
    }
    let before = json!({ "role": account.role, "sport_ids": account.sport_ids });
    account.role = input.role.unwrap_or(account.role);
    if let Some(sports) = input.sport_ids {
        let sports = Some(sports.into_vec()).filter(|sports| !sports.is_empty());
        account.sport_ids = sports.map(|sports| json!(sports));
    }
    let leaves = input.status == Some(PortalUserStatus::Disabled);
    if !leaves && !owner.covers(&account.sports()) {
        return Err(too_much());
    }
    let after = json!({ "role": account.role, "sport_ids": account.sport_ids });
    let stays = account.role == Role::Owner && input.status != Some(PortalUserStatus::Disabled);
    if !stays && owners == [account.id] {
        return Err(codes::LAST_OWNER.into());
    }
    if before != after {
        account.updated_at = cx.now();
        store::change(&mut work, &account, cx.now()).await?;
        work.note_change(account.id, "changed", before, after);
    }
    if let Some(wanted) = input.status {
        change_status(&mut work, &mut account, wanted).await?;
    }
    work.done(account.into()).await
}

/// Turns a colleague's two-step log-in off and ends their sessions: for a lost authenticator app.
/// The password stays. 403 for an owner limited to certain sports if the colleague has access to
/// others, 404 for another institution's user, 422 for the caller (use `/totp/off`), 409
/// `totp_not_on`.
pub async fn reset_two_step(
    cx: Cx<PortalUser>,
    input: WhichPortalUser,
) -> Result<Done<PortalAccount>> {
    if input.id == cx.caller.id {
        return Err(Error::invalid("id", "is your own; turn two-step log-in off instead"));
    }
    let mut work = cx.begin().await?;
    // All owners are locked first and in one order, as a change does it.
    store::lock_owners(&mut work, cx.caller.college_id).await?;
    let owner = held_owner(&mut work, &cx.caller).await?;
    let mut account = store::find(&mut work, input.id).await?;
    if account.college_id != cx.caller.college_id {
        return Err(codes::NOT_FOUND.into());
    }
    if !owner.covers(&account.sports()) {
        return Err(too_much());
    }
    forget_second_step(&mut work, &mut account).await?;
    work.done(account).await
}
