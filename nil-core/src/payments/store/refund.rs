//! The rows of refunds, and the payment a refund is about.

use sea_query::{Expr, ExprTrait as _, Order, Query};

use super::movement;
use crate::error::Result;
use crate::jobs::Compensation;
use crate::kernel::{
    AgentId, AthleteId, Cents, ChargeId, DisputeId, Identity as _, Moved, PartnerId, PaymentId,
    RefundId, Time, UserId,
};
use crate::payments::charges::payment::PaymentStatus;
use crate::payments::refunds::refund::{Parts, Refund, RefundFee, RefundStatus, Returned};
use crate::ports::processor::{MoneyKind, Request};
use crate::storage::{FromRow, Selected as _, Session, advance, insert, sql, update};

/// The facts about a payment that a refund needs.
#[derive(Clone, Debug, FromRow)]
pub struct Refundable {
    pub id: PaymentId,
    pub number: String,
    pub partner_id: PartnerId,
    pub athlete_id: AthleteId,
    pub agent_id: Option<AgentId>,
    pub amount_cents: Cents,
    pub fee_cents: Cents,
    pub agent_commission_cents: Cents,
    pub refunded_cents: Cents,
    pub status: PaymentStatus,
    pub paid_at: Option<Time>,
    pub processor_charge_id: Option<String>,
    pub athlete_user_id: UserId,
    pub partner_user_id: UserId,
    pub company_name: String,
    pub job_title: String,
    pub compensation: Compensation,
}

impl Refundable {
    /// What was paid.
    pub fn paid(&self) -> Parts {
        Parts {
            amount: self.amount_cents,
            fee: self.fee_cents,
            commission: self.agent_commission_cents,
        }
    }
}

/// A payment, locked until the transaction ends.
pub async fn payment(session: &mut Session, id: PaymentId) -> Result<Refundable> {
    const PAYMENT: &str = "SELECT p.id, p.number, p.partner_id, p.athlete_id, p.agent_id, \
        p.amount_cents, p.fee_cents, p.agent_commission_cents, p.refunded_cents, p.status, \
        p.paid_at, ch.processor_charge_id, a.user_id AS athlete_user_id, b.user_id AS partner_user_id, \
        b.company_name, j.title AS job_title, j.compensation \
        FROM payment p \
        JOIN charge ch ON ch.id = p.charge_id JOIN athlete a ON a.id = p.athlete_id \
        JOIN partner b ON b.id = p.partner_id JOIN contract c ON c.id = p.contract_id \
        JOIN job j ON j.id = c.job_id WHERE p.id = $1";
    session.one(sql(PAYMENT).locking("FOR UPDATE OF p").bind(id)).await
}

/// What was refunded of a payment, refunds under way included, and what lost disputes took beyond
/// that. Older refunds do not record whether they asked for their part of the fee; those that
/// returned some count as if they did.
pub async fn so_far(session: &mut Session, id: PaymentId) -> Result<Returned> {
    returned(session, id, RefundStatus::Pending).await
}

/// As [`so_far`], without refunds under way: the card does not have their money yet, and if its
/// bank takes the charge back first, it never gets it as a refund.
pub async fn arrived(session: &mut Session, id: PaymentId) -> Result<Returned> {
    returned(session, id, RefundStatus::Succeeded).await
}

/// What refunds that have succeeded, or have this status, gave back.
async fn returned(session: &mut Session, id: PaymentId, or: RefundStatus) -> Result<Returned> {
    let (amount, fee, commission, with_fee, fee_in_parts): (Cents, Cents, Cents, Cents, Cents) =
        session
            .one(
                sql("SELECT CAST(COALESCE(SUM(r.amount_cents), 0) AS BIGINT), \
                     CAST(COALESCE(SUM(r.fee_cents), 0) AS BIGINT), \
                     CAST(COALESCE(SUM(r.commission_cents), 0) AS BIGINT), \
                     CAST(COALESCE(SUM(CASE WHEN r.in_part THEN r.amount_cents ELSE 0 END), 0) \
                     AS BIGINT), \
                     CAST(COALESCE(SUM(CASE WHEN r.in_part THEN r.fee_cents ELSE 0 END), 0) \
                     AS BIGINT) FROM (SELECT amount_cents, fee_cents, commission_cents, \
                         COALESCE(refund_fee = 'proportional', fee_cents > 0) AS in_part \
                         FROM refund WHERE payment_id = $1 AND status IN ('succeeded', $2) \
                     UNION ALL SELECT s.amount_cents - COALESCE(b.amount_cents, 0), s.fee_cents, \
                         s.commission_cents - COALESCE(b.commission_cents, 0), TRUE \
                         FROM dispute_share s JOIN dispute d ON d.id = s.dispute_id \
                         AND d.status = 'lost' LEFT JOIN refund b ON b.dispute_id = d.id \
                         AND b.payment_id = s.payment_id AND b.status <> 'failed' \
                         WHERE s.payment_id = $1) r")
                .bind(id)
                .bind(or),
            )
            .await?;
    Ok(Returned { all: Parts { amount, fee, commission }, with_fee, fee_in_parts })
}

/// What the payer's bank can still take of a charge: without what refunds and lost disputes have
/// given back.
pub async fn left_of(session: &mut Session, charge: ChargeId) -> Result<Cents> {
    let left = "SELECT CAST((SELECT COALESCE(SUM(amount_cents + fee_cents), 0) FROM payment \
            WHERE charge_id = $1) - (SELECT COALESCE(SUM(r.amount_cents + r.fee_cents), 0) \
            FROM refund r JOIN payment p ON p.id = r.payment_id WHERE p.charge_id = $1 \
            AND r.status = 'succeeded' AND r.dispute_id IS NULL) - (SELECT \
            COALESCE(SUM(amount_cents), 0) FROM dispute WHERE charge_id = $1 \
            AND status = 'lost') AS BIGINT)";
    session.value(sql(left).bind(charge)).await
}

/// The requests of a charge's refunds that have succeeded: each can still fail.
pub async fn requests_of(session: &mut Session, charge: ChargeId) -> Result<Vec<Request>> {
    let rows: Vec<(RefundId,)> = session
        .all(
            sql("SELECT r.id FROM refund r JOIN payment p ON p.id = r.payment_id \
                 WHERE p.charge_id = $1 AND r.status = 'succeeded' AND r.dispute_id IS NULL \
                 ORDER BY r.id")
            .bind(charge),
        )
        .await?;
    let mut requests = Vec::new();
    for (id,) in rows {
        let attempt = movement::current(session, (RefundId::KIND, id.get())).await?;
        requests.extend(attempt.map(|attempt| attempt.request(MoneyKind::Refund)));
    }
    Ok(requests)
}

/// Writes a refund as pending.
pub async fn add(
    session: &mut Session,
    payment: PaymentId,
    (parts, fee, dispute): (Parts, RefundFee, Option<DisputeId>),
    reason: &str,
    requested_by: String,
    now: Time,
) -> Result<Refund> {
    session
        .one(
            insert("refund")
                .set("payment_id", payment)
                .set("amount_cents", parts.amount)
                .set("fee_cents", parts.fee)
                .set("commission_cents", parts.commission)
                .set("refund_fee", fee)
                .set("dispute_id", dispute)
                .set("reason", reason)
                .set("status", RefundStatus::Pending)
                .set("requested_by", requested_by)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(Refund::COLUMNS),
        )
        .await
}

const REFUND: &str = "SELECT id, payment_id, amount_cents, fee_cents, commission_cents, reason, \
    status, failure_code, dispute_id, requested_by, created_at, updated_at FROM refund WHERE id = $1";

/// A refund.
pub async fn find(session: &mut Session, id: RefundId) -> Result<Refund> {
    session.one(sql(REFUND).bind(id)).await
}

/// A refund, locked until the transaction ends.
pub async fn locked(session: &mut Session, id: RefundId) -> Result<Refund> {
    session.one(sql(REFUND).locking("FOR UPDATE").bind(id)).await
}

/// Changes a refund's status.
pub async fn change(
    session: &mut Session,
    id: RefundId,
    moved: Moved<RefundStatus>,
    failure: Option<&str>,
    now: Time,
) -> Result<()> {
    session.change(advance("refund", id, moved, now).set("failure_code", failure)).await
}

/// Adds what was refunded of a payment's amount and fee, or takes it off again; the status changes
/// unless other refunds leave it as it is.
pub async fn add_to_payment(
    session: &mut Session,
    payment: PaymentId,
    (amount, fee): (Cents, Cents),
    moved: Option<Moved<PaymentStatus>>,
    now: Time,
) -> Result<()> {
    let row = update("payment")
        .add("refunded_cents", amount)
        .add("refunded_fee_cents", fee)
        .set("updated_at", now)
        .when("id", payment);
    let row = match moved {
        Some(moved) => row.change(moved),
        None => row,
    };
    session.change(row).await
}

/// The refunds of a dispute that are in force, in the order of their payments.
pub async fn of_dispute(session: &mut Session, dispute: DisputeId) -> Result<Vec<Refund>> {
    let query = Query::select()
        .columns(Refund::COLUMNS.iter().copied())
        .from("refund")
        .and_where(Expr::col("dispute_id").eq(dispute.get()))
        .and_where(Expr::cust("status <> 'failed'"))
        .order_by("payment_id", Order::Asc)
        .take();
    session.all(query).await
}

/// A refund with what is needed to ask the processor about it.
#[derive(Clone, Debug, FromRow)]
pub struct OpenRefund {
    pub id: RefundId,
    /// The processor's id of the charge that is refunded.
    pub processor_charge_id: Option<String>,
}

impl OpenRefund {
    /// A refund of a payment, just written.
    pub fn of(refund: &Refund, paid: Refundable) -> Self {
        Self { id: refund.id, processor_charge_id: paid.processor_charge_id }
    }
}

/// One refund, to be asked about.
pub async fn open(session: &mut Session, id: RefundId) -> Result<Option<OpenRefund>> {
    session
        .first(
            sql("SELECT r.id, ch.processor_charge_id \
                 FROM refund r JOIN payment p ON p.id = r.payment_id \
                 JOIN charge ch ON ch.id = p.charge_id WHERE r.id = $1")
            .bind(id),
        )
        .await
}
