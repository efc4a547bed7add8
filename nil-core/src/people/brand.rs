//! Facts about brands.

use sqlx::FromRow;

use crate::error::{Error, Result};
use crate::kernel::{BasisPoints, PartnerId, UserId};
use crate::storage::{Session, sql};

/// A brand as deals see it.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct PartnerFacts {
    pub(crate) id: PartnerId,
    pub(crate) user_id: UserId,
    pub(crate) company_name: String,
    pub(crate) hq_city: Option<String>,
    pub(crate) hq_state: Option<String>,
    pub(crate) fee_basis_points: Option<BasisPoints>,
    pub(crate) contact: String,
}

/// What is known of a brand.
pub(crate) async fn partner(session: &mut Session, id: PartnerId) -> Result<PartnerFacts> {
    session
        .first(
            sql("SELECT p.id, p.user_id, p.company_name, p.hq_city, p.hq_state, \
                 p.fee_basis_points, \
                 TRIM(COALESCE(u.first_name, '') || ' ' || COALESCE(u.last_name, '')) AS contact \
                 FROM partner p JOIN app_user u ON u.id = p.user_id WHERE p.id = $1")
            .bind(id),
        )
        .await?
        .ok_or_else(|| Error::internal("a job without its brand"))
}
