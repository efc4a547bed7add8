//! A link as the parties of its contract see it.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::kernel::{
    AffiliateLinkId, AthleteId, BasisPoints, Cents, ContractId, JobId, PartnerId, Time,
};

/// An affiliate link.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AffiliateLink {
    /// Its id.
    pub id: AffiliateLinkId,
    /// The word it is known by, in its address and in reports of sales.
    pub code: String,
    /// The address to hand out.
    #[sqlx(skip)]
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
    /// Where it leads: a page of the brand's website.
    pub target_url: String,
    /// What the athlete calls it.
    pub label: Option<String>,
    /// Whether it leads anywhere. Sales of a link that is switched off still count.
    pub active: bool,
    /// The athlete's share of a sale.
    pub commission_basis_points: BasisPoints,
    /// How often it was followed. By whom is not kept.
    pub clicks: i64,
    /// How many sales were reported.
    pub conversions: i64,
    /// The commission on them, an agent's part included. It is in the wallet once the brand has paid.
    pub earned_cents: Cents,
    /// How much of it the brand has paid.
    pub paid_cents: Cents,
    /// When it was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl AffiliateLink {
    /// The same with its address on this server.
    pub(super) fn reached_at(mut self, public_url: &str) -> Self {
        self.url = format!("{public_url}/api/l/{}", self.code);
        self
    }
}
