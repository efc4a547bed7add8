//! The commission that agents took of payments, and what is left of it.

use std::collections::HashMap;

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query};

use crate::error::Result;
use crate::kernel::{Cents, ChargeId, ContractId, PaymentId, Time};
use crate::payments::charges::payment::PaymentStatus;
use crate::storage::{Among as _, FromRow, Session, sql, update};

/// What an agent took of a payment.
#[derive(Clone, Debug, FromRow)]
pub struct Taken {
    pub id: PaymentId,
    pub status: PaymentStatus,
    #[row(rename = "agent_commission_cents")]
    pub commission_cents: Cents,
    /// What refunds have taken back from the agent.
    #[row(skip)]
    pub refunded_cents: Cents,
}

/// The payments under these contracts that bear commission, locked in the order of their ids. Their
/// charges are locked first, as by whoever settles them, so that a payment is either settled or
/// will be settled without commission.
pub async fn commission_of(session: &mut Session, contracts: &[ContractId]) -> Result<Vec<Taken>> {
    let of_contracts = || Expr::col("contract_id").among(contracts.iter().map(|id| id.get()));
    let charges = Query::select()
        .column("charge_id")
        .from("payment")
        .and_where(of_contracts())
        .and_where(Expr::col("status").eq(PaymentStatus::Processing.as_str()))
        .take();
    let charges = Query::select()
        .column("id")
        .from("charge")
        .and_where(Expr::col("id").in_subquery(charges))
        .order_by("id", Order::Asc)
        .lock(LockType::Update)
        .take();
    let _locked: Vec<(ChargeId,)> = session.all(charges).await?;
    let payments = Query::select()
        .columns(["id", "status", "agent_commission_cents"])
        .from("payment")
        .and_where(of_contracts())
        .and_where(Expr::col("status").ne(PaymentStatus::Failed.as_str()))
        .and_where(Expr::col("agent_commission_cents").gt(0_i64))
        .order_by("id", Order::Asc)
        .lock(LockType::Update)
        .take();
    let mut taken: Vec<Taken> = session.all(payments).await?;
    if taken.is_empty() {
        return Ok(taken);
    }
    let refunds = Query::select()
        .columns(["payment_id", "commission_cents"])
        .from("refund")
        .and_where(Expr::col("payment_id").among(taken.iter().map(|one| one.id.get())))
        .and_where(Expr::col("status").ne("failed"))
        .take();
    let refunds: Vec<(PaymentId, Cents)> = session.all(refunds).await?;
    let mut back: HashMap<PaymentId, Cents> = HashMap::new();
    for (payment, cents) in refunds {
        *back.entry(payment).or_default() += cents;
    }
    for one in &mut taken {
        one.refunded_cents = back.get(&one.id).copied().unwrap_or_default();
    }
    Ok(taken)
}

/// Whether the contract that a payment is made under bears no commission any more. The statement is
/// one of its own, so that it sees what was committed before the caller got its lock on the
/// payment.
pub async fn is_waived(session: &mut Session, payment: PaymentId) -> Result<bool> {
    session
        .value(
            sql("SELECT c.commission_waived_at IS NOT NULL FROM payment p \
                 JOIN contract c ON c.id = p.contract_id WHERE p.id = $1")
            .bind(payment),
        )
        .await
}

/// Sets what remains of a payment's commission.
pub async fn keep_commission(
    session: &mut Session,
    id: PaymentId,
    commission: Cents,
    now: Time,
) -> Result<()> {
    let row = update("payment").set("agent_commission_cents", commission).set("updated_at", now);
    session.change(row.when("id", id)).await
}
