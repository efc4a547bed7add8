//! The records that differences from the processor's statement are about, and requests without an
//! outcome.

use sea_query::{Expr, JoinType, Query, SelectStatement};

use crate::error::Result;
use crate::kernel::ProcessorDifferenceId;
use crate::payments::movement::request::ProcessorRequest;
use crate::payments::reconciliation::difference::{DifferenceRecord, ProcessorDifference};
use crate::storage::{Among as _, FromRow, Session};

#[derive(Clone, Debug, FromRow)]
struct Found<N> {
    named: N,
    #[row(flatten)]
    record: DifferenceRecord,
}

/// What is told of a record: of a request `m` under the key, or of a dispute `q`.
const RECORD: &str = "COALESCE(m.kind, 'dispute') AS kind, \
    COALESCE(m.record_id, q.id) AS id, CASE m.kind \
        WHEN 'charge' THEN (SELECT MIN(p.id) FROM payment p WHERE p.charge_id = m.record_id) \
        WHEN 'refund' THEN (SELECT r.payment_id FROM refund r WHERE r.id = m.record_id) \
    END AS payment_id, o.athlete_id, COALESCE(o.agent_id, u.agent_id) AS agent_id, \
    COALESCE(h.partner_id, u.partner_id) AS partner_id";

/// What is joined, with its alias and how it is found.
const JOINS: [(&str, &str, &str); 8] = [
    ("movement", "m", "m.key = d.key"),
    ("dispute", "q", "m.key IS NULL AND q.processor_dispute_id IN (d.key, d.source)"),
    ("payout", "o", "m.kind = 'payout' AND o.id = m.record_id"),
    ("charge", "h", "m.kind = 'charge' AND h.id = m.record_id"),
    ("subscription_refund", "b", "m.kind = 'subscription_refund' AND b.id = m.record_id"),
    (
        "subscription_charge",
        "s",
        "s.id = CASE m.kind WHEN 'subscription_charge' THEN m.record_id ELSE b.charge_id END",
    ),
    ("subscription_period", "e", "e.id = s.period_id"),
    ("subscription", "u", "u.id = e.subscription_id"),
];

/// The records of the rows `d`, which have a key and a processor's id; `named` tells them apart.
fn records(named: &str, rows: SelectStatement) -> SelectStatement {
    let mut query = Query::select();
    query.expr(Expr::cust(format!("{named} AS named, {RECORD}"))).from_subquery(rows, "d");
    for (table, alias, found) in JOINS {
        query.join_as(JoinType::LeftJoin, table, alias, Expr::cust(found));
    }
    query
        .and_where(Expr::cust("(m.key IS NOT NULL OR q.id IS NOT NULL)"))
        .order_by_expr(Expr::cust(named.to_owned()), sea_query::Order::Asc)
        .take()
}

/// Adds to differences the records that they are about.
pub async fn add(session: &mut Session, all: &mut [ProcessorDifference]) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let rows = Query::select()
        .columns(["id", "key", "source"])
        .from("processor_difference")
        .and_where(Expr::col("id").among(all.iter().map(|one| one.id.get())))
        .take();
    let found: Vec<Found<ProcessorDifferenceId>> = session.all(records("d.id", rows)).await?;
    for one in all {
        let own = found.iter().find(|found| found.named == one.id);
        one.record = own.map(|found| found.record.clone());
    }
    Ok(())
}

/// Adds to requests the records that they are for.
pub async fn add_to_requests(session: &mut Session, all: &mut [ProcessorRequest]) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let rows = Query::select()
        .column("key")
        .expr_as(Expr::cust("CAST(NULL AS TEXT)"), "source")
        .from("movement")
        .and_where(Expr::col("key").among(all.iter().map(|one| one.key.as_str())))
        .take();
    let found: Vec<Found<String>> = session.all(records("d.key", rows)).await?;
    for one in all {
        let own = found.iter().find(|found| found.named == one.key);
        one.record = own.map(|found| found.record.clone());
    }
    Ok(())
}
