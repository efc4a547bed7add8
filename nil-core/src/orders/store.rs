//! The rows of orders.

use sea_query::{
    Expr, ExprTrait as _, JoinType, LockType, Order as Direction, Query, SelectStatement,
};

use super::Offer;
use super::order::{Order, OrderStatus};
use crate::auth::Party;
use crate::error::Result;
use crate::kernel::{
    AthleteId, BasisPoints, CategoryId, ContractId, Date, DeliverableId, FollowedPage, JobId,
    Listing, Moved, PartnerId, ServiceOrderId, Time, UserId,
};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{
    Among as _, FromRow, Key, Narrow as _, Session, advance, insert, sorted, sql,
};

const OWN: [&str; 25] = [
    "id",
    "offer_id",
    "athlete_id",
    "partner_id",
    "category_id",
    "kind",
    "platform",
    "title",
    "description",
    "price_cents",
    "fee_basis_points",
    "delivery_days",
    "note",
    "business_purpose",
    "wanted_by",
    "status",
    "reason",
    "expires_at",
    "contract_id",
    "deliverable_id",
    "review_by",
    "answered_at",
    "delivered_at",
    "ended_at",
    "created_at",
];

fn own(column: &'static str) -> Expr {
    Expr::col(("o", column))
}

fn records() -> SelectStatement {
    let mut query = Query::select();
    query
        .columns(OWN.map(|column| ("o", column)))
        .expr(Expr::cust(
            "o.updated_at, a.display_name AS athlete_name, b.company_name, c.job_id, d.due_on, \
             'usd' AS currency",
        ))
        .from_as("service_order", "o");
    for (kind, table, alias, of) in [
        (JoinType::InnerJoin, "athlete", "a", "athlete_id"),
        (JoinType::InnerJoin, "partner", "b", "partner_id"),
        (JoinType::LeftJoin, "contract", "c", "contract_id"),
        (JoinType::LeftJoin, "deliverable", "d", "deliverable_id"),
    ] {
        let on = Expr::col((alias, "id")).equals(("o", of));
        query.join_as(kind, table, alias, on);
    }
    query
}

async fn one(session: &mut Session, query: SelectStatement) -> Result<Order> {
    let found: Order = session.one(query).await?;
    Ok(found.priced())
}

/// The required owner of an order.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// Any owner.
    Anybody,
    /// This athlete's.
    Athlete(AthleteId),
    /// This brand's.
    Partner(PartnerId),
}

fn record(id: ServiceOrderId, whose: Whose) -> SelectStatement {
    let mut query = records();
    query.and_where(own("id").eq(id.get()));
    match whose {
        Whose::Anybody => &mut query,
        Whose::Athlete(athlete) => query.and_where(own("athlete_id").eq(athlete.get())),
        Whose::Partner(partner) => query.and_where(own("partner_id").eq(partner.get())),
    };
    query
}

/// The order, if it has this owner. Code that follows its contract locks the contract instead.
pub async fn find(session: &mut Session, id: ServiceOrderId, whose: Whose) -> Result<Order> {
    one(session, record(id, whose)).await
}

/// The order, if it has this owner, locked until the transaction ends. Code that follows its
/// contract locks the contract instead.
pub async fn lock(session: &mut Session, id: ServiceOrderId, whose: Whose) -> Result<Order> {
    let mut query = record(id, whose);
    query.lock_with_tables(LockType::Update, ["o"]);
    one(session, query).await
}

/// Whether a brand's account is in use.
pub async fn is_in_use(session: &mut Session, partner: PartnerId) -> Result<bool> {
    session
        .value(
            sql("SELECT EXISTS (SELECT 1 FROM partner p JOIN app_user u ON u.id = p.user_id \
                 WHERE p.id = $1 AND u.status = 'active')")
            .bind(partner),
        )
        .await
}

/// An order to add.
pub struct NewOrder<'a> {
    pub offer: &'a Offer,
    pub partner: PartnerId,
    pub category: CategoryId,
    pub fee: BasisPoints,
    pub note: Option<String>,
    pub business_purpose: String,
    pub wanted_by: Option<Date>,
    pub expires_at: Time,
}

/// Adds an order with the current content of the offer; 409 `order_pending` if the brand's last
/// order of it is not answered.
pub async fn add(session: &mut Session, new: NewOrder<'_>, now: Time) -> Result<Order> {
    let offer = new.offer;
    let id: ServiceOrderId = session
        .value(
            insert("service_order")
                .set("offer_id", offer.id)
                .set("athlete_id", offer.athlete_id)
                .set("partner_id", new.partner)
                .set("category_id", new.category)
                .set("kind", offer.kind)
                .set("platform", offer.platform)
                .set("title", offer.title.clone())
                .set("description", offer.description.clone())
                .set("price_cents", offer.price_cents)
                .set("fee_basis_points", new.fee)
                .set("delivery_days", offer.delivery_days)
                .set("note", new.note)
                .set("business_purpose", new.business_purpose)
                .set("wanted_by", new.wanted_by)
                .set("status", OrderStatus::Ordered)
                .set("expires_at", new.expires_at)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await?;
    again(session, id).await
}

/// The changed order.
pub async fn again(session: &mut Session, id: ServiceOrderId) -> Result<Order> {
    find(session, id, Whose::Anybody).await
}

/// Stores the athlete's acceptance: from now on the order belongs to this contract.
pub async fn accept(
    session: &mut Session,
    id: ServiceOrderId,
    moved: Moved<OrderStatus>,
    (contract, deliverable): (ContractId, DeliverableId),
    now: Time,
) -> Result<()> {
    let row = advance("service_order", id, moved, now)
        .set("contract_id", contract)
        .set("deliverable_id", deliverable)
        .set("answered_at", now);
    session.change(row).await
}

/// Ends an order that has not become a contract.
pub async fn end(
    session: &mut Session,
    id: ServiceOrderId,
    moved: Moved<OrderStatus>,
    reason: Option<String>,
    now: Time,
) -> Result<()> {
    let mut row =
        advance("service_order", id, moved, now).set("reason", reason).set("ended_at", now);
    if moved.to() == OrderStatus::Declined {
        row = row.set("answered_at", now);
    }
    session.change(row).await
}

/// Changes an order's state after its contract's. `review_by` is only set for delivered orders.
pub async fn follow(
    session: &mut Session,
    id: ServiceOrderId,
    moved: Moved<OrderStatus>,
    review_by: Option<Time>,
    now: Time,
) -> Result<()> {
    let mut row = advance("service_order", id, moved, now).set("review_by", review_by);
    match moved.to() {
        OrderStatus::Delivered => row = row.set("delivered_at", now),
        OrderStatus::Completed | OrderStatus::Cancelled => row = row.set("ended_at", now),
        OrderStatus::Ordered
        | OrderStatus::Accepted
        | OrderStatus::Declined
        | OrderStatus::Expired => {}
    }
    session.change(row).await
}

/// An order with a contract, and the accounts to notify.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Followed {
    pub id: ServiceOrderId,
    pub status: OrderStatus,
    pub job_id: JobId,
    pub athlete_user_id: UserId,
    pub partner_user_id: UserId,
}

/// The orders of these locked contracts.
pub async fn of_contracts(
    session: &mut Session,
    contracts: &[ContractId],
) -> Result<Vec<Followed>> {
    let mut query = Query::select();
    query
        .columns([("o", "id"), ("o", "status"), ("c", "job_id")])
        .expr_as(Expr::col(("a", "user_id")), "athlete_user_id")
        .expr_as(Expr::col(("b", "user_id")), "partner_user_id")
        .from_as("service_order", "o");
    for (table, alias, of) in [
        ("contract", "c", "contract_id"),
        ("athlete", "a", "athlete_id"),
        ("partner", "b", "partner_id"),
    ] {
        let on = Expr::col((alias, "id")).equals(("o", of));
        query.join_as(JoinType::InnerJoin, table, alias, on);
    }
    query
        .and_where(Expr::col(("o", "contract_id")).among(contracts.iter().map(|id| id.get())))
        .order_by(("o", "id"), Direction::Asc);
    session.all(query).await
}

/// The accounts of both sides of an order: the athlete's and the brand's.
pub async fn users(session: &mut Session, order: &Order) -> Result<(UserId, UserId)> {
    session
        .one(
            sql("SELECT a.user_id, b.user_id FROM athlete a, partner b \
                 WHERE a.id = $1 AND b.id = $2")
            .bind(order.athlete_id)
            .bind(order.partner_id),
        )
        .await
}

/// A page of a caller's orders, newest first.
pub async fn page(
    session: &mut Session,
    whose: &Party,
    statuses: &[OrderStatus],
    place: FollowedPage,
) -> Result<Listing<Order>> {
    let theirs = match whose {
        Party::Athlete(athlete) => own("athlete_id").eq(athlete.id.get()),
        Party::Partner(partner) => own("partner_id").eq(partner.id.get()),
        Party::Agent(agent) => own("athlete_id").in_subquery(
            Query::select()
                .column("athlete_id")
                .from("representation")
                .and_where(Expr::col("agent_id").eq(agent.id.get()))
                .and_where(Expr::col("status").eq("active"))
                .take(),
        ),
    };
    let mut rows = records();
    rows.and_where(theirs).only_among(("o", "status"), statuses.iter().copied());
    let rows = sorted(rows, [Key::down(own("id"))]);
    Ok(session.follow(rows, place).await?.map(Order::priced))
}

/// Unanswered orders whose time to answer is over, oldest first.
pub async fn unanswered(
    session: &mut Session,
    now: Time,
    behind: Behind,
) -> Result<Page<ServiceOrderId>> {
    const DUE: &str =
        due_ids!("service_order", "expires_at", "status = 'ordered' AND expires_at < $1");
    due::ids(session, DUE, now, behind).await
}

/// Delivered orders still waiting for the brand's review after its time is over.
pub async fn unreviewed(
    session: &mut Session,
    now: Time,
    behind: Behind,
) -> Result<Page<ServiceOrderId>> {
    let rows: Vec<(Time, ServiceOrderId)> = session
        .all(
            sql("SELECT o.review_by, o.id FROM service_order o \
                 JOIN deliverable d ON d.id = o.deliverable_id \
                 WHERE o.status = 'delivered' AND o.review_by < $1 \
                 AND (o.review_by, o.id) > ($2, $3) AND d.status = 'submitted' \
                 ORDER BY o.review_by, o.id LIMIT 200")
            .bind(now)
            .bind(behind.at)
            .bind(behind.id),
        )
        .await?;
    Ok(rows.into())
}
