//! The queries of the range of compensation.

use super::deal::{ComparableDeal, Person};
use crate::error::Result;
use crate::kernel::{AthleteId, CategoryId, Time};
use crate::storage::{Session, sql};

/// The most deals that are looked at: the newest of the category.
const MOST: i64 = 1_000;

/// The newest comparable deals of a category, made at this instant or later: what verified brands
/// have paid in full.
pub(super) async fn newest(
    session: &mut Session,
    category: CategoryId,
    since: Time,
) -> Result<Vec<ComparableDeal>> {
    session
        .all(
            sql("SELECT d.contract_id, d.agreed_at, d.amount_cents, d.athlete_id, d.partner_id, \
                 p.company_name AS company, d.agent_id, d.college_id, d.division, d.sport_id, \
                 d.followers, d.platform, d.pieces \
                 FROM comparable_deal d JOIN partner p ON p.id = d.partner_id \
                 WHERE d.category_id = $1 AND d.agreed_at >= $2 AND d.paid_cents >= d.amount_cents \
                 AND p.verified_at IS NOT NULL \
                 ORDER BY d.agreed_at DESC, d.contract_id DESC LIMIT $3")
            .bind(category)
            .bind(since)
            .bind(MOST),
        )
        .await
}

/// The category's name; 404 for an unknown one.
pub(super) async fn category(session: &mut Session, id: CategoryId) -> Result<String> {
    let (name,): (String,) =
        session.one(sql("SELECT name FROM job_category WHERE id = $1").bind(id)).await?;
    Ok(name)
}

/// What is compared of an athlete, as it is today.
pub(super) async fn person(session: &mut Session, id: AthleteId) -> Result<Person> {
    session
        .one(
            sql("SELECT c.division, a.sport_id, CAST(COALESCE((SELECT SUM(f.followers) \
                 FROM athlete_social f WHERE f.athlete_id = a.id), 0) AS BIGINT) AS followers \
                 FROM athlete a LEFT JOIN college c ON c.id = a.university_id WHERE a.id = $1")
            .bind(id),
        )
        .await
}
