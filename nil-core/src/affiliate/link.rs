//! An affiliate link, as the parties of its contract see it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{
    AffiliateLinkId, AthleteId, BasisPoints, Cents, ContractId, JobId, PartnerId, Time,
};
use crate::storage::FromRow;

/// An affiliate link.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct AffiliateLink {
    /// The link's id.
    pub id: AffiliateLinkId,
    /// The code, used in the URL and in reports of sales.
    pub code: String,
    /// The URL to share.
    #[row(skip)]
    pub url: String,
    /// The contract whose commission it earns.
    pub contract_id: ContractId,
    /// The job of that contract.
    pub job_id: JobId,
    /// The job's title.
    pub job_title: String,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The brand.
    pub partner_id: PartnerId,
    /// The brand's name.
    pub company_name: String,
    /// The destination: a page of the brand's website.
    pub target_url: String,
    /// The athlete's name for it.
    pub label: Option<String>,
    /// Whether it redirects. Sales of a disabled link still count.
    pub active: bool,
    /// The athlete's share of a sale.
    pub commission_basis_points: BasisPoints,
    /// The number of clicks. Visitors are not stored.
    pub clicks: i64,
    /// The number of reported sales.
    pub conversions: i64,
    /// The commission on them, an agent's part included. It is credited to the wallet once the
    /// brand has paid.
    pub earned_cents: Cents,
    /// How much of the commission the brand has paid.
    pub paid_cents: Cents,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl AffiliateLink {
    /// The link with its URL on this server.
    pub(super) fn reached_at(mut self, public_url: &str) -> Self {
        self.url = format!("{public_url}/api/l/{}", self.code);
        self
    }
}
