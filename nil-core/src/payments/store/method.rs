//! The rows of saved cards.

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};

use super::invoice::lock_partner;
use crate::error::Result;
use crate::kernel::{Listing, Paging, PaymentMethodId, Time};
use crate::payments::PaymentMethod;
use crate::payments::ledger::Owner;
use crate::ports::processor::SavedCard;
use crate::storage::{Selected as _, Session, insert, sql, update};

/// Locks the row of a cards' owner, so that calls change the cards one at a time: rows that do not
/// exist yet cannot be locked. Athletes have no cards.
pub async fn lock_owner(session: &mut Session, owner: Owner) -> Result<()> {
    match owner {
        Owner::Partner(partner) => lock_partner(session, partner).await,
        Owner::Agent(agent) => session.lock("agent", agent).await,
        Owner::Athlete(_) => Ok(()),
    }
}

fn of_owner(owner: &str) -> SelectStatement {
    Query::select()
        .columns(PaymentMethod::COLUMNS.iter().copied())
        .from("payment_method")
        .and_where(Expr::col("owner").eq(owner))
        .and_where(Expr::col("removed_at").is_null())
        .order_by("id", Order::Asc)
        .take()
}

/// A page of an owner's cards, oldest first.
pub async fn page(
    session: &mut Session,
    owner: &str,
    paging: Paging,
) -> Result<Listing<PaymentMethod>> {
    session.page(of_owner(owner), paging).await
}

/// The cards of an owner, oldest first, locked until the transaction ends.
pub async fn locked(session: &mut Session, owner: &str) -> Result<Vec<PaymentMethod>> {
    session.all(of_owner(owner).lock(LockType::Update).take()).await
}

/// Adds a card.
pub async fn add(
    session: &mut Session,
    owner: &str,
    card: &SavedCard,
    is_default: bool,
    now: Time,
) -> Result<PaymentMethod> {
    session
        .one(
            insert("payment_method")
                .set("owner", owner)
                .set("brand", card.brand.clone())
                .set("last4", card.last4.clone())
                .set("exp_month", card.exp_month)
                .set("exp_year", card.exp_year)
                .set("is_default", is_default)
                .set("processor_ref", card.reference.clone())
                .set("fingerprint", card.fingerprint.clone())
                .set("created_at", now)
                .set("updated_at", now)
                .returning(PaymentMethod::COLUMNS),
        )
        .await
}

/// Clears the owner's default card.
pub async fn clear_default(session: &mut Session, owner: &str, now: Time) -> Result<()> {
    session
        .run(
            update("payment_method")
                .set("is_default", false)
                .set("updated_at", now)
                .when("owner", owner)
                .when("is_default", true),
        )
        .await
        .map(|_| ())
}

/// Makes this card the default.
pub async fn set_default(
    session: &mut Session,
    id: PaymentMethodId,
    now: Time,
) -> Result<PaymentMethod> {
    session
        .one(
            update("payment_method")
                .set("is_default", true)
                .set("updated_at", now)
                .when("id", id)
                .returning(PaymentMethod::COLUMNS),
        )
        .await
}

/// Marks a card as removed; charges that used it still refer to it.
pub async fn remove(
    session: &mut Session,
    id: PaymentMethodId,
    now: Time,
) -> Result<PaymentMethod> {
    session
        .one(
            update("payment_method")
                .set("is_default", false)
                .set("removed_at", now)
                .set("updated_at", now)
                .when("id", id)
                .returning(PaymentMethod::COLUMNS),
        )
        .await
}

/// The owner's default card.
pub async fn default_card(session: &mut Session, owner: &str) -> Result<Option<PaymentMethodId>> {
    let found: Option<(PaymentMethodId,)> = session
        .first(
            sql("SELECT id FROM payment_method \
                 WHERE owner = $1 AND is_default AND removed_at IS NULL")
            .bind(owner),
        )
        .await?;
    Ok(found.map(|(id,)| id))
}

/// Records another copy of a card that its owner has saved already: it is removed at once, so that
/// the processor forgets it.
pub async fn copy(session: &mut Session, owner: &str, card: &SavedCard, now: Time) -> Result<()> {
    let method = add(session, owner, card, false, now).await?;
    remove(session, method.id, now).await.map(|_| ())
}

/// Removed cards that the processor still knows: their ids and its references. One that is
/// being charged waits.
pub async fn to_forget(session: &mut Session) -> Result<Vec<(PaymentMethodId, String)>> {
    session
        .all(sql("SELECT m.id, m.processor_ref FROM payment_method m \
                  WHERE m.removed_at IS NOT NULL AND m.forgotten_at IS NULL \
                  AND NOT EXISTS (SELECT 1 FROM charge c \
                      WHERE c.payment_method_id = m.id \
                      AND c.status IN ('processing', 'requires_action')) \
                  AND NOT EXISTS (SELECT 1 FROM subscription_charge c \
                      WHERE c.payment_method_id = m.id \
                      AND c.status IN ('processing', 'requires_action')) \
                  ORDER BY m.id LIMIT 100"))
        .await
}

/// Records that the processor has forgotten a card.
pub async fn forgotten(session: &mut Session, id: PaymentMethodId, now: Time) -> Result<()> {
    session.run(update("payment_method").set("forgotten_at", now).when("id", id)).await.map(|_| ())
}
