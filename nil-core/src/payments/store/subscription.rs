//! The rows of subscriptions and their periods.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::error::{Result, codes};
use crate::kernel::{Cents, InvoiceId, Moved, PlanId, SubscriptionId, SubscriptionPeriodId, Time};
use crate::payments::ledger::Owner;
use crate::payments::subscriptions::{
    PlanChange, Span, Subscription, SubscriptionEndReason, SubscriptionPlan, SubscriptionStatus,
};
use crate::storage::{FromRow, Session, advance, insert, sql, update};

const COLUMNS: &str = "s.id, CASE WHEN s.partner_id IS NULL THEN 'agent:' || s.agent_id \
    ELSE 'partner:' || s.partner_id END AS owner, s.plan_id, p.name AS plan_name, s.status, \
    s.price_cents, 'usd' AS currency, s.billing_interval, s.fee_basis_points, \
    s.cancel_at_period_end, s.started_at, COALESCE(s.anchor_period, 1) AS anchor_period, \
    COALESCE(s.anchor_at, s.started_at) AS anchor_at, s.period, s.period_starts_at, \
    s.period_ends_at, n.plan_id AS next_plan_id, np.name AS next_plan_name, \
    n.price_cents AS next_price_cents, \
    (SELECT MAX(w.confirm_until) FROM subscription_period q JOIN subscription_charge w \
        ON w.period_id = q.id WHERE q.subscription_id = s.id \
        AND w.status = 'requires_action') AS confirm_until, s.bill_at, s.failed_attempts, s.unpaid_since, s.failure_code, s.end_reason, s.ended_at, \
    s.created_at, s.updated_at";

fn select() -> SelectStatement {
    Query::select()
        .expr(Expr::cust(COLUMNS))
        .from_as("subscription", "s")
        .join_as(
            JoinType::InnerJoin,
            "subscription_plan",
            "p",
            Expr::col(("p", "id")).equals(("s", "plan_id")),
        )
        .join_as(
            JoinType::LeftJoin,
            "subscription_change",
            "n",
            // A literal, so that the database can use the partial index.
            Expr::col(("n", "subscription_id"))
                .equals(("s", "id"))
                .and(Expr::cust("n.status = 'scheduled'")),
        )
        .join_as(
            JoinType::LeftJoin,
            "subscription_plan",
            "np",
            Expr::col(("np", "id")).equals(("n", "plan_id")),
        )
        .take()
}

/// The column that names a kind of owner; only brands and agents subscribe.
fn column(owner: Owner) -> Result<(&'static str, i64)> {
    match owner {
        Owner::Partner(id) => Ok(("partner_id", id.get())),
        Owner::Agent(id) => Ok(("agent_id", id.get())),
        Owner::Athlete(_) => Err(codes::NOT_FOUND.into()),
    }
}

/// A subscription, locked until the transaction ends; every change locks it first. It is read after
/// it is locked: its plan may have changed in between, and PostgreSQL does not join a waiting row
/// with another plan.
pub async fn held(session: &mut Session, id: SubscriptionId) -> Result<Subscription> {
    session.lock("subscription", id).await?;
    find(session, id).await
}

/// A subscription.
pub async fn find(session: &mut Session, id: SubscriptionId) -> Result<Subscription> {
    let mut query = select();
    query.and_where(Expr::col(("s", "id")).eq(id.get()));
    session.one(query).await
}

/// An owner's subscription that has not ended; with `lock`, locked.
pub async fn live(session: &mut Session, owner: Owner, lock: bool) -> Result<Option<Subscription>> {
    let (column, id) = column(owner)?;
    let mut query = select();
    query
        .and_where(Expr::col(("s", column)).eq(id))
        .and_where(Expr::col(("s", "status")).ne(SubscriptionStatus::Ended));
    let found: Option<Subscription> = session.first(query).await?;
    match found {
        Some(found) if lock => {
            let held = held(session, found.id).await?;
            Ok((held.status != SubscriptionStatus::Ended).then_some(held))
        }
        found => Ok(found),
    }
}

/// Adds a subscription on the plan's current terms, with its first charge under way. 409
/// `already_subscribed` if its owner has one.
pub async fn add(
    session: &mut Session,
    owner: Owner,
    plan: &SubscriptionPlan,
    first: Span,
) -> Result<Subscription> {
    let now = first.starts_at;
    let (column, id) = column(owner)?;
    let id: SubscriptionId = session
        .value(
            insert("subscription")
                .set("plan_id", plan.id)
                .set(column, id)
                .set("status", SubscriptionStatus::Pending)
                .set("price_cents", plan.price_cents)
                .set("billing_interval", plan.interval)
                .set("fee_basis_points", plan.fee_basis_points)
                .set("cancel_at_period_end", false)
                .set("started_at", now)
                .set("period", first.number)
                .set("period_starts_at", first.starts_at)
                .set("period_ends_at", first.ends_at)
                .set("failed_attempts", 0_i64)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await?;
    find(session, id).await
}

/// Records that a period is paid, and when the next one is due.
pub async fn paid(
    session: &mut Session,
    id: SubscriptionId,
    moved: Moved<SubscriptionStatus>,
    period: Span,
    now: Time,
) -> Result<()> {
    session
        .change(
            advance("subscription", id, moved, now)
                .set("period", period.number)
                .set("period_starts_at", period.starts_at)
                .set("period_ends_at", period.ends_at)
                .set("bill_at", period.ends_at)
                .set("failed_attempts", 0_i64)
                .set("unpaid_since", None::<Time>)
                .set("failure_code", None::<String>),
        )
        .await
}

/// Records that a period could not be charged, when that happened first, and when to try again.
pub async fn declined(
    session: &mut Session,
    id: SubscriptionId,
    moved: Moved<SubscriptionStatus>,
    (why, first, again): (&str, Time, Time),
    now: Time,
) -> Result<()> {
    session
        .change(
            advance("subscription", id, moved, now)
                .set("bill_at", again)
                .set("unpaid_since", first)
                .set("failure_code", why)
                .add("failed_attempts", 1_i64),
        )
        .await
}

/// Records the end of a subscription.
pub async fn end(
    session: &mut Session,
    id: SubscriptionId,
    moved: Moved<SubscriptionStatus>,
    (reason, failure): (SubscriptionEndReason, Option<&str>),
    now: Time,
) -> Result<()> {
    session
        .change(
            advance("subscription", id, moved, now)
                .set("bill_at", None::<Time>)
                .set("end_reason", reason)
                .set("failure_code", failure)
                .set("ended_at", now)
                .add("failed_attempts", i64::from(failure.is_some())),
        )
        .await
}

/// Sets whether a subscription ends after the paid period.
pub async fn set_cancelled(
    session: &mut Session,
    id: SubscriptionId,
    cancelled: bool,
    now: Time,
) -> Result<()> {
    session
        .change(
            update("subscription")
                .set("cancel_at_period_end", cancelled)
                .set("updated_at", now)
                .when("id", id)
                .when("status", SubscriptionStatus::Active),
        )
        .await
}

/// Sets the terms of a change of plan, and when the paid period ends as the next time of billing.
/// With another interval, later periods are counted from `anchor`.
pub async fn set_terms(
    session: &mut Session,
    subscription: &Subscription,
    change: &PlanChange,
    anchor: Option<Span>,
    now: Time,
) -> Result<()> {
    session
        .change(
            update("subscription")
                .set("plan_id", change.plan_id)
                .set("price_cents", change.price_cents)
                .set("billing_interval", change.interval)
                .set("fee_basis_points", change.fee_basis_points)
                .given("anchor_period", anchor.map(|period| period.number))
                .given("anchor_at", anchor.map(|period| period.starts_at))
                .set("bill_at", subscription.period_ends_at)
                .set("updated_at", now)
                .when("id", subscription.id)
                .when("status", SubscriptionStatus::Active),
        )
        .await
}

/// Records that no charge is under way any more: the next thing to do is at the end of the paid
/// period.
pub async fn rest(session: &mut Session, subscription: &Subscription, now: Time) -> Result<()> {
    session
        .change(
            update("subscription")
                .set("bill_at", subscription.period_ends_at)
                .set("updated_at", now)
                .when("id", subscription.id)
                .when("status", SubscriptionStatus::Active),
        )
        .await
}

/// Records that a charge is under way, so that no other worker bills it.
pub async fn under_way(session: &mut Session, id: SubscriptionId, now: Time) -> Result<()> {
    session
        .change(
            update("subscription")
                .set("bill_at", None::<Time>)
                .set("updated_at", now)
                .when("id", id),
        )
        .await
}

/// Subscriptions that are due for billing, with ids above `after`.
pub async fn due(session: &mut Session, now: Time, after: i64) -> Result<Vec<SubscriptionId>> {
    let rows: Vec<(SubscriptionId,)> = session
        .all(
            sql("SELECT id FROM subscription WHERE bill_at IS NOT NULL AND bill_at <= $1 \
                 AND id > $2 ORDER BY id LIMIT 100")
            .bind(now)
            .bind(after),
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// A billed period.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Period {
    pub id: SubscriptionPeriodId,
    pub invoice_id: InvoiceId,
}

/// A subscription's period with this number, if it has been billed.
pub async fn period(
    session: &mut Session,
    subscription: SubscriptionId,
    number: i64,
) -> Result<Option<Period>> {
    session
        .first(
            sql("SELECT id, invoice_id FROM subscription_period \
                 WHERE subscription_id = $1 AND number = $2")
            .bind(subscription)
            .bind(number),
        )
        .await
}

/// Adds a period with its invoice; a unique key prevents duplicates.
pub async fn add_period(
    session: &mut Session,
    (subscription, plan, price): (SubscriptionId, PlanId, Cents),
    span: Span,
    invoice: InvoiceId,
    now: Time,
) -> Result<Period> {
    session
        .one(
            insert("subscription_period")
                .set("subscription_id", subscription)
                .set("plan_id", plan)
                .set("price_cents", price)
                .set("number", span.number)
                .set("starts_at", span.starts_at)
                .set("ends_at", span.ends_at)
                .set("invoice_id", invoice)
                .set("created_at", now)
                .returning(&["id", "invoice_id"]),
        )
        .await
}
