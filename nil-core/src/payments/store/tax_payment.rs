//! What payees got by payments, and the tax that was withheld from it.

use std::collections::{BTreeMap, BTreeSet};

use sea_query::{Expr, Query};

use crate::error::{Result, codes};
use crate::kernel::{AgentId, AthleteId, Cents, PartnerId, PaymentId, RefundId, Time};
use crate::payments::ledger::Owner;
use crate::storage::{Among as _, FromRow, Session, insert, sql};

fn ids(owner: Owner) -> (Option<AthleteId>, Option<AgentId>) {
    match owner {
        Owner::Athlete(id) => (Some(id), None),
        Owner::Agent(id) => (None, Some(id)),
        Owner::Partner(_) => (None, None),
    }
}

/// Writes what payees got by payments of a brand.
pub async fn add(
    session: &mut Session,
    partner: PartnerId,
    got: &[(PaymentId, Owner, Cents)],
    paid_at: Time,
) -> Result<()> {
    if got.is_empty() {
        return Ok(());
    }
    let mut rows = insert("payment_payee");
    for (payment, owner, gross) in got {
        let (athlete, agent) = ids(*owner);
        rows = rows
            .set("payment_id", *payment)
            .set("owner", owner.to_string())
            .set("athlete_id", athlete)
            .set("agent_id", agent)
            .set("partner_id", partner)
            .set("paid_at", paid_at)
            .set("gross_cents", *gross)
            .row();
    }
    session.run(rows).await.map(|_| ())
}

/// Those of these owners from whom tax is withheld now.
pub async fn withheld_from(
    session: &mut Session,
    owners: BTreeSet<Owner>,
) -> Result<BTreeSet<Owner>> {
    let query = Query::select()
        .column("owner")
        .from("backup_withholding")
        .and_where(Expr::col("owner").among(owners.iter().map(Owner::to_string)))
        .and_where(Expr::cust("ends_at IS NULL"))
        .take();
    let rows: Vec<(String,)> = session.all(query).await?;
    let owner = |(name,): (String,)| Owner::named(&name).ok_or_else(|| codes::INTERNAL.into());
    rows.into_iter().map(owner).collect()
}

/// Records the tax that was withheld from what a payee got.
pub async fn withhold(
    session: &mut Session,
    payment: PaymentId,
    owner: Owner,
    tax: Cents,
) -> Result<()> {
    session
        .change(
            sql("UPDATE payment_payee SET withheld_cents = $3 \
                 WHERE payment_id = $1 AND owner = $2 AND withheld_cents = 0")
            .bind(payment)
            .bind(owner.to_string())
            .bind(tax),
        )
        .await
}

/// Withheld tax that is still withheld, and what is left of the amount it was taken from.
#[derive(Clone, Debug, FromRow)]
pub struct Taxed {
    pub owner: String,
    pub state: Option<String>,
    pub paid_at: Time,
    pub left_cents: Cents,
    pub withheld_cents: Cents,
}

impl Taxed {
    /// From whom.
    pub fn owner(&self) -> Result<Owner> {
        Owner::named(&self.owner).ok_or_else(|| codes::INTERNAL.into())
    }
}

/// The tax withheld from a payment. The caller holds the payment.
pub async fn withheld(session: &mut Session, payment: PaymentId) -> Result<Vec<Taxed>> {
    session
        .all(
            sql("SELECT t.owner, COALESCE(f.state, b.hq_state) AS state, t.paid_at, \
                 CAST(t.gross_cents - t.returned_cents - COALESCE((SELECT SUM(CASE \
                     WHEN t.agent_id IS NULL THEN r.amount_cents ELSE r.commission_cents END) \
                     FROM refund r WHERE r.payment_id = t.payment_id AND r.status <> 'failed'), 0) \
                     AS BIGINT) AS left_cents, \
                 CAST(t.withheld_cents - t.returned_withheld_cents - COALESCE((SELECT \
                     SUM(w.withheld_cents) FROM refund_withheld w JOIN refund r ON r.id = w.refund_id \
                     WHERE r.payment_id = t.payment_id AND w.owner = t.owner \
                     AND r.status <> 'failed'), 0) AS BIGINT) AS withheld_cents \
                 FROM payment_payee t JOIN partner b ON b.id = t.partner_id \
                 LEFT JOIN tax_form f ON f.owner = 'partner:' || t.partner_id \
                     AND f.replaced_at IS NULL \
                 WHERE t.payment_id = $1 AND t.withheld_cents > 0 ORDER BY t.owner")
            .bind(payment),
        )
        .await
}

/// Records what of the withheld tax goes back with a refund.
pub async fn add_to_refund(
    session: &mut Session,
    refund: RefundId,
    owner: Owner,
    tax: Cents,
) -> Result<()> {
    let row = insert("refund_withheld")
        .set("refund_id", refund)
        .set("owner", owner.to_string())
        .set("withheld_cents", tax);
    session.run(row).await.map(|_| ())
}

/// What of the withheld tax went back with a refund, by owner.
pub async fn of_refund(session: &mut Session, refund: RefundId) -> Result<BTreeMap<Owner, Cents>> {
    let rows = sql("SELECT owner, withheld_cents FROM refund_withheld WHERE refund_id = $1");
    let rows: Vec<(String, Cents)> = session.all(rows.bind(refund)).await?;
    let owner = |(name, cents): (String, Cents)| {
        let owner = Owner::named(&name).ok_or(codes::INTERNAL)?;
        Ok((owner, cents))
    };
    rows.into_iter().map(owner).collect()
}

/// Records the commission on a payment that went back to the athlete, and the tax within it.
pub async fn give_back(
    session: &mut Session,
    payment: PaymentId,
    agent: Owner,
    (returned, withheld): (Cents, Cents),
    now: Time,
) -> Result<()> {
    session
        .change(
            sql("UPDATE payment_payee SET returned_cents = returned_cents + $3, \
                 returned_withheld_cents = returned_withheld_cents + $4, returned_at = $5 \
                 WHERE payment_id = $1 AND owner = $2")
            .bind(payment)
            .bind(agent.to_string())
            .bind(returned)
            .bind(withheld)
            .bind(now),
        )
        .await
}
