//! Operators open and change brands, and associate them with universities.

use schemars::JsonSchema;
use serde_json::json;

use super::holder::Holder;
use crate::accounts::partners::editing;
use crate::accounts::partners::partner::{Association, EditPartner};
use crate::accounts::store::editing::lock_partner;
use crate::accounts::store::{portal_user, profile, registration, saving as store, user};
use crate::accounts::{AccountRecord, PartnerProfile, Profile, UserKind};
use crate::auth::{Operator, Permission};
use crate::error::{Error, Result, Wrong, codes};
use crate::kernel::combined::shared;
use crate::kernel::{BasisPoints, Combined, Edit, PartnerId};
use crate::operation::{Cx, Done, Revised, Work};

/// What brands cannot change themselves.
#[derive(Clone, Debug, Default, JsonSchema)]
pub struct Terms {
    /// The platform's fee for this brand; null if the site's fee applies. Only operators with the
    /// permission `finance` change it.
    pub fee_basis_points: Edit<BasisPoints>,
}

shared!(Terms { fee_basis_points });

/// A brand to open (without `id`) or to change: its account, its terms and its record.
pub type SavePartner = Combined<Holder<PartnerId>, Combined<Terms, EditPartner>>;

/// Opens a brand's account, or changes the given fields of one. The holder of a new account gets a
/// mail with a link to choose a password. 403 for a fee without the permission `finance`, 404 for
/// an unknown id.
pub async fn save(cx: Cx<Operator>, input: SavePartner) -> Result<Done<Revised<AccountRecord>>> {
    let (Combined { own: mut record, shared: mut terms }, holder) = input.parts();
    let profile = match holder.id {
        Some(id) => {
            let mut session = cx.read().await?;
            let known = profile::partner(&mut session, id).await?;
            let fee = terms.fee_basis_points.value().map(|fee| fee.get());
            if fee == known.fee_basis_points {
                terms.fee_basis_points = Edit::Keep;
            }
            Some((known.user_id, id.get()))
        }
        None => None,
    };
    if terms.fee_basis_points != Edit::Keep {
        let why = "Only operators with the permission `finance` change a brand's fee.";
        cx.caller.require(Permission::Finance, why)?;
    }
    let hash = holder.unknown_password(&cx).await?;
    let logo = editing::prepare_logo(&cx, profile, &record).await?;
    let mut work = cx.begin().await?;
    let mut wrong = Wrong::default();
    let (id, user) = if let Some(id) = holder.id {
        let user = lock_partner(&mut work, id).await?;
        let before = holder.held(&mut work, user, id).await?;
        if let Profile::Partner(known) = &before.profile {
            // What is stored already does not stand in the way of other changes.
            let category = record.business_category_id;
            record.business_category_id =
                category.filter(|id| known.business_category_id != Some(*id));
        }
        editing::check_partner(&mut work, &record, &mut wrong).await?;
        wrong.refuse()?;
        editing::change_partner(&mut work, id, user, (record, logo)).await?;
        set_fee(&mut work, id, terms.fee_basis_points).await?;
        holder.change(&mut work, user).await?;
        (id, user)
    } else {
        editing::check_partner(&mut work, &record, &mut wrong).await?;
        holder.check_new(&mut wrong);
        wrong.needs("company_name", record.company_name.is_some());
        wrong.needs("business_category_id", record.business_category_id.is_some());
        wrong.refuse()?;
        let user = holder.open(&mut work, UserKind::Partner, hash).await?;
        registration::open_partner(&mut work, user, cx.now()).await?;
        let id = registration::profile_id(&mut work, UserKind::Partner, user).await?;
        let id = PartnerId::new(id).ok_or(codes::NOT_FOUND)?;
        editing::write_partner(&mut work, id, user, (record, logo)).await?;
        set_fee(&mut work, id, terms.fee_basis_points).await?;
        holder.invite(&mut work, user).await?;
        (id, user)
    };
    let account = user::account(&mut work, user, cx.now()).await?;
    work.done(AccountRecord::of(id, account).into()).await
}

async fn set_fee(work: &mut Work, id: PartnerId, fee: Edit<BasisPoints>) -> Result<()> {
    let Some(fee) = fee.change() else {
        return Ok(());
    };
    let before = profile::partner(work, id).await?.fee_basis_points;
    let now = work.now();
    store::set_fee(work, id, fee, now).await?;
    let was = json!({ "fee_basis_points": before });
    work.note_change(id, "fee_changed", was, json!({ "fee_basis_points": fee }));
    Ok(())
}

/// Associates a brand with a university; it stays associated if it is already. 404 for an unknown
/// brand, 422 for an unknown university.
pub async fn associate(cx: Cx<Operator>, input: Association) -> Result<Done<PartnerProfile>> {
    let mut work = cx.begin().await?;
    lock_partner(&mut work, input.partner_id).await?;
    if portal_user::college_name(&mut work, input.university_id).await?.is_none() {
        return Err(Error::invalid("university_id", "is not a known college"));
    }
    if store::associate(&mut work, &input, cx.now()).await? {
        let now = json!({ "university_id": input.university_id });
        work.note_change(input.partner_id, "university_associated", None, now);
    }
    let partner = profile::partner(&mut work, input.partner_id).await?;
    work.done(partner).await
}

/// Removes the association of a brand with a university. 404 if there is none.
pub async fn unassociate(cx: Cx<Operator>, input: Association) -> Result<Done<PartnerProfile>> {
    let mut work = cx.begin().await?;
    lock_partner(&mut work, input.partner_id).await?;
    if !store::unassociate(&mut work, &input).await? {
        return Err(codes::NOT_FOUND.saying("The brand is not associated with this university."));
    }
    let was = json!({ "university_id": input.university_id });
    work.note_change(input.partner_id, "university_unassociated", was, None);
    let partner = profile::partner(&mut work, input.partner_id).await?;
    work.done(partner).await
}
