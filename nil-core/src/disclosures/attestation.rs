//! What a brand is asked to attest, and what it said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::association::{AssociationFact, AssociationQuestion, GivenAnswer, facts};
use super::due::{clearinghouse, rule_on};
use crate::error::Result;
use crate::kernel::{ClearanceId, ContractId, Date, PartnerId, Time};
use crate::storage::FromRow;

/// What the brand was asked to attest, and what it said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PayorAttestation {
    /// When it was asked.
    pub asked_at: Time,
    /// The deadline.
    pub due_at: Time,
    /// When it attested first; null if it has not.
    pub attested_at: Option<Time>,
    /// Who attested, in the words of the audit trail; null if nobody has.
    pub attested_by: Option<String>,
    /// Whether the deadline was missed.
    pub late: bool,
    /// Whether it says that it is associated with the institution; null if it has not attested.
    pub associated: Option<bool>,
    /// Whether it counts as associated because it did not attest in time. Only where the site says
    /// so (`presume_associated`).
    pub presumed_associated: bool,
    /// Its answers. Those in the packet may differ: what others answered there stays.
    pub answers: Vec<GivenAnswer>,
}

impl PayorAttestation {
    pub(super) fn of(asked: Standing, now: Time) -> Self {
        let missed = asked.attested_at.unwrap_or(now) > asked.due_at;
        Self {
            asked_at: asked.asked_at,
            due_at: asked.due_at,
            attested_at: asked.attested_at,
            attested_by: asked.attested_at.map(|_| actor(asked.partner_id)),
            late: missed,
            associated: asked.answers.as_deref().map(is_associated),
            presumed_associated: asked.presumes && asked.attested_at.is_none() && missed,
            answers: asked.answers.unwrap_or_default(),
        }
    }
}

/// The brand in the audit trail.
pub(super) fn actor(brand: PartnerId) -> String {
    format!("partner:{brand}")
}

pub(super) fn is_associated(answers: &[GivenAnswer]) -> bool {
    answers.iter().any(|one| one.question.associates() && one.answer)
}

/// A request to a brand to attest whether it is associated with an athlete's institution.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AttestationRequest {
    /// The clearance of the deal; the request has its id.
    pub id: ClearanceId,
    /// The contract.
    pub contract_id: ContractId,
    /// The job's title.
    pub title: String,
    /// The athlete.
    pub athlete_name: String,
    /// The institution.
    pub institution: String,
    /// The day both sides had agreed.
    pub signed_on: Date,
    /// When the brand was asked.
    pub asked_at: Time,
    /// The deadline.
    pub due_at: Time,
    /// When it attested first; null if it has not.
    pub attested_at: Option<Time>,
    /// Whether the deadline was missed.
    #[row(skip)]
    pub late: bool,
    /// The questions, with the brand's own answers.
    #[row(skip)]
    pub association: Vec<AskedOfPayor>,
    /// The answers as they are stored.
    #[row(json(nullable))]
    #[serde(skip)]
    pub(super) answers: Option<Vec<GivenAnswer>>,
}

/// A question to a brand, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AskedOfPayor {
    /// The question.
    pub question: AssociationQuestion,
    /// The question in words; the payer is the brand.
    pub asks: String,
    /// Its answer; null if it has not attested.
    pub answer: Option<bool>,
}

impl AttestationRequest {
    pub(super) fn seen_at(mut self, now: Time) -> Result<Self> {
        self.late = self.attested_at.unwrap_or(now) > self.due_at;
        let own = self.answers.take().unwrap_or_default();
        let rule = rule_on(clearinghouse()?, self.signed_on);
        let asked = facts(&[], rule).into_iter();
        self.association = asked
            .map(|AssociationFact { question, asks, .. }| {
                let given = own.iter().find(|one| one.question == question);
                AskedOfPayor { question, asks, answer: given.map(|one| one.answer) }
            })
            .collect();
        Ok(self)
    }
}

/// What a brand was asked, and what the site makes of silence.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Standing {
    pub(super) partner_id: PartnerId,
    pub(super) asked_at: Time,
    pub(super) due_at: Time,
    pub(super) attested_at: Option<Time>,
    #[row(json(nullable))]
    pub(super) answers: Option<Vec<GivenAnswer>>,
    pub(super) presumes: bool,
}
