//! Reads which contracts exclude each other.

use serde_json::Value;

use crate::contracts::contract::ContractStatus;
use crate::error::Result;
use crate::jobs::Exclusivity;
use crate::kernel::{AthleteId, CategoryId, PartnerId, Time};
use crate::storage::{Asked, FromRow, Session, Together, sql};

/// The exclusivity of a contract with another brand.
#[derive(Debug, FromRow)]
pub struct Promise {
    pub number: String,
    pub status: ContractStatus,
    pub terms: Value,
    pub category_id: CategoryId,
    #[row(json(nullable))]
    pub exclusivity: Option<Exclusivity>,
}

/// Asks for the athlete's contracts with other brands that have not ended early.
pub fn promises(
    asked: &mut Together,
    athlete: AthleteId,
    other_than: PartnerId,
) -> Asked<Vec<Promise>> {
    asked.ask(
        sql("SELECT c.number, c.status, c.terms, j.category_id, j.exclusivity \
                 FROM contract c JOIN job j ON j.id = c.job_id \
                 WHERE c.athlete_id = $1 AND c.partner_id <> $2 \
                 AND c.status IN ('generated', 'active', 'completed') ORDER BY c.id")
        .bind(athlete)
        .bind(other_than),
        Ok,
    )
}

/// Two contracts of an athlete with different brands, one of which has exclusivity for the other's
/// category.
#[derive(Debug, FromRow)]
pub struct Pair {
    pub athlete_id: AthleteId,
    pub number: String,
    pub category_id: CategoryId,
    #[row(json(nullable))]
    pub exclusivity: Option<Exclusivity>,
    pub first: Option<String>,
    pub last: Option<String>,
    pub completed_at: Option<Time>,
    pub later_number: String,
    pub later_category_id: CategoryId,
    #[row(json(nullable))]
    pub later_exclusivity: Option<Exclusivity>,
    pub later_first: Option<String>,
    pub later_generated_at: Time,
}

/// The number of contracts that have not ended early.
pub async fn count(session: &mut Session) -> Result<i64> {
    session
        .value(sql(
            "SELECT COUNT(*) FROM contract WHERE status IN ('generated', 'active', 'completed')",
        ))
        .await
}

/// The pairs that may exclude each other, the earlier contract first.
pub async fn pairs(session: &mut Session) -> Result<Vec<Pair>> {
    session
        .all(sql("SELECT c.athlete_id, c.number, j.category_id, j.exclusivity, \
             COALESCE(c.terms->'dates'->>'effective_on', c.terms->'dates'->>'signed_on') AS first, \
             c.terms->'dates'->>'term_ends_on' AS last, c.completed_at, \
             l.number AS later_number, k.category_id AS later_category_id, \
             k.exclusivity AS later_exclusivity, \
             COALESCE(l.terms->'dates'->>'effective_on', l.terms->'dates'->>'signed_on') \
             AS later_first, l.generated_at AS later_generated_at \
             FROM contract c JOIN job j ON j.id = c.job_id \
             JOIN contract l ON l.athlete_id = c.athlete_id AND l.id > c.id \
             AND l.partner_id <> c.partner_id JOIN job k ON k.id = l.job_id \
             WHERE c.status IN ('generated', 'active', 'completed') \
             AND l.status IN ('generated', 'active', 'completed') \
             AND (CAST(j.exclusivity->>'category_id' AS BIGINT) = k.category_id \
             OR CAST(k.exclusivity->>'category_id' AS BIGINT) = j.category_id) \
             ORDER BY c.id, l.id"))
        .await
}
