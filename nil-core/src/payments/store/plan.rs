//! The rows of subscription plans.

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};

use crate::error::Result;
use crate::kernel::{BasisPoints, Cents, Listing, Paging, PlanId, Time};
use crate::payments::subscriptions::plan::{PlanInUse, PlanSort};
use crate::payments::subscriptions::{BillingInterval, PlanAudience, SubscriptionPlan};
use crate::storage::{Narrow as _, Session, contains, insert, update};

const COLUMNS: &str = "p.id, p.name, p.audience, p.price_cents, 'usd' AS currency, \
    p.billing_interval, p.fee_basis_points, p.features, p.active, p.created_at, p.updated_at, \
    (SELECT COUNT(*) FROM subscription s WHERE s.plan_id = p.id AND s.status <> 'ended') \
    AS subscribers";

/// The content of a plan to save.
pub struct Draft {
    pub name: String,
    pub audience: PlanAudience,
    pub price: Cents,
    pub interval: BillingInterval,
    pub fee_basis_points: Option<BasisPoints>,
    pub features: Vec<String>,
    pub active: bool,
}

/// Filters for plans.
pub struct Wanted {
    pub id: Option<PlanId>,
    pub active: Option<bool>,
    pub audience: Option<PlanAudience>,
    /// Part of a name.
    pub q: Option<String>,
    pub sort: PlanSort,
}

fn select() -> SelectStatement {
    Query::select().expr(Expr::cust(COLUMNS)).from_as("subscription_plan", "p").take()
}

/// A page of plans.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    paging: Paging,
) -> Result<Listing<PlanInUse>> {
    let (column, order) = match wanted.sort {
        PlanSort::Oldest => ("id", Order::Asc),
        PlanSort::Newest => ("id", Order::Desc),
        PlanSort::Cheapest => ("price_cents", Order::Asc),
        PlanSort::Dearest => ("price_cents", Order::Desc),
        PlanSort::Name => ("name", Order::Asc),
        PlanSort::NameBackwards => ("name", Order::Desc),
    };
    let mut rows = select();
    rows.only(("p", "id"), wanted.id)
        .only(("p", "active"), wanted.active)
        .only(("p", "audience"), wanted.audience)
        .cond_where(contains([Expr::col(("p", "name"))], wanted.q.as_deref()))
        .order_by(("p", column), order)
        .order_by(("p", "id"), Order::Asc);
    session.page(rows, paging).await
}

fn one(id: PlanId) -> SelectStatement {
    select().and_where(Expr::col(("p", "id")).eq(id.get())).take()
}

/// A plan.
pub async fn find(session: &mut Session, id: PlanId) -> Result<SubscriptionPlan> {
    let found: PlanInUse = session.one(one(id)).await?;
    Ok(found.plan)
}

/// A plan, locked until the transaction ends.
pub async fn locked(session: &mut Session, id: PlanId) -> Result<SubscriptionPlan> {
    let mut query = one(id);
    query.lock_with_tables(LockType::Update, ["p"]);
    let found: PlanInUse = session.one(query).await?;
    Ok(found.plan)
}

/// A plan, share-locked: it cannot change until the transaction ends, but others can read it.
pub async fn held(session: &mut Session, id: PlanId) -> Result<SubscriptionPlan> {
    let mut query = one(id);
    query.lock_with_tables(LockType::Share, ["p"]);
    let found: PlanInUse = session.one(query).await?;
    Ok(found.plan)
}

/// Adds a plan.
pub async fn add(session: &mut Session, draft: Draft, now: Time) -> Result<SubscriptionPlan> {
    let id: PlanId = session
        .value(
            insert("subscription_plan")
                .set("name", draft.name)
                .set("audience", draft.audience)
                .set("price_cents", draft.price)
                .set("billing_interval", draft.interval)
                .set("fee_basis_points", draft.fee_basis_points)
                .set("features", serde_json::json!(draft.features))
                .set("active", draft.active)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await?;
    let saved: PlanInUse = session.one(one(id)).await?;
    Ok(saved.plan)
}

/// Changes a plan. Its audience never changes.
pub async fn change(
    session: &mut Session,
    id: PlanId,
    draft: Draft,
    now: Time,
) -> Result<SubscriptionPlan> {
    session
        .change(
            update("subscription_plan")
                .set("name", draft.name)
                .set("price_cents", draft.price)
                .set("billing_interval", draft.interval)
                .set("fee_basis_points", draft.fee_basis_points)
                .set("features", serde_json::json!(draft.features))
                .set("active", draft.active)
                .set("updated_at", now)
                .when("id", id),
        )
        .await?;
    let saved: PlanInUse = session.one(one(id)).await?;
    Ok(saved.plan)
}

/// Opens or closes a plan for new subscriptions; 404 if it does not exist.
pub async fn set_active(
    session: &mut Session,
    id: PlanId,
    active: bool,
    now: Time,
) -> Result<SubscriptionPlan> {
    let statement =
        update("subscription_plan").set("active", active).set("updated_at", now).when("id", id);
    session.run(statement).await?;
    let saved: PlanInUse = session.one(one(id)).await?;
    Ok(saved.plan)
}
