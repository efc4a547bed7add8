//! The records that differences from the processor's statement are about.

use sea_query::{Expr, JoinType, Query};

use crate::error::Result;
use crate::kernel::ProcessorDifferenceId;
use crate::payments::reconciliation::difference::{DifferenceRecord, ProcessorDifference};
use crate::storage::{Among as _, FromRow, Session};

#[derive(Clone, Debug, FromRow)]
struct Found {
    difference_id: ProcessorDifferenceId,
    #[row(flatten)]
    record: DifferenceRecord,
}

/// What is told of a record: of a request `m` under the key, or of a dispute `q`.
const RECORD: &str = "d.id AS difference_id, COALESCE(m.kind, 'dispute') AS kind, \
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

/// Adds to differences the records that they are about.
pub async fn add(session: &mut Session, all: &mut [ProcessorDifference]) -> Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let mut query = Query::select();
    query.expr(Expr::cust(RECORD)).from_as("processor_difference", "d");
    for (table, alias, found) in JOINS {
        query.join_as(JoinType::LeftJoin, table, alias, Expr::cust(found));
    }
    query
        .and_where(Expr::col(("d", "id")).among(all.iter().map(|one| one.id.get())))
        .and_where(Expr::cust("(m.key IS NOT NULL OR q.id IS NOT NULL)"))
        .order_by(("d", "id"), sea_query::Order::Asc);
    let found: Vec<Found> = session.all(query).await?;
    for one in all {
        let own = found.iter().find(|found| found.difference_id == one.id);
        one.record = own.map(|found| found.record.clone());
    }
    Ok(())
}
