//! Short forms of brands and athletes, for showing beside other records.

use sea_query::{Expr, ExprTrait as _, JoinType, Query};

use crate::error::Result;
use crate::jobs::cards::{AthleteCard, PartnerCard};
use crate::kernel::{AthleteId, PartnerId};
use crate::storage::{Among as _, Session};

/// The columns of a brand's short form, beside its id as `partner_id`.
pub(super) const BRAND: [&str; 5] =
    ["company_name", "logo_url", "business_category_id", "hq_city", "hq_state"];

/// The short forms of these brands.
pub async fn partners(session: &mut Session, ids: &[PartnerId]) -> Result<Vec<PartnerCard>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    session
        .all(
            Query::select()
                .expr_as(Expr::col("id"), "partner_id")
                .columns(BRAND)
                .from("partner")
                .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
                .take(),
        )
        .await
}

/// The short forms of these athletes.
pub async fn athletes(session: &mut Session, ids: &[AthleteId]) -> Result<Vec<AthleteCard>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let own = |column| ("athlete", column);
    session
        .all(
            Query::select()
                .columns(
                    ["id", "display_name", "photo_url", "sport_id", "university_id", "class_year"]
                        .map(own),
                )
                .expr_as(Expr::col(("sport", "name")), "sport")
                .expr_as(Expr::col(("college", "name")), "university")
                .expr_as(
                    Expr::cust(
                        "CAST(COALESCE((SELECT SUM(f.followers) FROM athlete_social f \
                         WHERE f.athlete_id = athlete.id), 0) AS BIGINT)",
                    ),
                    "followers",
                )
                .from("athlete")
                .join(
                    JoinType::LeftJoin,
                    "sport",
                    Expr::col(("sport", "id")).equals(own("sport_id")),
                )
                .join(
                    JoinType::LeftJoin,
                    "college",
                    Expr::col(("college", "id")).equals(own("university_id")),
                )
                .and_where(Expr::col(own("id")).among(ids.iter().map(|id| id.get())))
                .take(),
        )
        .await
}
