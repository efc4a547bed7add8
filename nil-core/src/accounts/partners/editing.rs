//! Brands edit their own records. An input type has only the fields that its caller may change.

use super::partner::EditPartner;
use crate::accounts::PartnerProfile;
use crate::accounts::edit_note::note_edit;
use crate::accounts::store::registration::{Choice, can_be_chosen};
use crate::accounts::store::{editing as store, profile};
use crate::auth::Partner;
use crate::content::FileUse;
use crate::content::picturing::{self, Prepared};
use crate::error::{Result, Wrong};
use crate::kernel::{Edit, PartnerId, UserId};
use crate::operation::{Cx, Done, Work};
use crate::storage::Session;

const LOGO: &str = "logo_file_id";

/// Changes the calling brand's own record (contract: `/editPartnerWebsite`). Only operators change
/// its fee, its plan and its universities.
pub async fn edit_partner(cx: Cx<Partner>, input: EditPartner) -> Result<Done<PartnerProfile>> {
    let profile = (cx.caller.user_id, cx.caller.id.get());
    let logo = prepare_logo(&cx, Some(profile), &input).await?;
    let mut work = cx.begin().await?;
    let user = store::lock_partner(&mut work, cx.caller.id).await?;
    let mut wrong = Wrong::default();
    check_partner(&mut work, &input, &mut wrong).await?;
    wrong.refuse()?;
    let after = change_partner(&mut work, cx.caller.id, user, (input, logo)).await?;
    work.done(after).await
}

/// Prepares the logo that the input names, outside any transaction, for this account and brand.
pub(crate) async fn prepare_logo<C>(
    cx: &Cx<C>,
    profile: Option<(UserId, i64)>,
    input: &EditPartner,
) -> Result<Edit<Prepared>> {
    picturing::prepare(cx, (LOGO, &input.logo_file_id), FileUse::Logo, profile).await
}

/// Writes checked changes to a held brand and adds the audit row.
pub(crate) async fn change_partner(
    work: &mut Work,
    id: PartnerId,
    user: UserId,
    (input, logo): (EditPartner, Edit<Prepared>),
) -> Result<PartnerProfile> {
    let before = profile::partner(work, id).await?;
    write_partner(work, id, user, (input, logo)).await?;
    let after = profile::partner(work, id).await?;
    note_edit(work, id, &before, &after);
    Ok(after)
}

/// Writes a brand's checked fields.
pub(crate) async fn write_partner(
    work: &mut Work,
    id: PartnerId,
    user: UserId,
    (input, logo): (EditPartner, Edit<Prepared>),
) -> Result<()> {
    let logo = picturing::set(work, (LOGO, user), logo, (FileUse::Logo, id.get())).await?;
    let now = work.now();
    store::write_partner(work, id, input, logo, now).await
}

/// Adds what is wrong about a brand's fields.
pub(crate) async fn check_partner(
    session: &mut Session,
    input: &EditPartner,
    wrong: &mut Wrong,
) -> Result<()> {
    if let Some(category) = input.business_category_id
        && !can_be_chosen(session, Choice::BusinessCategory(category)).await?
    {
        wrong.add("business_category_id", "is not a known category");
    }
    if let Some(state) = input.hq_state.value()
        && !can_be_chosen(session, Choice::State(&state.to_uppercase())).await?
    {
        wrong.add("hq_state", "must be a two-letter state code");
    }
    Ok(())
}
