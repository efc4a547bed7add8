//! What brands paid athletes in a year, and the statements of both.

use std::collections::{BTreeMap, BTreeSet};

use sea_query::{Expr, ExprTrait as _, Order, Query};
use sqlx::FromRow;

use super::CHUNK;
use crate::error::Result;
use crate::kernel::{AthleteId, Cents, PartnerId, Time};
use crate::payments::taxes::TaxForm;
use crate::storage::{Among as _, Session, sql};

/// How many payers are read at once.
const AT_ONCE: u64 = 100;

/// What a brand paid an athlete in a year, less refunds.
#[derive(Clone, Debug, FromRow)]
pub struct Paid {
    pub partner_id: PartnerId,
    pub company_name: String,
    pub athlete_id: AthleteId,
    pub athlete_name: String,
    pub services_cents: Cents,
    pub royalty_cents: Cents,
    /// Whether the athlete has said that they need a visa.
    pub is_foreign: bool,
}

/// The next brands, in the order of their ids.
pub async fn payers(session: &mut Session, after: Option<PartnerId>) -> Result<Vec<PartnerId>> {
    let query = Query::select()
        .column("id")
        .from("partner")
        .and_where(Expr::col("id").gt(after.map_or(0, PartnerId::get)))
        .order_by("id", Order::Asc)
        .limit(AT_ONCE)
        .take();
    let rows: Vec<(PartnerId,)> = session.all(query).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// What the brands with these ids paid in a time span, by brand and athlete.
pub async fn paid(
    session: &mut Session,
    (first, last): (PartnerId, PartnerId),
    (from, until): (Time, Time),
) -> Result<Vec<Paid>> {
    session
        .all(
            sql("SELECT s.partner_id, b.company_name, s.athlete_id, \
                 a.display_name AS athlete_name, s.services_cents, s.royalty_cents, \
                 CASE WHEN v.athlete_id IS NULL THEN FALSE ELSE TRUE END AS is_foreign \
                 FROM (SELECT p.partner_id, p.athlete_id, \
                     CAST(SUM(CASE WHEN j.compensation = 'royalty' OR j.kind = 'licensing' THEN 0 \
                         ELSE p.amount_cents - p.refunded_cents END) AS BIGINT) \
                         AS services_cents, \
                     CAST(SUM(CASE WHEN j.compensation = 'royalty' OR j.kind = 'licensing' \
                         THEN p.amount_cents - p.refunded_cents ELSE 0 END) AS BIGINT) \
                         AS royalty_cents \
                     FROM payment p JOIN contract c ON c.id = p.contract_id \
                     JOIN job j ON j.id = c.job_id WHERE p.partner_id BETWEEN $1 AND $2 \
                     AND p.paid_at >= $3 AND p.paid_at < $4 \
                     GROUP BY p.partner_id, p.athlete_id) s \
                 JOIN partner b ON b.id = s.partner_id JOIN athlete a ON a.id = s.athlete_id \
                 LEFT JOIN athlete_visa v ON v.athlete_id = s.athlete_id AND v.status <> 'none' \
                 ORDER BY s.partner_id, s.athlete_id")
            .bind(first)
            .bind(last)
            .bind(from)
            .bind(until),
        )
        .await
}

/// What each brand paid an athlete in a time span: for services, and as royalties.
pub async fn paid_to(
    session: &mut Session,
    athlete: AthleteId,
    (from, until): (Time, Time),
) -> Result<Vec<(PartnerId, Cents, Cents)>> {
    session
        .all(
            sql("SELECT p.partner_id, \
                 CAST(SUM(CASE WHEN j.compensation = 'royalty' OR j.kind = 'licensing' THEN 0 \
                     ELSE p.amount_cents - p.refunded_cents END) AS BIGINT), \
                 CAST(SUM(CASE WHEN j.compensation = 'royalty' OR j.kind = 'licensing' \
                     THEN p.amount_cents - p.refunded_cents ELSE 0 END) AS BIGINT) \
                 FROM payment p JOIN contract c ON c.id = p.contract_id \
                 JOIN job j ON j.id = c.job_id WHERE p.athlete_id = $1 \
                 AND p.paid_at >= $2 AND p.paid_at < $3 \
                 GROUP BY p.partner_id ORDER BY p.partner_id")
            .bind(athlete)
            .bind(from)
            .bind(until),
        )
        .await
}

/// What was withheld in a time span from the athletes of these rows, where anything was.
pub async fn withheld(
    session: &mut Session,
    paid: &[Paid],
    (from, until): (Time, Time),
) -> Result<Vec<(AthleteId, Cents)>> {
    let athletes: BTreeSet<i64> = paid.iter().map(|paid| paid.athlete_id.get()).collect();
    let wallets: Vec<String> = athletes.iter().map(|id| format!("athlete:{id}:wallet")).collect();
    let mut all = Vec::new();
    for some in wallets.chunks(CHUNK) {
        let query = Query::select()
            .expr(Expr::cust("athlete_id, CAST(SUM(withheld_cents) AS BIGINT)"))
            .from("payout")
            .and_where(Expr::col("wallet").among(some.iter().map(String::as_str)))
            .and_where(Expr::col("created_at").gte(from))
            .and_where(Expr::col("created_at").lt(until))
            .and_where(Expr::cust("status <> 'failed' AND withheld_cents > 0"))
            .group_by_columns(["athlete_id"])
            .take();
        let rows: Vec<(AthleteId, Cents)> = session.all(query).await?;
        all.extend(rows);
    }
    Ok(all)
}

/// A statement with its sealed number.
#[derive(Clone, Debug, FromRow)]
pub struct Sealed {
    #[sqlx(flatten)]
    pub form: TaxForm,
    pub tin_sealed: Vec<u8>,
}

/// The current statements of the parties of these rows, by owner.
pub async fn forms(
    session: &mut Session,
    paid: impl Iterator<Item = &Paid>,
) -> Result<BTreeMap<String, Sealed>> {
    let owners: BTreeSet<String> = paid
        .flat_map(|paid| {
            [format!("partner:{}", paid.partner_id), format!("athlete:{}", paid.athlete_id)]
        })
        .collect();
    let owners: Vec<String> = owners.into_iter().collect();
    let mut all = BTreeMap::new();
    for some in owners.chunks(CHUNK) {
        let query = Query::select()
            .expr(Expr::cust(
                "id, owner, version, classification, first_name, last_name, business_name, street, \
                 street2, city, state, postal_code, phone, tin_kind, tin_last4, \
                 statement_version, signature, certified_at, tin_sealed",
            ))
            .from("tax_form")
            .and_where(Expr::col("owner").among(some.iter().map(String::as_str)))
            .and_where(Expr::cust("replaced_at IS NULL"))
            .take();
        let rows: Vec<Sealed> = session.all(query).await?;
        all.extend(rows.into_iter().map(|row| (row.form.owner.clone(), row)));
    }
    Ok(all)
}
