//! Operators invite portal users, approve them, and revoke their access.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::accounts::listing::{self, List};
use crate::accounts::store::portal_user::{self as store, NewPortalUser};
use crate::accounts::store::two_step as steps;
use crate::accounts::{PortalAccount, PortalUserEvent, PortalUserStatus, mail};
use crate::auth::one_time::{self, Purpose};
use crate::auth::{Audience, Operator, PortalUser, Role, session};
use crate::error::{Error, Result, codes};
use crate::kernel::{
    CollegeId, Email, Listing, Machine as _, Many, PersonName, PortalUserId, Revision, SportId,
};
use crate::operation::{Cx, Done, Revised, Work};

/// A portal user to invite (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SavePortalUser {
    /// The portal user to change; omit it to invite a new one.
    pub id: Option<PortalUserId>,
    /// The institution; it never changes.
    pub college_id: CollegeId,
    /// The e-mail to log in with.
    pub email: Email,
    /// Full name.
    pub name: PersonName<160>,
    /// The role.
    pub role: Role,
    /// The sports the access is limited to; an empty list means all.
    pub sport_ids: Option<Many<SportId, 0, 60>>,
    /// The new status: `active` approves or restores, `disabled` refuses or revokes access.
    pub status: Option<PortalUserStatus>,
    /// The revision that the caller has seen; 409 `state_changed` if the user has another one.
    pub revision: Option<Revision>,
}

/// A colleague to invite.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct InviteColleague {
    /// The e-mail the invitation goes to.
    pub email: Email,
    /// Full name.
    pub name: PersonName<160>,
    /// The role.
    pub role: Role,
    /// The sports the access is limited to; null means all.
    pub sport_ids: Option<Many<SportId, 1, 60>>,
}

/// Selects a portal user.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichPortalUser {
    /// The portal user's id.
    pub id: PortalUserId,
}

/// A portal user to invite.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// The institution; it must exist.
    pub college_id: CollegeId,
    /// The e-mail the invitation goes to.
    pub email: Email,
    /// Full name.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The sports the access is limited to; none means all.
    pub sport_ids: Option<Vec<SportId>>,
    /// The inviter's name, as it appears in the mail; without one, the team of the site invites.
    pub invited_by: Option<String>,
}

/// Makes a portal user in status `invited` and mails the invitation that Compliance `/set-password`
/// accepts. 422 for an unknown institution, 409 `email_taken`.
pub(crate) async fn invite(work: &mut Work, invitation: Invitation) -> Result<PortalAccount> {
    let Some(college) = store::college_name(work, invitation.college_id).await? else {
        return Err(Error::invalid("college_id", "is not a known college"));
    };
    let now = work.now();
    let new = NewPortalUser {
        college_id: invitation.college_id,
        email: invitation.email,
        name: invitation.name,
        role: invitation.role,
        sport_ids: invitation.sport_ids,
        password_hash: None,
        status: PortalUserStatus::Invited,
    };
    let account = store::add(work, new, now).await?;
    let leave = mail::invite_portal_user(work, &account, &college, invitation.invited_by);
    leave.await?.or_refuse()?;
    work.note(account.id, "invited");
    Ok(account)
}

/// Returns the calling owner, locked until the end of the transaction, so that the access they pass
/// on is the access they have now. 403 if the caller is no longer an owner.
pub(crate) async fn held_owner(work: &mut Work, caller: &PortalUser) -> Result<PortalAccount> {
    let owner = store::find(work, caller.id).await?;
    if owner.role != Role::Owner || owner.status != PortalUserStatus::Active {
        return Err(codes::FORBIDDEN.into());
    }
    Ok(owner)
}

/// The 403 for an owner with limited sports who would give access to other sports, even to
/// themself.
pub(super) fn too_much() -> Error {
    codes::FORBIDDEN.saying(
        "Your access is limited to certain sports. You can give access to those only: name some of them.",
    )
}

/// Invites a colleague to the portal of the calling owner's institution; 403 for sports the owner
/// has no access to.
pub async fn invite_colleague(
    cx: Cx<PortalUser>,
    input: InviteColleague,
) -> Result<Done<PortalAccount>> {
    let mut work = cx.begin().await?;
    let owner = held_owner(&mut work, &cx.caller).await?;
    let sports = input.sport_ids.iter().flat_map(|ids| ids.iter());
    let sports: Vec<i64> = sports.map(|sport| sport.get()).collect();
    if !owner.covers(&sports) {
        return Err(too_much());
    }
    let invitation = Invitation {
        college_id: cx.caller.college_id,
        email: input.email,
        name: input.name.into_string(),
        role: input.role,
        sport_ids: input.sport_ids.map(Many::into_vec),
        invited_by: Some(owner.name),
    };
    let account = invite(&mut work, invitation).await?;
    work.done(account).await
}

/// Mails an invitation again; earlier links become void. A user who was disabled before setting a
/// password becomes `invited` again. 404 for an unknown portal user, 409 for one who has accepted
/// an invitation.
pub async fn send_invitation(
    cx: Cx<Operator>,
    input: WhichPortalUser,
) -> Result<Done<PortalAccount>> {
    let mut work = cx.begin().await?;
    let mut account = store::find(&mut work, input.id).await?;
    let never_came = !store::has_password(&mut work, account.id).await?;
    if account.status == PortalUserStatus::Disabled && never_came {
        let moved = account.status.on(PortalUserEvent::InviteAgain)?;
        store::change_status(&mut work, account.id, moved, None, cx.now()).await?;
        account.status = moved.to();
    }
    // A user who cannot set a password now has no use for the link.
    account.status.on(PortalUserEvent::SetPassword)?;
    let college = store::college_name(&mut work, account.college_id).await?;
    let college = college.unwrap_or_default();
    let leave = mail::invite_portal_user(&mut work, &account, &college, None);
    leave.await?.or_refuse()?;
    work.note(account.id, "invited_again");
    work.done(account).await
}

/// Approves a registration for the portal (payloads: *portal-user/approve*): from now on the user
/// can log in, with the role that was asked for. For operators with the permission `accounts`. 404
/// for an unknown portal user, 409 for one who does not wait for approval.
pub async fn approve(cx: Cx<Operator>, input: WhichPortalUser) -> Result<Done<PortalAccount>> {
    let mut work = cx.begin().await?;
    let mut account = store::find(&mut work, input.id).await?;
    account.status.on(PortalUserEvent::Approve)?;
    change_status(&mut work, &mut account, PortalUserStatus::Active).await?;
    account.updated_at = cx.now();
    work.done(account).await
}

/// Turns a portal user's two-step log-in off and ends their sessions: for a lost authenticator app.
/// The password stays. For operators with the permission `accounts`. 404 for an unknown portal
/// user, 409 `totp_not_on`.
pub async fn reset_two_step(
    cx: Cx<Operator>,
    input: WhichPortalUser,
) -> Result<Done<PortalAccount>> {
    let mut work = cx.begin().await?;
    let mut account = store::find(&mut work, input.id).await?;
    forget_second_step(&mut work, &mut account).await?;
    work.done(account).await
}

/// Turns the two-step log-in of a portal user, who is locked, off and ends their sessions.
pub(super) async fn forget_second_step(work: &mut Work, account: &mut PortalAccount) -> Result<()> {
    if account.totp_on_at.take().is_none() {
        return Err(codes::TOTP_NOT_ON.into());
    }
    account.updated_at = work.now();
    steps::turn_off(work, account.id, account.updated_at).await?;
    session::end_all(work, Audience::Compliance, account.id.get()).await?;
    work.note(account.id, "two_step_reset");
    Ok(())
}

/// Ends the portal user's sessions and voids the links mailed to them.
async fn shut_out(work: &mut Work, id: PortalUserId) -> Result<()> {
    for purpose in [Purpose::PortalInvitation, Purpose::PortalReset] {
        one_time::void_link(work, purpose, id.get()).await?;
    }
    session::end_all(work, Audience::Compliance, id.get()).await
}

/// Changes a portal user's status and adds the audit row. Disabling ends the user's sessions at
/// once and voids links mailed to them. 409 `illegal_transition` if the status does not allow it,
/// and for restoring a user who never set a password.
pub(crate) async fn change_status(
    work: &mut Work,
    account: &mut PortalAccount,
    wanted: PortalUserStatus,
) -> Result<()> {
    if account.status == wanted {
        return Ok(());
    }
    let Some(event) = account.status.event_to(wanted) else {
        return Err(Error::invalid("status", "must be `active` or `disabled`"));
    };
    let moved = account.status.on(event)?;
    if event == PortalUserEvent::Restore && !store::has_password(work, account.id).await? {
        let why = "This person never set a password. Send the invitation again instead.";
        return Err(codes::ILLEGAL_TRANSITION.saying(why));
    }
    let now = work.now();
    store::change_status(work, account.id, moved, None, now).await?;
    if moved.to() == PortalUserStatus::Disabled {
        shut_out(work, account.id).await?;
    }
    work.note_change(
        account.id,
        "status_changed",
        json!({ "status": moved.from() }),
        json!({ "status": moved.to() }),
    );
    account.status = moved.to();
    Ok(())
}

/// Lists the portal users of all institutions, each with its revision. 404 for an unknown id.
pub async fn list(
    cx: Cx<Operator>,
    input: List<PortalAccount>,
) -> Result<Listing<Revised<PortalAccount>>> {
    let page: Listing<PortalAccount> = listing::list(cx, input).await?;
    Ok(page.map(Revised::from))
}

/// Invites or changes a portal user. A new e-mail ends the user's sessions, voids links mailed to
/// the old address and notifies both addresses; an invitation is sent again. 409 `state_changed`
/// for a user who was changed meanwhile.
pub async fn save(cx: Cx<Operator>, input: SavePortalUser) -> Result<Done<Revised<PortalAccount>>> {
    let mut work = cx.begin().await?;
    let sport_ids = input.sport_ids.clone().map(Many::into_vec);
    let sport_ids = sport_ids.filter(|ids| !ids.is_empty());
    let Some(id) = input.id else {
        if input.status.is_some_and(|status| status != PortalUserStatus::Invited) {
            return Err(Error::invalid("status", "must be `invited` for a new portal user"));
        }
        let invitation = Invitation {
            college_id: input.college_id,
            email: input.email,
            name: input.name.into_string(),
            role: input.role,
            sport_ids,
            invited_by: None,
        };
        let account = invite(&mut work, invitation).await?;
        return work.done(account.into()).await;
    };
    let mut account = store::find(&mut work, id).await?;
    if account.college_id != input.college_id {
        return Err(Error::invalid("college_id", "cannot be changed"));
    }
    work.as_seen(id, &account, input.revision.as_ref()).await?;
    let was = |account: &PortalAccount| {
        json!({
            "email": account.email, "role": account.role, "sport_ids": account.sport_ids,
        })
    };
    let before = was(&account);
    let new_email = input.email.to_string();
    let old_email = std::mem::replace(&mut account.email, new_email);
    let moved_house = old_email != account.email;
    account.name = input.name.into_string();
    account.role = input.role;
    if input.sport_ids.is_some() {
        account.sport_ids = sport_ids.map(|ids| json!(ids));
    }
    account.updated_at = cx.now();
    store::change(&mut work, &account, cx.now()).await?;
    work.note_change(account.id, "changed", before, was(&account));
    if let Some(wanted) = input.status {
        change_status(&mut work, &mut account, wanted).await?;
    }
    if moved_house {
        shut_out(&mut work, account.id).await?;
        let college = store::college_name(&mut work, account.college_id).await?;
        let college = college.unwrap_or_default();
        mail::tell_of_new_address(&mut work, &account, &old_email, &college);
        if account.status == PortalUserStatus::Invited {
            let leave = mail::invite_portal_user(&mut work, &account, &college, None);
            leave.await?.or_refuse()?;
        }
    }
    work.done(account.into()).await
}
