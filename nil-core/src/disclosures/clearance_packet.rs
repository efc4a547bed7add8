//! The packet for the clearinghouse: what it is told about a deal. Most of it is read from the
//! record of the deal, the contract or the disclosed job; the athlete's side adds what that record
//! does not say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::association::AssociationFact;
use super::attestation::PayorAttestation;
use super::clearance::{Clearance, ClearanceWord};
use super::disclosed_job::{Attestation, PayerKind};
use crate::compensation::CompensationRange;
use crate::contracts::terms::{
    AgentParty, ExclusivityTerms, MarketplaceTerms, MilestoneTerms, Terms, UsageTerms,
};
use crate::jobs::Compensation;
use crate::kernel::{CategoryId, Cents, Date, FileId, Time};
use crate::storage::FromRow;

/// The payer, as the clearinghouse is told.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PacketPayer {
    /// Its name.
    pub name: String,
    /// The company that owns it.
    pub parent: Option<String>,
    /// Its kind.
    pub kind: PayerKind,
    /// The city of its headquarters.
    pub hq_city: Option<String>,
    /// The state of its headquarters.
    pub hq_state: Option<String>,
}

/// What the clearinghouse is told about a deal.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ClearancePacket {
    /// The athlete's legal name.
    pub athlete_name: String,
    /// The institution at which the athlete is enrolled.
    pub institution: String,
    /// The marketplace that tells the clearinghouse; absent from packets that were submitted before
    /// it was kept, and from those of a site without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marketplace: Option<MarketplaceTerms>,
    /// The athlete's hometown, if the contract names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hometown_city: Option<String>,
    /// The athlete's home state, if the contract names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hometown_state: Option<String>,
    /// The athlete's sport, if the contract names it.
    pub sport: Option<String>,
    /// The payer.
    pub payer: PacketPayer,
    /// The athlete's agent and the commission, if the contract names one.
    pub agent: Option<AgentParty>,
    /// The number of the contract.
    pub contract_number: Option<String>,
    /// The SHA-256 of the contract's terms.
    pub document_sha256: Option<String>,
    /// The deal's title.
    pub title: String,
    /// The work done for it.
    pub description: String,
    /// The category of the activity; null for a disclosed job, which has `category_id`.
    pub activity: Option<String>,
    /// Its category of jobs.
    pub category_id: CategoryId,
    /// What the payer wants it for.
    pub business_purpose: Option<String>,
    /// The day both sides had agreed.
    pub signed_on: Date,
    /// The first day of the term.
    pub starts_on: Option<Date>,
    /// The last day of the term.
    pub ends_on: Option<Date>,
    /// The kind of compensation.
    pub compensation: Compensation,
    /// The total value: cash, benefits and the maximum of contingent pay.
    pub amount_cents: Cents,
    /// The part of it in cash.
    pub cash_cents: Cents,
    /// The part of it in goods or services, at fair value.
    pub benefits_cents: Cents,
    /// The contingent part of it, at its maximum.
    pub contingent_cents: Cents,
    /// The goods or services given.
    pub benefits: Option<String>,
    /// When it is paid, in a sentence of the contract.
    pub schedule: Option<String>,
    /// On which condition it is paid, in a sentence of the contract.
    pub condition: Option<String>,
    /// The deliverables, with the due dates agreed last.
    pub deliverables: Vec<MilestoneTerms>,
    /// The payer's rights to use the content; null for a disclosed job.
    pub usage_rights: Option<UsageTerms>,
    /// The licensed attributes of the athlete.
    pub licensed_attributes: Vec<String>,
    /// The exclusivity that the athlete grants, if any.
    pub exclusivity: Option<ExclusivityTerms>,
    /// Documents of a disclosed job.
    pub documents: Vec<FileId>,
    /// Whether the institution's marks or facilities are used.
    pub uses_marks: bool,
    /// The questions about the payer's association with the institution, with the answers.
    pub association: Vec<AssociationFact>,
    /// What the brand of a contract was asked about its association with the institution, and what
    /// it said itself; absent for a disclosed job, while the deal is not due, and from packets that
    /// were submitted before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payor_attestation: Option<PayorAttestation>,
    /// What comparable deals paid, for those who read the packet: none of the deals is the
    /// athlete's, the agent's or of the institution. As of now until the packet is submitted, and
    /// then as it was submitted; absent from packets that were submitted before there were ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<CompensationRange>")]
    pub compensation_range: Option<Value>,
    /// The athlete's explanation: answers to the clearinghouse's questions, or what a revision
    /// changes.
    pub explanation: Option<String>,
    /// The athlete's attestations. They are made when the packet is submitted.
    pub attestations: Vec<Attestation>,
    /// Who prepared it last, in the words of the audit trail; `platform` if it was only filled in.
    pub prepared_by: String,
    /// Its revision, from 1.
    pub revision: i64,
}

/// Something that is missing from a packet or contradictory in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PacketProblem {
    /// The field.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

/// A step at the clearinghouse.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ClearanceStep {
    /// What happened.
    pub step: ClearanceWord,
    /// The clearinghouse's reference.
    pub reference: Option<String>,
    /// The clearinghouse's note.
    pub note: Option<String>,
    /// Who recorded it, in the words of the audit trail.
    pub recorded_by: String,
    /// The packet as it was submitted; null for any other step.
    #[schemars(with = "Option<ClearancePacket>")]
    pub packet: Option<Value>,
    /// When it was recorded.
    pub created_at: Time,
}

/// The status of a deal at the clearinghouse, with its packet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ClearanceDetail {
    /// The clearance.
    #[serde(flatten)]
    pub clearance: Clearance,
    /// What the clearinghouse is told, as it stands now.
    pub packet: ClearancePacket,
    /// What is still missing from the packet or contradictory in it. The attestations are not named
    /// here: the athlete makes them by submitting.
    pub missing: Vec<PacketProblem>,
    /// What happened at the clearinghouse, in order.
    pub steps: Vec<ClearanceStep>,
    /// What the brand of a contract was asked about its association with the institution, and what
    /// it said; null for a disclosed job, and while the deal is not due.
    pub payor_attestation: Option<PayorAttestation>,
}

/// What the athlete's side has written into a packet; nothing: as the record of the deal says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromRow)]
pub(super) struct Written {
    pub(super) payer_kind: Option<PayerKind>,
    pub(super) payer_parent: Option<String>,
    pub(super) business_purpose: Option<String>,
    pub(super) uses_marks: Option<bool>,
    pub(super) explanation: Option<String>,
    pub(super) prepared_by: String,
    pub(super) revision: i64,
}

/// What a packet repeats of a contract.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Contract {
    pub(super) number: String,
    #[row(json)]
    pub(super) terms: Terms,
    pub(super) document_sha256: String,
    pub(super) category_id: CategoryId,
    /// The due dates agreed last, in the order of the terms.
    #[row(skip)]
    pub(super) due_on: Vec<Date>,
}
