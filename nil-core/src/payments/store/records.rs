//! Payments as their parties and operators see them: one query, with filters.

use std::collections::HashMap;

use sea_query::{Cond, Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};

use super::{CHUNK, commission};
use crate::error::Result;
use crate::kernel::{
    Cents, ChargeId, ConversionId, DeliverableId, FollowedPage, Listing, PaymentId,
};
use crate::payments::browsing::filter::{PaymentSort, Wanted};
use crate::payments::charges::payment::Payment;
use crate::payments::refunds::refund::RefundStatus;
use crate::storage::{Among as _, Found, FromRow, Narrow as _, Session, contains, first_of};

fn joined(wanted: &Wanted, columns: impl Into<String>) -> SelectStatement {
    let mut query = narrowed(wanted);
    query.expr(Expr::cust(columns.into())).cond_where(naming(wanted));
    with_names(&mut query);
    query
}

/// Payments that the words are looked for in; those of [`with_names`].
fn naming(wanted: &Wanted) -> Cond {
    let texts = [("p", "number"), ("a", "display_name"), ("b", "company_name"), ("j", "title")];
    contains(texts.map(Expr::col), wanted.q.as_deref())
}

/// Joins what payments are about: each payment has one of each.
fn with_names(query: &mut SelectStatement) {
    for (table, alias, of) in [
        ("charge", "ch", ("p", "charge_id")),
        ("athlete", "a", ("p", "athlete_id")),
        ("partner", "b", ("p", "partner_id")),
        ("contract", "c", ("p", "contract_id")),
        ("job", "j", ("c", "job_id")),
    ] {
        let on = Expr::col((alias, "id")).equals(of);
        query.join_as(JoinType::InnerJoin, table, alias, on);
    }
}

fn narrowed(wanted: &Wanted) -> SelectStatement {
    let mut query = Query::select();
    query
        .from_as("payment", "p")
        .only(("p", "id"), wanted.id)
        .only(("p", "charge_id"), wanted.charge)
        .only(("p", "partner_id"), wanted.partner)
        .only(("p", "athlete_id"), wanted.athlete)
        .only(("p", "contract_id"), wanted.contract)
        .only_among(("p", "status"), wanted.statuses.iter().copied())
        .only_from(("p", "created_at"), wanted.from)
        .only_before(("p", "created_at"), wanted.until);
    if let Some((is_so, before)) = wanted.unconfirmed {
        let pending = Query::select()
            .column("payment_id")
            .from("refund")
            .and_where(Expr::col("status").eq(RefundStatus::Pending))
            .and_where(Expr::col("updated_at").lt(before))
            .take();
        let payment = Expr::col(("p", "id"));
        query.and_where(if is_so {
            payment.in_subquery(pending)
        } else {
            payment.not_in_subquery(pending)
        });
    }
    query
}

const RECORD: &str = "p.id, p.number, p.partner_id, b.company_name, p.athlete_id, \
    a.display_name AS athlete_name, p.contract_id, c.job_id, j.title AS job_title, \
    p.amount_cents, p.fee_cents, p.agent_commission_cents, p.total_cents, p.currency, ch.kind, \
    CASE WHEN ch.kind = 'bulk' THEN ch.id END AS bulk_id, p.status, \
    ch.confirm_until, p.failure_code, \
    ch.processor_charge_id, p.paid_at, p.refunded_cents, p.refunded_fee_cents, \
    p.dispute_status, p.created_at, p.updated_at";

/// The totals of some payments. Failed ones count in `count` only.
#[derive(Clone, Copy, Debug, Default, FromRow)]
pub struct Sums {
    pub count: i64,
    pub amount_cents: Cents,
    pub fee_cents: Cents,
    pub commission_cents: Cents,
    pub refunded_cents: Cents,
}

/// The number of payments, and the totals of those that were charged. They are added up for each
/// state first, in the order of an index that has all that is added.
async fn sums(session: &mut Session, wanted: &Wanted) -> Result<Sums> {
    const OF_STATE: &str = "p.status, COUNT(*) AS count, SUM(p.amount_cents) AS amount_cents, \
        SUM(p.fee_cents) AS fee_cents, SUM(p.agent_commission_cents) AS commission_cents, \
        SUM(p.refunded_cents) AS refunded_cents";
    const PAID: &str = "s.status IN ('succeeded', 'partially_refunded', 'refunded')";
    let naming = naming(wanted);
    let mut states = narrowed(wanted);
    if !naming.is_empty() {
        with_names(&mut states);
    }
    states.expr(Expr::cust(OF_STATE)).cond_where(naming).group_by_col(("p", "status"));
    let sum = |column: &str| {
        let paid = format!("CASE WHEN {PAID} THEN s.{column} ELSE 0 END");
        format!("CAST(COALESCE(SUM({paid}), 0) AS BIGINT) AS {column}")
    };
    let paid = ["amount_cents", "fee_cents", "commission_cents", "refunded_cents"].map(sum);
    let columns =
        format!("CAST(COALESCE(SUM(s.count), 0) AS BIGINT) AS count, {}", paid.join(", "));
    let all = Query::select().expr(Expr::cust(columns)).from_subquery(states, "s").take();
    session.one(all).await
}

/// A page of payments, newest first by default, and the totals of all pages.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    place: FollowedPage,
) -> Result<(Listing<Payment>, Sums)> {
    let sums = sums(session, wanted).await?;
    let sort = wanted.sort.unwrap_or(PaymentSort::Newest);
    let rows = Found::of_total(joined(wanted, RECORD), sums.count);
    let rows = rows.sorted(sort.keys(|column| Expr::col(("p", column))));
    let (payments, place) = session.follow(rows, place).await?.split();
    Ok((place.of(with_deliverables(session, payments).await?), sums))
}

/// The next payments in the order of their ids, without what they settle; empty after the last one.
pub async fn after(
    session: &mut Session,
    wanted: &Wanted,
    last: Option<PaymentId>,
    most: u64,
) -> Result<Vec<Payment>> {
    let mut query = joined(wanted, RECORD);
    let last = last.map(|last| [last.get().into()]);
    query.behind([("p", "id")], Order::Asc, last).limit(most);
    session.all(query).await
}

/// The payments of a charge, in the order of the request.
pub async fn of_charge(session: &mut Session, charge: ChargeId) -> Result<Vec<Payment>> {
    all(session, &Wanted { charge: Some(charge), ..Wanted::default() }).await
}

/// One payment.
pub async fn one(session: &mut Session, id: PaymentId) -> Result<Payment> {
    first_of(all(session, &Wanted { id: Some(id), ..Wanted::default() }).await?)
}

async fn all(session: &mut Session, wanted: &Wanted) -> Result<Vec<Payment>> {
    let mut query = joined(wanted, RECORD);
    query.order_by(("p", "id"), Order::Asc);
    let payments = session.all(query).await?;
    with_deliverables(session, payments).await
}

async fn with_deliverables(
    session: &mut Session,
    mut payments: Vec<Payment>,
) -> Result<Vec<Payment>> {
    let mut settled: HashMap<PaymentId, Vec<DeliverableId>> = HashMap::new();
    let mut sales: HashMap<PaymentId, Vec<ConversionId>> = HashMap::new();
    for chunk in payments.chunks(4 * CHUNK) {
        let rows: Vec<(PaymentId, DeliverableId)> = session
            .all(
                Query::select()
                    .expr(Expr::cust("s.payment_id, s.deliverable_id"))
                    .from_as("payment_share", "s")
                    .join_as(
                        JoinType::InnerJoin,
                        "deliverable",
                        "d",
                        Expr::col(("d", "id")).equals(("s", "deliverable_id")),
                    )
                    .and_where(
                        Expr::col(("s", "payment_id")).among(chunk.iter().map(|p| p.id.get())),
                    )
                    .order_by(("d", "due_at"), Order::Asc)
                    .order_by(("d", "id"), Order::Asc)
                    .take(),
            )
            .await?;
        for (payment, deliverable) in rows {
            settled.entry(payment).or_default().push(deliverable);
        }
        let ids: Vec<PaymentId> = chunk.iter().map(|payment| payment.id).collect();
        for (payment, sale) in commission::of_payments(session, &ids).await? {
            sales.entry(payment).or_default().push(sale);
        }
    }
    for payment in &mut payments {
        payment.deliverable_ids = settled.remove(&payment.id).unwrap_or_default();
        payment.conversion_ids = sales.remove(&payment.id).unwrap_or_default();
    }
    Ok(payments)
}
