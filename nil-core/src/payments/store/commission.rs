//! The rows of owed and paid commission on sales.

use sea_query::{Expr, Order, Query};

use super::CHUNK;
use super::earnings::{Earnings, left_to_pay};
use crate::error::Result;
use crate::kernel::{AthleteId, Cents, ContractId, ConversionId, Date, PartnerId, PaymentId, Time};
use crate::payments::charges::amount_owed::{Earned, Owing};
use crate::storage::{Among as _, FromRow, Narrow as _, Session, insert, sql};

/// Commission on sales.
const SALES: Earnings = Earnings {
    table: "affiliate_conversion",
    amount: "commission_cents",
    shares: "commission_share",
    named: "conversion_id",
};

/// What is left to pay of the commission under contracts, optionally on sales before an instant;
/// earliest first.
pub async fn owing(
    session: &mut Session,
    contracts: &[ContractId],
    before: Option<Time>,
) -> Result<Vec<Owing>> {
    if contracts.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = left_to_pay(&SALES, contracts);
    query.only_before(("w", "created_at"), before).order_by(("w", "id"), Order::Asc);
    let rows: Vec<(ContractId, ConversionId, Cents)> = session.all(query).await?;
    let owing = rows.into_iter().map(|(contract_id, id, left_cents)| Owing {
        contract_id,
        by: Earned::Conversion(id),
        left_cents,
    });
    Ok(owing.collect())
}

/// Writes the shares of sales' commission that payments settle.
pub async fn add_shares(
    session: &mut Session,
    shares: &[(PaymentId, ConversionId, Cents)],
) -> Result<()> {
    for chunk in shares.chunks(4 * CHUNK) {
        let mut rows = insert("commission_share");
        for (payment, conversion, amount) in chunk {
            rows = rows
                .set("payment_id", *payment)
                .set("conversion_id", *conversion)
                .set("amount_cents", *amount)
                .row();
        }
        session.run(rows).await?;
    }
    Ok(())
}

/// The sales whose commission payments settle, earliest first.
pub async fn of_payments(
    session: &mut Session,
    payments: &[PaymentId],
) -> Result<Vec<(PaymentId, ConversionId)>> {
    if payments.is_empty() {
        return Ok(Vec::new());
    }
    let query = Query::select()
        .columns(["payment_id", "conversion_id"])
        .from("commission_share")
        .and_where(Expr::col("payment_id").among(payments.iter().map(|id| id.get())))
        .order_by("conversion_id", Order::Asc)
        .take();
    session.all(query).await
}

/// A contract whose commission can be charged.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Due {
    pub partner: PartnerId,
    pub athlete: AthleteId,
    pub contract: ContractId,
}

/// The contracts with at least `least` commission owed on sales before an instant, whose brand is
/// active and has a card, and that were not settled on this day.
pub async fn due(session: &mut Session, before: Time, day: Date, least: Cents) -> Result<Vec<Due>> {
    session
        .all(
            sql("SELECT c.partner_id AS partner, c.athlete_id AS athlete, c.id AS contract \
                 FROM affiliate_conversion v JOIN contract c ON c.id = v.contract_id \
                 JOIN partner b ON b.id = c.partner_id JOIN app_user u ON u.id = b.user_id \
                 LEFT JOIN (SELECT s.conversion_id, SUM(s.amount_cents) AS paid \
                  FROM commission_share s JOIN payment p ON p.id = s.payment_id \
                  WHERE p.status <> 'failed' GROUP BY s.conversion_id) x \
                  ON x.conversion_id = v.id \
                 WHERE v.created_at < $1 AND u.status = 'active' AND c.id NOT IN \
                 (SELECT t.contract_id FROM commission_settlement t WHERE t.day = $2) \
                 AND 'partner:' || c.partner_id IN (SELECT m.owner FROM payment_method m \
                  WHERE m.is_default AND m.removed_at IS NULL) \
                 GROUP BY c.id, c.partner_id, c.athlete_id \
                 HAVING SUM(v.commission_cents - COALESCE(x.paid, 0)) >= $3 \
                 ORDER BY c.id LIMIT 500")
            .bind(before)
            .bind(day)
            .bind(least),
        )
        .await
}

/// Claims a contract's settlement for a day; returns whether it was unclaimed.
pub async fn claim(
    session: &mut Session,
    contract: ContractId,
    day: Date,
    now: Time,
) -> Result<bool> {
    let row = insert("commission_settlement")
        .set("contract_id", contract)
        .set("day", day)
        .set("at", now)
        .unless_exists(&["contract_id", "day"]);
    Ok(session.run(row).await? > 0)
}
