//! Operators manage plans; everyone can list those on offer.

use schemars::JsonSchema;
use serde::Deserialize;

use super::plan::{BillingInterval, PlanAudience, PlanInUse, PlanSort, SubscriptionPlan};
use crate::auth::{Anyone, Operator};
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AllOr, Amount, BasisPoints, Edit, Listing, Many, Paged, PlanId, Revision, Text, ZeroOr,
};
use crate::operation::{Cx, Done, Revised};
use crate::payments::store::plan::{self as store, Draft, Wanted};

vocabulary! {
    /// Whether new subscriptions to a plan are possible.
    PlanState {
        /// They are possible.
        Active = "active",
        /// They are not possible.
        Inactive = "inactive",
    }
}

/// A plan to create (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SavePlan {
    /// The plan to change; omit it to create one.
    pub id: Option<PlanId>,
    /// Its name.
    pub name: Text<1, 80>,
    /// The users it is for (default `partner`); cannot be changed later.
    pub audience: Option<PlanAudience>,
    /// The price of a period.
    pub price_cents: Amount,
    /// How often it is charged.
    pub interval: BillingInterval,
    /// The platform's fee on a subscriber's hires; null if it changes no fee. Brands' plans only.
    #[serde(default)]
    pub fee_basis_points: Edit<BasisPoints>,
    /// The features, as text (default none).
    pub features: Option<Many<Text<1, 200>, 0, 50>>,
    /// Whether new subscriptions are possible (default true).
    pub active: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if the plan has another one.
    pub revision: Option<Revision>,
}

/// Opens or closes a plan for new subscriptions.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SetPlanStatus {
    /// The plan.
    pub id: PlanId,
    /// Whether new subscriptions are possible.
    pub active: bool,
}

/// Selects plans.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListPlans {
    /// `active`, `inactive` or `all`.
    pub status: AllOr<PlanState>,
    /// One plan, or `0` for all.
    pub id: ZeroOr<PlanId>,
    /// The order (default newest first).
    pub sort: Option<PlanSort>,
    /// Part of a name.
    pub q: Option<Text<0, 100>>,
    /// Only plans for these users.
    pub audience: Option<PlanAudience>,
}

/// Filters for the plans on offer.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct OfferedPlans {
    /// Only plans for these users.
    pub audience: Option<PlanAudience>,
}

/// Creates or changes a plan (model: Back office). Omitted fields keep their values. Changed terms
/// apply to new subscriptions only: a subscription keeps the price, the interval and the fee it
/// began with. 404 for an unknown id; 422 for a changed audience, and for a fee in a plan for
/// agents, who pay none.
pub async fn save(cx: Cx<Operator>, input: SavePlan) -> Result<Done<Revised<SubscriptionPlan>>> {
    let mut work = cx.begin().await?;
    let now = cx.now();
    let before = match input.id {
        None => None,
        Some(id) => {
            let held = store::locked(&mut work, id).await?;
            work.as_seen(id, &held, input.revision.as_ref()).await?;
            Some(held)
        }
    };
    let audience = match (&before, input.audience) {
        (Some(before), Some(audience)) if audience != before.audience => {
            return Err(Error::invalid("audience", "cannot be changed"));
        }
        (Some(before), _) => before.audience,
        (None, audience) => audience.unwrap_or(PlanAudience::Partner),
    };
    let kept = before.as_ref();
    let fee_basis_points = input
        .fee_basis_points
        .change()
        .unwrap_or_else(|| kept.and_then(|plan| plan.fee_basis_points));
    if audience == PlanAudience::Agent && fee_basis_points.is_some() {
        return Err(Error::invalid("fee_basis_points", "is only for brands' plans"));
    }
    let features = match input.features {
        Some(features) => features.iter().map(|text| (**text).to_owned()).collect(),
        None => kept.map(|plan| plan.features.clone()).unwrap_or_default(),
    };
    let draft = Draft {
        name: input.name.to_string(),
        audience,
        price: input.price_cents.cents(),
        interval: input.interval,
        fee_basis_points,
        features,
        active: input.active.unwrap_or_else(|| kept.is_none_or(|plan| plan.active)),
    };
    let saved = match &before {
        None => store::add(&mut work, draft, now).await?,
        Some(plan) => store::change(&mut work, plan.id, draft, now).await?,
    };
    let action = if before.is_none() { "created" } else { "changed" };
    let terms = |plan: &SubscriptionPlan| {
        serde_json::json!({
            "name": plan.name, "price_cents": plan.price_cents, "interval": plan.interval,
            "fee_basis_points": plan.fee_basis_points, "active": plan.active,
        })
    };
    work.note_change(saved.id, action, before.as_ref().map(terms), terms(&saved));
    work.done(saved.into()).await
}

/// Opens or closes a plan for new subscriptions. Existing subscriptions continue. 404 for an
/// unknown id.
pub async fn set_status(cx: Cx<Operator>, input: SetPlanStatus) -> Result<Done<SubscriptionPlan>> {
    let mut work = cx.begin().await?;
    let saved = store::set_active(&mut work, input.id, input.active, cx.now()).await?;
    let action = if saved.active { "activated" } else { "deactivated" };
    work.note(saved.id, action);
    work.done(saved).await
}

/// Lists plans, newest first. 422 for an unknown status, 404 for an unknown id.
pub async fn list(
    cx: Cx<Operator>,
    input: Paged<ListPlans>,
) -> Result<Listing<Revised<PlanInUse>>> {
    let (input, paging) = input.parts();
    let wanted = Wanted {
        id: input.id.one()?,
        active: input.status.one().map(|state| state == PlanState::Active),
        audience: input.audience,
        q: input.q.as_deref().map(str::to_owned),
        sort: input.sort.unwrap_or(PlanSort::Newest),
    };
    let mut session = cx.read().await?;
    let page = store::page(&mut session, &wanted, paging).await?;
    Ok(input.id.found(page)?.map(Revised::from))
}

/// Lists the plans on offer, cheapest first (extension).
pub async fn offered(
    cx: Cx<Anyone>,
    input: Paged<OfferedPlans>,
) -> Result<Listing<SubscriptionPlan>> {
    let (input, paging) = input.parts();
    let wanted = Wanted {
        id: None,
        active: Some(true),
        audience: input.audience,
        q: None,
        sort: PlanSort::Cheapest,
    };
    let mut session = cx.read().await?;
    Ok(store::page(&mut session, &wanted, paging).await?.map(|plan| plan.plan))
}
