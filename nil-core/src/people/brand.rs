//! The facts about brands that deals need.

use sqlx::FromRow;

use crate::error::{Error, Result};
use crate::kernel::{BasisPoints, PartnerId, Time, UserId};
use crate::storage::{Session, sql};

/// The facts about a brand that deals need.
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

/// The facts about a brand.
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

/// The fee rate that a brand's subscription gives at this instant; none without a subscription, or if the
/// plan changes no fee. A cancelled subscription gives it until the end of the paid period; a running one
/// also while the next period is being charged.
pub(crate) async fn plan_fee(
    session: &mut Session,
    partner: PartnerId,
    now: Time,
) -> Result<Option<BasisPoints>> {
    let found: Option<(Option<BasisPoints>,)> = session
        .first(
            sql("SELECT fee_basis_points FROM subscription WHERE partner_id = $1 \
                 AND status = 'active' AND (NOT cancel_at_period_end OR period_ends_at > $2)")
            .bind(partner)
            .bind(now),
        )
        .await?;
    Ok(found.and_then(|(fee,)| fee))
}
