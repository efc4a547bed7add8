//! The facts about brands that deals need.

use crate::error::{Error, Result};
use crate::kernel::{BasisPoints, CategoryId, PartnerId, Time, UserId};
use crate::storage::{Asked, FromRow, Session, Together, sql};

/// The facts about a brand that deals need.
#[derive(Clone, Debug, FromRow)]
pub struct PartnerFacts {
    pub id: PartnerId,
    pub user_id: UserId,
    pub company_name: String,
    pub hq_city: Option<String>,
    pub hq_state: Option<String>,
    pub(crate) fee_basis_points: Option<BasisPoints>,
    pub contact: String,
}

/// The statement for the facts about a brand, with more columns and joins.
macro_rules! brand {
    ($columns:literal, $joins:literal) => {
        concat!(
            "SELECT p.id, p.user_id, p.company_name, p.hq_city, p.hq_state, p.fee_basis_points, \
             TRIM(COALESCE(u.first_name, '') || ' ' || COALESCE(u.last_name, '')) AS contact",
            $columns,
            " FROM partner p JOIN app_user u ON u.id = p.user_id",
            $joins,
            " WHERE p.id = $1"
        )
    };
}

/// The facts about a brand.
pub async fn partner(session: &mut Session, id: PartnerId) -> Result<PartnerFacts> {
    session.first(sql(brand!("", "")).bind(id)).await?.ok_or_else(missing)
}

/// Whether there is this brand and its account is active; it stays so until the transaction ends.
pub async fn lock_active_partner(session: &mut Session, id: PartnerId) -> Result<bool> {
    session
        .exists(
            sql("SELECT u.id FROM partner p JOIN app_user u ON u.id = p.user_id \
                 WHERE p.id = $1 AND u.status = 'active'")
            .locking("FOR SHARE OF u")
            .bind(id),
        )
        .await
}

fn missing() -> Error {
    Error::internal("a job without its brand")
}

/// The rates that apply to a brand's deals, and the names of the categories of a job.
#[derive(Clone, Debug, FromRow)]
pub struct Rates {
    house: BasisPoints,
    plan: Option<BasisPoints>,
    /// The site's name.
    pub site_name: String,
    /// The site's address for support.
    pub site_address: String,
    /// The name of the first category asked for.
    pub category: Option<String>,
    /// The name of the second one.
    pub exclusive_category: Option<String>,
}

impl Rates {
    /// The platform's fee rate for this brand's deals, unless the job has its own: the brand's or
    /// the site's, or a subscription's if that is lower.
    pub fn usual(&self, partner: &PartnerFacts) -> BasisPoints {
        let own = partner.fee_basis_points.unwrap_or(self.house);
        self.plan.map_or(own, |plan| plan.min(own))
    }
}

/// A brand as a party to a new deal.
#[derive(Clone, Debug, FromRow)]
pub struct DealingPartner {
    #[row(flatten)]
    pub facts: PartnerFacts,
    #[row(flatten)]
    pub rates: Rates,
}

/// The facts about a brand, the rates of its deals at this instant, and the names of these
/// categories. A cancelled subscription gives its rate until the end of the paid period; a running
/// one also while the next period is being charged.
pub async fn dealing_partner(
    session: &mut Session,
    id: PartnerId,
    categories: (Option<CategoryId>, Option<CategoryId>),
    now: Time,
) -> Result<DealingPartner> {
    session.answer(|asked| ask_dealing_partner(asked, id, categories, now)).await
}

/// Asks what [`dealing_partner`] answers.
pub fn ask_dealing_partner(
    asked: &mut Together,
    id: PartnerId,
    categories: (Option<CategoryId>, Option<CategoryId>),
    now: Time,
) -> Asked<DealingPartner> {
    let text = brand!(
        ", site.fee_basis_points AS house, site.name AS site_name, site.support_email AS site_address, \
         (SELECT s.fee_basis_points FROM subscription s WHERE s.partner_id = p.id \
         AND s.status = 'active' AND (NOT s.cancel_at_period_end OR s.period_ends_at > $2)) AS plan, \
         (SELECT c.name FROM job_category c WHERE c.id = $3) AS category, \
         (SELECT c.name FROM job_category c WHERE c.id = $4) AS exclusive_category",
        " JOIN site ON site.id = 1"
    );
    let statement = sql(text).bind(id).bind(now).bind(categories.0).bind(categories.1);
    asked.ask(statement, |found: Vec<_>| found.into_iter().next().ok_or_else(missing))
}
