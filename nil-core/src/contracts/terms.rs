//! The terms of a contract: a snapshot taken at hire that never changes afterwards.
//!
//! Later changes are numbered amendments. Everything here is a plain value, not a reference:
//! renaming a job or moving a company must not change a signed contract.
//!
//! A missing fact is left out of the JSON. A field added in a later release therefore does not
//! change the hash of contracts signed before it.

use aws_lc_rs::digest;
use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::{AMOUNT_FORMAT, RATE_FORMAT, canonical};

/// Everything the parties agree to, as of the hire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Terms {
    /// The contract's number, such as `NIL-2026-000123`.
    pub number: String,
    /// The paying party.
    pub brand: BrandParty,
    /// The performing party.
    pub athlete: AthleteParty,
    /// The athlete's agent, if one acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentParty>,
    /// The job.
    pub job: JobTerms,
    /// The dates of signing, beginning and end.
    pub dates: TermDates,
    /// The deliverables, in the order of the job.
    pub milestones: Vec<MilestoneTerms>,
    /// The athlete's compensation.
    pub compensation: CompensationTerms,
    /// The brand's rights to use the content.
    pub usage: UsageTerms,
    /// The licensed attributes, as codes or words: `name`, `image`, `likeness`, `voice`,
    /// `signature`.
    pub licensed_attributes: Vec<String>,
    /// The category in which the athlete grants exclusivity, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusivity: Option<ExclusivityTerms>,
    /// The marketplace through which the contract was concluded; contracts signed before it was
    /// kept, and those of a site without a name, have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marketplace: Option<MarketplaceTerms>,
    /// The marketplace's fee, paid by the brand on top, in basis points of each payment.
    #[schemars(extend("format" = RATE_FORMAT))]
    pub fee_basis_points: i64,
    /// The governing law: a state's postal code (`TX`) or name.
    pub governing_law: String,
    /// Whether the institution has agreed in writing to the use of its marks and facilities.
    pub marks_consent: bool,
}

/// The brand as a party.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BrandParty {
    /// The company's name.
    pub company: String,
    /// The city of its headquarters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hq_city: Option<String>,
    /// The state of its headquarters: a postal code or a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hq_state: Option<String>,
    /// The person who acts for the company.
    pub contact: String,
}

/// The marketplace, which is not a party.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MarketplaceTerms {
    /// Its name.
    pub name: String,
    /// Its e-mail address for support.
    pub support_email: String,
}

/// The athlete as a party.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AthleteParty {
    /// The athlete's legal name.
    pub legal_name: String,
    /// The institution at which the athlete is enrolled.
    pub institution: String,
    /// The athlete's sport.
    pub sport: String,
    /// The state of the institution: a postal code or a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub institution_state: Option<String>,
    /// The athlete's hometown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hometown_city: Option<String>,
    /// The athlete's home state: a postal code or a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hometown_state: Option<String>,
    /// Whether the athlete was under age at signing. The birth date itself stays out.
    pub minor: bool,
    /// The guardian who consented, for a minor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guardian: Option<GuardianParty>,
}

/// The guardian of an athlete who is under age.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuardianParty {
    /// The guardian's name.
    pub name: String,
    /// When the guardian consented.
    pub consented_at: DateTime<Utc>,
}

/// The agent who acts for the athlete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct AgentParty {
    /// The agency.
    pub agency: String,
    /// The agent in person.
    pub name: String,
    /// The agent's share of the athlete's pay, in basis points.
    #[schemars(extend("format" = RATE_FORMAT))]
    pub commission_basis_points: i64,
}

/// The job as the brand described it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobTerms {
    /// The job's title.
    pub title: String,
    /// The brand's description, with its own paragraphs.
    pub description: String,
    /// The job's category.
    pub category: String,
    /// The kind of engagement: `one_time`, `ongoing`, `appearance` or `licensing`.
    pub kind: String,
    /// The brand's purpose: the valid business purpose that a reviewer asks for.
    pub business_purpose: String,
}

/// The dates of the contract, in the institution's time zone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TermDates {
    /// The day of the hire.
    pub signed_on: NaiveDate,
    /// The first day of the term; never before the day of signing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective_on: Option<NaiveDate>,
    /// The last day of the term; no deliverable is due later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_ends_on: Option<NaiveDate>,
    /// The name of the institution's time zone, such as `America/Chicago`; contracts signed before
    /// it was kept have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

impl TermDates {
    /// The time zone in which instants are written; UTC if none was kept.
    pub(crate) fn zone(&self) -> chrono_tz::Tz {
        let zone = self.time_zone.as_deref().and_then(|zone| zone.parse().ok());
        zone.unwrap_or(chrono_tz::UTC)
    }
}

/// One deliverable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct MilestoneTerms {
    /// Its title.
    pub title: String,
    /// The activity's code, such as `social_post`.
    pub activity: String,
    /// The platform's code, such as `instagram` or `in_person`.
    pub platform: String,
    /// The format's code, such as `reel`.
    pub media_kind: String,
    /// The number of pieces.
    pub quantity: i64,
    /// The last day on which it may be delivered.
    pub due_on: NaiveDate,
    /// How many days it stays published; absent only for work that is not published online.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live_days: Option<i64>,
    /// Hashtags of the post, with or without `#`.
    pub hashtags: Vec<String>,
    /// The brand's instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Whether the post must be marked as advertising.
    pub disclosure_required: bool,
    /// Its share of the agreed cash amount, in cents.
    #[schemars(extend("format" = AMOUNT_FORMAT))]
    pub amount_cents: i64,
}

/// The kind of compensation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompensationKind {
    /// Money.
    Cash,
    /// Goods.
    Product,
    /// Services.
    Service,
    /// Money and goods or services.
    Mixed,
    /// A share of the sales of products with the licensed attributes.
    Royalty,
    /// A share of the sales the athlete generates.
    Commission,
}

/// The compensation and when it is owed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompensationTerms {
    /// The kind of compensation.
    pub kind: CompensationKind,
    /// The agreed cash, in cents: the sum of the milestones' amounts. Zero without cash.
    #[schemars(extend("format" = AMOUNT_FORMAT))]
    pub agreed_amount_cents: i64,
    /// The goods or services given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_description: Option<String>,
    /// The fair value of the non-cash compensation, in cents; for a royalty or a commission, its
    /// maximum.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = AMOUNT_FORMAT))]
    pub product_value_cents: Option<i64>,
    /// The share of sales of a royalty or commission, in basis points.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = RATE_FORMAT))]
    pub commission_basis_points: Option<i64>,
    /// The currency, `usd`.
    pub currency: String,
    /// When it is paid: one sentence.
    pub schedule: String,
    /// The condition of payment: one sentence.
    pub condition: String,
}

/// The brand's rights to use the content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a permission of its own")]
pub struct UsageTerms {
    /// The codes of the media allowed, such as `organic_social`.
    pub media: Vec<String>,
    /// The territory: a country's code or a description.
    pub territory: String,
    /// The number of days after first publication; absent exactly when perpetual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<i64>,
    /// Whether the licence has no end.
    pub perpetual: bool,
    /// Whether the brand may advertise through the athlete's own account.
    pub allow_listing: bool,
    /// Whether the brand may edit the content into new works.
    pub derivative_works: bool,
    /// Whether the brand may sublicense the content.
    pub sublicensable: bool,
}

/// The category in which the athlete grants exclusivity to the brand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ExclusivityTerms {
    /// The category of goods or services.
    pub category: String,
    /// The number of days from the first day of the term.
    pub days: i64,
}

/// The SHA-256 of the terms' canonical JSON, in hexadecimal: the contract's `document_sha256`.
///
/// Canonical means: keys sorted, no white space, missing facts left out. All numbers are whole. The
/// computation can therefore be repeated from the terms in any language.
#[must_use]
pub fn sha256(terms: &Terms) -> String {
    hex::encode(digest::digest(&digest::SHA256, canonical_json(terms).as_bytes()))
}

/// The JSON that is hashed.
#[must_use]
#[expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "text, whole numbers, booleans and dates always serialise"
)]
pub fn canonical_json(terms: &Terms) -> String {
    canonical(&serde_json::to_value(terms).expect("terms are plain values"))
}

#[cfg(test)]
#[path = "terms_tests.rs"]
mod tests;

#[cfg(test)]
pub(crate) use tests::sample;
