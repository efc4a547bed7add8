//! The rows of refunds of subscriptions, and the charge that a refund is about.

use crate::error::Result;
use crate::kernel::{
    Cents, InvoiceId, Moved, SubscriptionChargeId, SubscriptionId, SubscriptionRefundId, Time,
};
use crate::payments::RefundStatus;
use crate::payments::subscriptions::{SubscriptionRefund, SubscriptionRefundRule};
use crate::storage::{FromRow, Session, Stored, advance, insert, sql, update};

/// The facts about a paid invoice of a subscription that a refund needs.
#[derive(Clone, Debug, FromRow)]
pub struct Refundable {
    pub charge_id: SubscriptionChargeId,
    pub subscription_id: SubscriptionId,
    pub invoice_number: String,
    pub total_cents: Cents,
    /// When it was charged.
    pub paid_at: Time,
    pub starts_at: Time,
    pub ends_at: Time,
    /// The price of the period that the charge led to.
    pub price_cents: Cents,
    /// The part of it that was credited, because earlier charges had paid for it; 0 if the charge
    /// paid for the period itself.
    pub credited_price_cents: Cents,
}

/// What was charged for an invoice; none if it is not a paid invoice of a subscription.
pub async fn charged(session: &mut Session, invoice: InvoiceId) -> Result<Option<Refundable>> {
    session
        .first(
            sql("SELECT c.id AS charge_id, p.subscription_id, \
                 i.number AS invoice_number, c.total_cents, c.updated_at AS paid_at, p.starts_at, p.ends_at, \
                 COALESCE(x.price_cents, p.price_cents) AS price_cents, \
                 COALESCE(x.credited_price_cents, 0) AS credited_price_cents \
                 FROM invoice i LEFT JOIN subscription_change x ON x.invoice_id = i.id \
                 JOIN subscription_period p ON p.id = COALESCE(x.period_id, \
                     (SELECT q.id FROM subscription_period q WHERE q.invoice_id = i.id)) \
                 JOIN subscription_charge c ON c.period_id = p.id AND c.status = 'succeeded' \
                 AND COALESCE(c.change_id, 0) = COALESCE(x.id, 0) \
                 WHERE i.id = $1 AND i.kind = 'subscription' AND i.status = 'paid'")
            .bind(invoice),
        )
        .await
}

/// What was refunded of a charge, refunds under way included.
pub async fn so_far(session: &mut Session, charge: SubscriptionChargeId) -> Result<Cents> {
    session
        .value(
            sql("SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM subscription_refund \
                 WHERE charge_id = $1 AND status <> 'failed'")
            .bind(charge),
        )
        .await
}

/// A refund to write.
#[derive(Stored)]
pub struct NewRefund<'a> {
    #[row(rename = "charge_id")]
    pub charge: SubscriptionChargeId,
    #[row(rename = "amount_cents")]
    pub amount: Cents,
    pub rule: SubscriptionRefundRule,
    pub reason: &'a str,
    pub requested_by: String,
}

/// Writes a refund as pending.
pub async fn add(
    session: &mut Session,
    new: NewRefund<'_>,
    now: Time,
) -> Result<SubscriptionRefundId> {
    session
        .value(
            insert("subscription_refund")
                .with(new.columns())
                .set("status", RefundStatus::Pending)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await
}

const REFUND: &str = "SELECT r.id, p.subscription_id, COALESCE(x.invoice_id, p.invoice_id) \
    AS invoice_id, r.charge_id, r.amount_cents, 'usd' AS currency, r.rule, r.reason, r.status, \
    r.failure_code, r.credit_note_id, r.taken_back_by_id, r.requested_by, r.created_at, r.updated_at, \
    c.processor_charge_id FROM subscription_refund r \
    JOIN subscription_charge c ON c.id = r.charge_id \
    JOIN subscription_period p ON p.id = c.period_id \
    LEFT JOIN subscription_change x ON x.id = c.change_id WHERE r.id = $1";

/// A refund.
pub async fn find(
    session: &mut Session,
    id: SubscriptionRefundId,
) -> Result<Option<SubscriptionRefund>> {
    session.first(sql(REFUND).bind(id)).await
}

/// Changes a refund's status. One that succeeded has its credit note.
pub async fn change(
    session: &mut Session,
    id: SubscriptionRefundId,
    moved: Moved<RefundStatus>,
    (credit_note, failure): (Option<InvoiceId>, Option<&str>),
    now: Time,
) -> Result<()> {
    session
        .change(
            advance("subscription_refund", id, moved, now)
                .set("credit_note_id", credit_note)
                .set("failure_code", failure),
        )
        .await
}

/// Keeps the credit note of a refund that failed after all, and the invoice that takes it back.
pub async fn taken_back(
    session: &mut Session,
    id: SubscriptionRefundId,
    note: InvoiceId,
    by: InvoiceId,
) -> Result<()> {
    let row = update("subscription_refund")
        .set("taken_back_note_id", note)
        .set("taken_back_by_id", by)
        .when("id", id)
        .when("status", RefundStatus::Failed);
    session.change(row).await
}

/// How many days after its charge an invoice can be refunded in full.
pub async fn days(session: &mut Session) -> Result<i64> {
    session.value(sql("SELECT subscription_refund_days FROM site WHERE id = 1")).await
}
