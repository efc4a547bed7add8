//! The packet for the clearinghouse: what it is told about a deal. Most of it is read from the record of the deal, the
//! contract or the disclosed job; the athlete's side adds what that record does not say.

use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::association::{AssociationFact, AssociationQuestion, KnownAnswer, facts};
use super::attesting::PayorAttestation;
use super::clearance::{Clearance, ClearanceWord};
use super::content::Content;
use super::contract_packet::{of_contract, with_terms};
use super::disclosed_job::{Attestation, DisclosedJob, PayerKind};
use super::due::{clearinghouse, rule_on};
use super::packet::{self, Parties, Problem, Submission};
use super::store::person::Person;
use crate::compensation::{Asker, CompensationRange, Person as Facts, Question, Work};
use crate::contracts::terms::{
    AgentParty, ExclusivityTerms, MarketplaceTerms, MilestoneTerms, Terms, UsageTerms,
};
use crate::error::Result;
use crate::jobs::{Compensation, MediaPlatform};
use crate::kernel::{CategoryId, Cents, Date, FileId, Time};
use crate::storage::FromRow;

/// The payer, as the clearinghouse is told.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
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
pub struct ClearancePacket {
    /// The athlete's legal name.
    pub athlete_name: String,
    /// The institution at which the athlete is enrolled.
    pub institution: String,
    /// The marketplace that tells the clearinghouse; absent from packets that were submitted before it was kept, and
    /// from those of a site without a name.
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
    /// What the brand of a contract was asked about its association with the institution, and what it said itself;
    /// absent for a disclosed job, while the deal is not due, and from packets that were submitted before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payor_attestation: Option<PayorAttestation>,
    /// What comparable deals paid, for those who read the packet: none of the deals is the athlete's, the agent's or of
    /// the institution. As of now until the packet is submitted, and then as it was submitted; absent from packets that
    /// were submitted before there were ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<CompensationRange>")]
    pub compensation_range: Option<Value>,
    /// The athlete's explanation: answers to the clearinghouse's questions, or what a revision changes.
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
pub struct PacketProblem {
    /// The field.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

/// A step at the clearinghouse.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
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
pub struct ClearanceDetail {
    /// The clearance.
    #[serde(flatten)]
    pub clearance: Clearance,
    /// What the clearinghouse is told, as it stands now.
    pub packet: ClearancePacket,
    /// What is still missing from the packet or contradictory in it. The attestations are not named here: the athlete
    /// makes them by submitting.
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

/// The record of the deal.
#[derive(Clone, Debug)]
pub(super) enum Record {
    Contract(Box<Contract>),
    Disclosed(Box<DisclosedJob>),
}

/// All that a packet is made of.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    pub(super) clearance: Clearance,
    pub(super) person: Person,
    /// The institution's names.
    pub(super) institution: [String; 2],
    pub(super) record: Record,
    pub(super) written: Written,
    pub(super) answers: Vec<KnownAnswer>,
    /// What the brand was asked to attest, if it was.
    pub(super) attestation: Option<PayorAttestation>,
    /// The time zone of the deal's institution.
    pub(super) zone: Tz,
    /// What comparable deals paid, if it is known.
    pub(super) range: Option<Value>,
    /// The marketplace, if the site has a name.
    pub(super) marketplace: Option<MarketplaceTerms>,
}

impl Sources {
    /// What is asked about comparable deals.
    pub(super) fn question(&self, facts: Facts) -> Question {
        let content = self.content(&[]);
        let share = content.compensation.is_share_of_sales();
        let amount = content.amount_cents;
        let (platform, pieces) = match &self.record {
            Record::Contract(contract) => asked_for(&contract.terms.milestones),
            Record::Disclosed(_) => (None, None),
        };
        let asker = Asker::Packet {
            athlete: self.clearance.athlete_id,
            agent: self.person.agent_id,
            college: self.clearance.college_id,
        };
        Question {
            work: Work { category: content.category_id, platform, pieces },
            person: facts,
            amount: (!share && amount.is_positive()).then_some(amount),
            asker,
        }
    }

    /// The content of the disclosure, in the terms that disclosed jobs use too.
    fn content(&self, attestations: &[Attestation]) -> Content {
        let mut content = match &self.record {
            Record::Contract(contract) => of_contract(contract, &self.clearance),
            Record::Disclosed(job) => Content::of(job),
        };
        let written = &self.written;
        content.payer_kind = written.payer_kind.unwrap_or(content.payer_kind);
        if written.payer_parent.is_some() {
            content.payer_parent.clone_from(&written.payer_parent);
        }
        content.uses_marks = written.uses_marks.unwrap_or(content.uses_marks);
        let yes = |one: &KnownAnswer| one.question.associates() && one.answer;
        content.associated_entity |= self.answers.iter().any(yes);
        content.attestations = attestations.to_vec();
        content
    }

    fn business_purpose(&self) -> Option<String> {
        self.written.business_purpose.clone().or_else(|| match &self.record {
            Record::Contract(contract) => Some(contract.terms.job.business_purpose.clone()),
            Record::Disclosed(_) => None,
        })
    }

    /// The attestations that the record of the deal has: a disclosed job's were made to the institution.
    pub(super) fn attested(&self) -> &[Attestation] {
        match &self.record {
            Record::Contract(_) => &[],
            Record::Disclosed(job) => &job.attestations,
        }
    }

    /// The packet with these attestations.
    pub(super) fn packet(&self, attestations: &[Attestation]) -> Result<ClearancePacket> {
        let content = self.content(attestations);
        let rule = rule_on(clearinghouse()?, content.signed_on);
        let cash = content.amount_cents - content.benefits_cents - content.contingent_cents;
        let business_purpose = self.business_purpose();
        let legal = self.person.legal_name();
        let [institution, _] = &self.institution;
        let legal = if legal.is_empty() { self.person.display_name.clone() } else { legal };
        let packet = ClearancePacket {
            athlete_name: legal,
            institution: institution.clone(),
            marketplace: self.marketplace.clone(),
            hometown_city: None,
            hometown_state: None,
            sport: None,
            payer: PacketPayer {
                name: content.payer_name,
                parent: content.payer_parent,
                kind: content.payer_kind,
                hq_city: None,
                hq_state: None,
            },
            agent: None,
            contract_number: None,
            document_sha256: None,
            title: content.title,
            description: content.description,
            activity: None,
            category_id: content.category_id,
            business_purpose,
            signed_on: content.signed_on,
            starts_on: content.starts_on,
            ends_on: content.ends_on,
            compensation: content.compensation,
            amount_cents: content.amount_cents,
            cash_cents: cash,
            benefits_cents: content.benefits_cents,
            contingent_cents: content.contingent_cents,
            benefits: None,
            schedule: None,
            condition: None,
            deliverables: Vec::new(),
            usage_rights: None,
            licensed_attributes: Vec::new(),
            exclusivity: None,
            documents: Vec::new(),
            uses_marks: content.uses_marks,
            association: facts(&self.answers, rule),
            payor_attestation: self.attestation.clone(),
            compensation_range: self.range.clone(),
            explanation: self.written.explanation.clone(),
            attestations: content.attestations,
            prepared_by: self.written.prepared_by.clone(),
            revision: self.written.revision,
        };
        Ok(match &self.record {
            Record::Contract(contract) => with_terms(packet, contract),
            Record::Disclosed(job) => {
                ClearancePacket { documents: job.documents.clone(), ..packet }
            }
        })
    }

    /// What is missing or contradictory if the athlete makes these attestations.
    pub(super) fn problems(&self, attestations: &[Attestation]) -> Vec<Problem> {
        let content = self.content(attestations);
        let legal = self.person.legal_name();
        let purpose = self.business_purpose();
        let answers: Vec<(AssociationQuestion, bool)> =
            self.answers.iter().map(|one| (one.question, one.answer)).collect();
        let (due_on, marks_consent, disclosed_as_associated) = match &self.record {
            Record::Contract(contract) => {
                (contract.due_on.clone(), Some(contract.terms.marks_consent), false)
            }
            Record::Disclosed(job) => (Vec::new(), None, job.associated_entity),
        };
        let [name, short] = &self.institution;
        packet::problems_of(&Submission {
            content: &content,
            parties: Parties {
                athlete: [&legal, &self.person.display_name],
                institution: [name, short],
            },
            disclosed_as_associated,
            answers: &answers,
            business_purpose: purpose.as_deref(),
            due_on: &due_on,
            marks_consent,
        })
    }

    /// What is missing or contradictory if the athlete attests everything.
    pub(super) fn missing(&self) -> Vec<PacketProblem> {
        let missing = self.problems(Attestation::ALL).into_iter();
        missing.map(|(field, message)| PacketProblem { field: field.to_owned(), message }).collect()
    }

    /// The answer of an operation.
    pub(super) fn detail(self, steps: Vec<ClearanceStep>, now: Time) -> Result<ClearanceDetail> {
        let packet = self.packet(&[])?;
        let missing = self.missing();
        let (clearance, payor_attestation) = (self.clearance.seen_at(now), self.attestation);
        Ok(ClearanceDetail { clearance, packet, missing, steps, payor_attestation })
    }
}

/// The one platform of these deliverables, and the number of pieces.
fn asked_for(deliverables: &[MilestoneTerms]) -> (Option<MediaPlatform>, Option<i64>) {
    let mut platforms: Vec<&str> = deliverables.iter().map(|one| one.platform.as_str()).collect();
    platforms.sort_unstable();
    platforms.dedup();
    let platform = match platforms.as_slice() {
        [only] => only.parse().ok(),
        _ => None,
    };
    let pieces = deliverables.iter().map(|one| one.quantity).sum();
    (platform, (pieces > 0).then_some(pieces))
}
