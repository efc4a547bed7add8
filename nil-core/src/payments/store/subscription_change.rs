//! The rows of changes of plan.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::error::Result;
use crate::kernel::{
    InvoiceId, Moved, SubscriptionChangeId, SubscriptionId, SubscriptionPeriodId, Time,
};
use crate::payments::subscriptions::{
    ChangeStatus, PlanChange, Quote, Subscription, SubscriptionPlan,
};
use crate::storage::{Session, advance, insert};

const COLUMNS: &str = "x.id, x.subscription_id, x.period_id, x.from_plan_id, \
    x.from_price_cents, x.plan_id, p.name AS plan_name, x.price_cents, x.billing_interval, \
    x.fee_basis_points, x.status, x.unused_cents, x.rest_cents, \
    x.rest_cents - x.unused_cents AS total_cents, 'usd' AS currency, x.takes_effect_at, \
    x.invoice_id, x.failure_code, x.created_at, x.updated_at";

fn select() -> SelectStatement {
    Query::select()
        .expr(Expr::cust(COLUMNS))
        .from_as("subscription_change", "x")
        .join_as(
            JoinType::InnerJoin,
            "subscription_plan",
            "p",
            Expr::col(("p", "id")).equals(("x", "plan_id")),
        )
        .take()
}

/// A change to write.
pub struct NewChange<'a> {
    pub subscription: &'a Subscription,
    pub period: SubscriptionPeriodId,
    pub plan: &'a SubscriptionPlan,
    pub quote: Quote,
    pub status: ChangeStatus,
    pub invoice: Option<InvoiceId>,
}

/// Writes a change.
pub async fn add(session: &mut Session, new: NewChange<'_>, now: Time) -> Result<PlanChange> {
    let id: SubscriptionChangeId = session
        .value(
            insert("subscription_change")
                .set("subscription_id", new.subscription.id)
                .set("period_id", new.period)
                .set("from_plan_id", new.subscription.plan_id)
                .set("from_price_cents", new.subscription.price_cents)
                .set("plan_id", new.plan.id)
                .set("price_cents", new.plan.price_cents)
                .set("billing_interval", new.plan.interval)
                .set("fee_basis_points", new.plan.fee_basis_points)
                .set("status", new.status)
                .set("credited_price_cents", new.quote.credited)
                .set("unused_cents", new.quote.unused)
                .set("rest_cents", new.quote.rest)
                .set("days_left", new.quote.days.left)
                .set("days", new.quote.days.all)
                .set("takes_effect_at", new.quote.takes_effect_at)
                .set("invoice_id", new.invoice)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await?;
    find(session, id).await
}

/// A change.
pub async fn find(session: &mut Session, id: SubscriptionChangeId) -> Result<PlanChange> {
    session.one(select().and_where(Expr::col(("x", "id")).eq(id.get())).take()).await
}

/// The change that a subscription begins its next period with, if any.
pub async fn scheduled(
    session: &mut Session,
    subscription: SubscriptionId,
) -> Result<Option<PlanChange>> {
    let query = select()
        .and_where(Expr::col(("x", "subscription_id")).eq(subscription.get()))
        // A literal, so that the database can use the partial index.
        .and_where(Expr::cust("x.status = 'scheduled'"))
        .take();
    session.first(query).await
}

/// Changes a change's status.
pub async fn change(
    session: &mut Session,
    id: SubscriptionChangeId,
    moved: Moved<ChangeStatus>,
    failure: Option<&str>,
    now: Time,
) -> Result<()> {
    session
        .change(advance("subscription_change", id, moved, now).set("failure_code", failure))
        .await
}
