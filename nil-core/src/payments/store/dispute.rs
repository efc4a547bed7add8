//! The rows of disputes, of their division over payments, and of what payees bear.

use chrono::TimeDelta;
use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::error::{Result, codes};
use crate::kernel::{
    BasisPoints, Cents, ChargeId, DisputeId, Moved, PaymentId, SubscriptionChargeId, Time, fitting,
};
use crate::payments::disputes::dispute::{Dispute, DisputeShare, DisputeStatus, DisputeTerms};
use crate::payments::ledger::Owner;
use crate::ports::processor;
use crate::storage::{Session, advance, insert, sql, update};

/// The charge of a dispute, and whose card it was.
#[derive(Clone, Copy, Debug)]
pub enum Disputed {
    Payments(ChargeId, Owner),
    Subscription(SubscriptionChargeId, Owner),
}

impl Disputed {
    /// Whose card was charged.
    pub fn payer(self) -> Owner {
        match self {
            Self::Payments(_, owner) | Self::Subscription(_, owner) => owner,
        }
    }
}

/// The charge with this processor's id; none if it is not ours.
pub async fn charged(session: &mut Session, reference: &str) -> Result<Option<Disputed>> {
    let charge: Option<(ChargeId, String)> = session
        .first(
            sql("SELECT id, 'partner:' || partner_id FROM charge WHERE processor_charge_id = $1 \
                 AND status = 'succeeded'")
            .bind(reference),
        )
        .await?;
    let named = |name: &str| Owner::named(name).ok_or(codes::INTERNAL);
    if let Some((id, owner)) = charge {
        return Ok(Some(Disputed::Payments(id, named(&owner)?)));
    }
    let charge: Option<(SubscriptionChargeId, String)> = session
        .first(
            sql("SELECT c.id, CASE WHEN s.partner_id IS NULL THEN 'agent:' || s.agent_id \
                 ELSE 'partner:' || s.partner_id END FROM subscription_charge c \
                 JOIN subscription_period p ON p.id = c.period_id \
                 JOIN subscription s ON s.id = p.subscription_id \
                 WHERE c.processor_charge_id = $1 AND c.status = 'succeeded'")
            .bind(reference),
        )
        .await?;
    Ok(match charge {
        Some((id, owner)) => Some(Disputed::Subscription(id, named(&owner)?)),
        None => None,
    })
}

pub(super) fn select() -> SelectStatement {
    let mut query = Query::select();
    query
        .expr(Expr::cust(
            "d.id, d.kind, d.status, d.reason, d.amount_cents, d.fee_cents, \
             CAST(COALESCE((SELECT SUM(r.amount_cents) FROM refund r WHERE r.dispute_id = d.id \
                 AND r.status <> 'failed'), 0) AS BIGINT) AS borne_by_payees_cents, \
             d.currency, d.partner_id, d.agent_id, \
             COALESCE(b.company_name, g.agency_name, '') AS payer_name, d.charge_id, \
             d.subscription_charge_id, (SELECT COUNT(*) FROM dispute_share s \
                 WHERE s.dispute_id = d.id) AS payments, \
             (SELECT CASE WHEN COUNT(*) = 1 THEN MIN(p.number) END FROM dispute_share s \
                 JOIN payment p ON p.id = s.payment_id WHERE s.dispute_id = d.id) \
                 AS payment_number, d.processor_dispute_id, \
             d.evidence_due_at, d.statement, d.answered_by, d.answered_at, d.opened_at, \
             d.closed_at, d.updated_at",
        ))
        .from_as("dispute", "d");
    for (table, alias, column) in [("partner", "b", "partner_id"), ("agent", "g", "agent_id")] {
        let same = Expr::col((alias, "id")).equals(("d", column));
        query.join_as(JoinType::LeftJoin, table, alias, same);
    }
    query
}

/// A dispute.
pub async fn find(session: &mut Session, id: DisputeId) -> Result<Option<Dispute>> {
    session.first(select().and_where(Expr::col(("d", "id")).eq(id.get())).take()).await
}

/// The dispute with this processor's id, its row locked until the transaction ends.
pub async fn locked(session: &mut Session, reference: &str) -> Result<Option<Dispute>> {
    let id: Option<(DisputeId,)> = session
        .first(
            sql("SELECT id FROM dispute WHERE processor_dispute_id = $1")
                .locking("FOR UPDATE")
                .bind(reference),
        )
        .await?;
    match id {
        Some((id,)) => find(session, id).await,
        None => Ok(None),
    }
}

/// The id of a dispute that the processor knows under this one.
pub async fn named(session: &mut Session, reference: &str) -> Result<Option<DisputeId>> {
    let known = sql("SELECT id FROM dispute WHERE processor_dispute_id = $1").bind(reference);
    let found: Option<(DisputeId,)> = session.first(known).await?;
    Ok(found.map(|(id,)| id))
}

/// The processor's id of a payment's charge, once it has one; none for an unknown payment.
pub async fn charge_of(
    session: &mut Session,
    payment: PaymentId,
) -> Result<Option<Option<String>>> {
    let found: Option<(Option<String>,)> = session
        .first(
            sql("SELECT c.processor_charge_id FROM payment p JOIN charge c ON c.id = p.charge_id \
                 WHERE p.id = $1")
            .bind(payment),
        )
        .await?;
    Ok(found.map(|(charge,)| charge))
}

/// Writes a dispute in its first status; returns whether it was not there.
pub async fn add(
    session: &mut Session,
    of: Disputed,
    said: &processor::Dispute,
    status: DisputeStatus,
    now: Time,
) -> Result<bool> {
    let (charge, subscription) = match of {
        Disputed::Payments(charge, _) => (Some(charge), None),
        Disputed::Subscription(charge, _) => (None, Some(charge)),
    };
    let (partner, agent) = match of.payer() {
        Owner::Partner(id) => (Some(id), None),
        Owner::Agent(id) => (None, Some(id)),
        Owner::Athlete(_) => (None, None),
    };
    let row = insert("dispute")
        .set("processor_dispute_id", said.reference.clone())
        .set("charge_id", charge)
        .set("subscription_charge_id", subscription)
        .set("partner_id", partner)
        .set("agent_id", agent)
        .set("kind", said.kind)
        .set("status", status)
        .set("reason", &*fitting(&said.reason))
        .set("amount_cents", said.amount)
        .set("currency", said.currency.clone())
        .set("fee_cents", Cents::ZERO)
        .set("evidence_due_at", said.evidence_due_at)
        .set("opened_at", said.opened_at)
        .set("looked_at", now)
        .set("created_at", now)
        .set("updated_at", now);
    let written = session.run(row.unless_exists(&["processor_dispute_id"])).await?;
    Ok(written > 0)
}

/// Changes a dispute's status.
pub async fn change(
    session: &mut Session,
    id: DisputeId,
    moved: Moved<DisputeStatus>,
    now: Time,
) -> Result<()> {
    let closed = (!moved.to().is_open()).then_some(now);
    session.change(advance("dispute", id, moved, now).set("closed_at", closed)).await
}

/// Keeps what the processor says beside the status.
pub async fn note(
    session: &mut Session,
    id: DisputeId,
    said: &processor::Dispute,
    fee: Cents,
    now: Time,
) -> Result<()> {
    session
        .change(
            update("dispute")
                .set("kind", said.kind)
                .set("reason", &*fitting(&said.reason))
                .set("evidence_due_at", said.evidence_due_at)
                .set("fee_cents", fee)
                .set("looked_at", now)
                .when("id", id),
        )
        .await
}

/// Keeps what an operator hands in, before the processor is asked.
pub async fn answer(
    session: &mut Session,
    id: DisputeId,
    statement: &str,
    (by, now): (String, Time),
) -> Result<()> {
    session
        .change(
            update("dispute")
                .set("statement", statement)
                .set("answered_by", by)
                .set("answered_at", now)
                .set("updated_at", now)
                .when("id", id),
        )
        .await
}

/// Writes the division of a dispute.
pub async fn add_shares(
    session: &mut Session,
    id: DisputeId,
    shares: &[DisputeShare],
) -> Result<()> {
    for some in shares.chunks(super::CHUNK) {
        let mut rows = insert("dispute_share");
        for share in some {
            rows = rows
                .set("dispute_id", id)
                .set("payment_id", share.payment_id)
                .set("athlete_id", share.athlete_id)
                .set("agent_id", share.agent_id)
                .set("amount_cents", share.amount_cents)
                .set("fee_cents", share.fee_cents)
                .set("commission_cents", share.commission_cents)
                .set("athlete_waits_cents", share.athlete_waits_cents)
                .set("agent_waits_cents", share.agent_waits_cents)
                .row();
        }
        session.run(rows).await?;
    }
    Ok(())
}

/// The division of a dispute, in the order of its payments.
pub async fn shares(session: &mut Session, id: DisputeId) -> Result<Vec<DisputeShare>> {
    session
        .all(
            sql("SELECT s.payment_id, p.number AS payment_number, s.athlete_id, \
                 a.display_name AS athlete_name, s.agent_id, s.amount_cents, s.fee_cents, \
                 s.commission_cents, s.athlete_waits_cents, s.agent_waits_cents \
                 FROM dispute_share s JOIN payment p ON p.id = s.payment_id \
                 JOIN athlete a ON a.id = s.athlete_id WHERE s.dispute_id = $1 \
                 ORDER BY s.payment_id")
            .bind(id),
        )
        .await
}

/// The payments of a charge, in their order.
pub async fn payments_of(session: &mut Session, charge: ChargeId) -> Result<Vec<PaymentId>> {
    let rows: Vec<(PaymentId,)> = session
        .all(sql("SELECT id FROM payment WHERE charge_id = $1 ORDER BY id").bind(charge))
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Keeps the status of the latest dispute with the payments.
pub async fn mark_payments(session: &mut Session, charge: ChargeId, now: Time) -> Result<()> {
    session
        .run(
            sql("UPDATE payment SET dispute_status = (SELECT d.status FROM dispute d \
                 WHERE d.charge_id = payment.charge_id ORDER BY d.id DESC LIMIT 1), \
                 updated_at = $2 WHERE charge_id = $1")
            .bind(charge)
            .bind(now),
        )
        .await
        .map(|_| ())
}

/// Whether a bank has taken a charge of payments back, and has not decided for the platform.
pub async fn is_taken(session: &mut Session, payment: PaymentId) -> Result<bool> {
    session
        .value(
            sql("SELECT EXISTS (SELECT 1 FROM payment p JOIN dispute d \
                 ON d.charge_id = p.charge_id WHERE p.id = $1 \
                 AND d.status IN ('needs_response', 'under_review'))")
            .bind(payment),
        )
        .await
}

/// Whether a bank has taken a charge of a subscription back, for good or not decided.
pub async fn is_taken_from_subscription(
    session: &mut Session,
    charge: SubscriptionChargeId,
) -> Result<bool> {
    session
        .value(
            sql("SELECT EXISTS (SELECT 1 FROM dispute d WHERE d.subscription_charge_id = $1 \
                 AND d.status IN ('needs_response', 'under_review', 'lost'))")
            .bind(charge),
        )
        .await
}

/// How much of an owner's wallet waits for open disputes.
pub async fn waiting(session: &mut Session, owner: Owner) -> Result<Cents> {
    macro_rules! of {
        ($column:literal, $payee:literal) => {
            concat!(
                "SELECT CAST(COALESCE(SUM(s.",
                $column,
                "), 0) AS BIGINT) FROM dispute_share s JOIN dispute d ON d.id = s.dispute_id \
                 WHERE s.",
                $payee,
                " = $1 AND d.status IN ('warning', 'needs_response', 'under_review')"
            )
        };
    }
    let (text, id) = match owner {
        Owner::Athlete(id) => (of!("athlete_waits_cents", "athlete_id"), id.get()),
        Owner::Agent(id) => (of!("agent_waits_cents", "agent_id"), id.get()),
        Owner::Partner(_) => return Ok(Cents::ZERO),
    };
    session.value(sql(text).bind(id)).await
}

/// Open disputes that were not asked about since an instant, the least recent first.
pub async fn unwatched(session: &mut Session, before: Time) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = session
        .all(
            sql("SELECT processor_dispute_id FROM dispute \
                 WHERE status IN ('warning', 'needs_response', 'under_review') \
                 AND looked_at < $1 ORDER BY looked_at LIMIT 100")
            .bind(before),
        )
        .await?;
    Ok(rows.into_iter().map(|(reference,)| reference).collect())
}

/// Records that a dispute was asked about.
pub async fn looked_at(session: &mut Session, reference: &str, now: Time) -> Result<()> {
    let row = update("dispute").set("looked_at", now).when("processor_dispute_id", reference);
    session.run(row).await.map(|_| ())
}

/// From when the processor's list is to be read, if it is due: it was not read for `pause`.
pub async fn list_due(
    session: &mut Session,
    now: Time,
    (pause, overlap): (TimeDelta, TimeDelta),
) -> Result<Option<Time>> {
    let read: Option<Time> =
        session.value(sql("SELECT disputes_read_at FROM installation WHERE id = 1")).await?;
    Ok(match read {
        Some(read) if now - read < pause && read <= now => None,
        Some(read) if read < now => Some(read - overlap),
        _ => Some(now - overlap),
    })
}

/// Records when the processor's list was read.
pub async fn list_read(session: &mut Session, now: Time) -> Result<()> {
    session.change(update("installation").set("disputes_read_at", now).when("id", 1_i64)).await
}

/// What payees bear of payments made at an instant.
pub async fn borne_at(session: &mut Session, paid_at: Time) -> Result<BasisPoints> {
    let found: Option<(BasisPoints,)> = session
        .first(
            sql("SELECT payee_basis_points FROM dispute_terms WHERE applies_from <= $1 \
                 ORDER BY applies_from DESC, id DESC LIMIT 1")
            .bind(paid_at),
        )
        .await?;
    Ok(found.map_or_else(BasisPoints::default, |(rate,)| rate))
}

/// All terms, the latest first.
pub async fn all_terms(session: &mut Session) -> Result<Vec<DisputeTerms>> {
    let all = "SELECT payee_basis_points, applies_from, set_by FROM dispute_terms \
        ORDER BY applies_from DESC, id DESC LIMIT 100";
    session.all(sql(all)).await
}

/// Writes terms that hold from an instant on.
pub async fn add_terms(
    session: &mut Session,
    rate: BasisPoints,
    (set_by, now): (String, Time),
) -> Result<DisputeTerms> {
    session
        .one(
            insert("dispute_terms")
                .set("payee_basis_points", rate)
                .set("applies_from", now)
                .set("set_by", set_by)
                .returning(&["payee_basis_points", "applies_from", "set_by"]),
        )
        .await
}
