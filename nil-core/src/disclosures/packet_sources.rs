//! What a clearance packet is made of, and how it comes together.

use chrono_tz::Tz;
use serde_json::Value;

use super::association::{AssociationQuestion, KnownAnswer, facts};
use super::attestation::PayorAttestation;
use super::clearance::Clearance;
use super::clearance_packet::{
    ClearanceDetail, ClearancePacket, ClearanceStep, Contract, PacketPayer, PacketProblem, Written,
};
use super::content::Content;
use super::contract_packet::{of_contract, with_terms};
use super::disclosed_job::{Attestation, DisclosedJob};
use super::due::{clearinghouse, rule_on};
use super::packet::{self, Parties, Problem, Submission};
use super::store::person::Person;
use crate::compensation::{Asker, Person as Facts, Question, Work};
use crate::contracts::terms::{MarketplaceTerms, MilestoneTerms};
use crate::error::Result;
use crate::jobs::MediaPlatform;
use crate::kernel::Time;

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

    /// The attestations that the record of the deal has: a disclosed job's were made to the
    /// institution.
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
