//! The rows of charges for periods of subscriptions, and for changes of plan within them.

use super::payment::{OfCard, Said};
use crate::error::Result;
use crate::kernel::{
    Cents, InvoiceId, Moved, PaymentMethodId, SubscriptionChangeId, SubscriptionChargeId,
    SubscriptionId, SubscriptionPeriodId, Time,
};
use crate::payments::ChargeStatus;
use crate::payments::subscriptions::Span;
use crate::ports::processor::Outcome;
use crate::storage::{FromRow, Session, advance, insert, sql};

/// A charge with the period it is for.
#[derive(Clone, Debug, FromRow)]
pub struct Charge {
    pub id: SubscriptionChargeId,
    pub subscription_id: SubscriptionId,
    /// The change of plan it pays for; none if it pays for the period.
    pub change_id: Option<SubscriptionChangeId>,
    pub invoice_id: InvoiceId,
    pub number: i64,
    pub starts_at: Time,
    pub ends_at: Time,
    pub total_cents: Cents,
    #[row(flatten)]
    pub of_card: OfCard,
}

impl Charge {
    /// The period it pays for.
    pub fn span(&self) -> Span {
        Span { number: self.number, starts_at: self.starts_at, ends_at: self.ends_at }
    }
}

/// A charge.
pub async fn find(session: &mut Session, id: SubscriptionChargeId) -> Result<Option<Charge>> {
    session
        .first(
            sql("SELECT c.id, p.subscription_id, c.change_id, \
                 COALESCE(x.invoice_id, p.invoice_id) AS invoice_id, p.number, p.starts_at, \
                 p.ends_at, c.total_cents, c.status, m.processor_ref, c.processor_charge_id \
                 FROM subscription_charge c JOIN subscription_period p ON p.id = c.period_id \
                 LEFT JOIN subscription_change x ON x.id = c.change_id \
                 JOIN payment_method m ON m.id = c.payment_method_id WHERE c.id = $1")
            .bind(id),
        )
        .await
}

/// Adds a charge for a period, or for a change within it, before the processor is asked.
pub async fn add(
    session: &mut Session,
    (period, change): (SubscriptionPeriodId, Option<SubscriptionChangeId>),
    (card, total): (PaymentMethodId, Cents),
    now: Time,
) -> Result<SubscriptionChargeId> {
    session
        .value(
            insert("subscription_charge")
                .set("period_id", period)
                .set("change_id", change)
                .set("payment_method_id", card)
                .set("total_cents", total)
                .set("status", ChargeStatus::Processing)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await
}

/// The price of a period that was paid for and not given back: that of each charge which succeeded
/// and has no refund. Each refund gives back all days that are left of what its charge paid for.
pub async fn kept_price(
    session: &mut Session,
    subscription: SubscriptionId,
    period: i64,
) -> Result<Cents> {
    session
        .value(
            sql("SELECT CAST(COALESCE(SUM(COALESCE(x.price_cents - x.credited_price_cents, \
                 p.price_cents)), 0) AS BIGINT) FROM subscription_period p \
                 JOIN subscription_charge c ON c.period_id = p.id AND c.status = 'succeeded' \
                 LEFT JOIN subscription_change x ON x.id = c.change_id \
                 WHERE p.subscription_id = $1 AND p.number = $2 \
                 AND NOT EXISTS (SELECT 1 FROM subscription_refund r \
                     WHERE r.charge_id = c.id AND r.status <> 'failed')")
            .bind(subscription)
            .bind(period),
        )
        .await
}

/// Changes a charge's status.
pub async fn change(
    session: &mut Session,
    id: SubscriptionChargeId,
    moved: Moved<ChargeStatus>,
    said: &Outcome,
    now: Time,
) -> Result<()> {
    session.change(Said::from(said).set(advance("subscription_charge", id, moved, now))).await
}

/// The charge of a subscription whose outcome is still to come.
pub async fn open_of(
    session: &mut Session,
    subscription: SubscriptionId,
) -> Result<Option<SubscriptionChargeId>> {
    session
        .value(
            sql("SELECT MAX(c.id) FROM subscription_charge c \
                 JOIN subscription_period p ON p.id = c.period_id \
                 WHERE p.subscription_id = $1 AND c.status IN ('processing', 'requires_action')")
            .bind(subscription),
        )
        .await
}
