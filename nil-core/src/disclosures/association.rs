//! The questions about a payer's association with the institution, which the clearinghouse asks of
//! every deal, and who answered them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::due::ClearinghouseRule;
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Many, Time};
use crate::storage::FromRow;
use crate::wording;

vocabulary! {
    /// A question about the payer's association with the institution.
    AssociationQuestion {
        /// Whether the payer exists mainly to support the institution or its athletes.
        SupportsInstitution = "supports_institution",
        /// Whether it is an owner, officer, employee or agent of the institution.
        Insider = "insider",
        /// Whether it has given the institution more than the clearinghouse's limit in all.
        LargeDonor = "large_donor",
        /// Whether staff of the institution asked for the deal.
        AskedByStaff = "asked_by_staff",
        /// Whether it is owned or controlled by anyone of whom one of these is true.
        ControlledByAssociate = "controlled_by_associate",
        /// Whether it sponsors the institution. This is told to the clearinghouse, and makes nobody
        /// associated.
        Sponsor = "sponsor",
    }
}

impl AssociationQuestion {
    /// Whether a yes makes the payer an associated entity.
    pub(super) const fn associates(self) -> bool {
        !matches!(self, Self::Sponsor)
    }

    /// The question in words; the limit of giving is that of the day of signing.
    fn asks(self, rule: Option<&ClearinghouseRule>) -> String {
        match self {
            Self::SupportsInstitution => {
                "Does the payer exist mainly to support the institution or its athletes?".into()
            }
            Self::Insider => {
                "Is the payer an owner, officer, employee or agent of the institution?".into()
            }
            Self::LargeDonor => match rule {
                Some(rule) => {
                    let limit = wording::money("USD", rule.large_gift_cents.get());
                    format!("Has the payer given the institution more than {limit} in all?")
                }
                None => "Is the payer a large donor of the institution?".into(),
            },
            Self::AskedByStaff => "Did staff of the institution ask for this deal?".into(),
            Self::ControlledByAssociate => {
                "Is the payer owned or controlled by anyone of whom one of these is true?".into()
            }
            Self::Sponsor => "Does the payer sponsor the institution?".into(),
        }
    }
}

/// A question about the payer's association with the institution, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct AssociationFact {
    /// The question.
    pub question: AssociationQuestion,
    /// The question in words.
    pub asks: String,
    /// The answer; null while nobody has given one.
    pub answer: Option<bool>,
    /// Who gave it, in the words of the audit trail; `platform` if it follows from the
    /// institution's rules.
    pub answered_by: Option<String>,
    /// When it was given.
    pub answered_at: Option<Time>,
}

/// An answer about the payer's association with the institution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GivenAnswer {
    /// The question.
    pub question: AssociationQuestion,
    /// Whether it is true of the payer.
    pub answer: bool,
}

/// Answers to the questions, each at most once.
pub type GivenAnswers = Many<GivenAnswer, 1, 6>;

/// A stored answer.
#[derive(Clone, Debug, FromRow)]
pub(super) struct KnownAnswer {
    pub(super) question: AssociationQuestion,
    pub(super) answer: bool,
    pub(super) answered_by: String,
    pub(super) answered_at: Time,
}

impl KnownAnswer {
    /// Whether the institution gave it, itself or by its rules.
    fn is_of_institution(&self) -> bool {
        self.answered_by == PLATFORM || self.answered_by.starts_with("portal_user:")
    }
}

/// The name of the platform in the audit trail.
pub(super) const PLATFORM: &str = "platform";

/// Every question with its answer, if there is one.
pub(super) fn facts(
    answers: &[KnownAnswer],
    rule: Option<&ClearinghouseRule>,
) -> Vec<AssociationFact> {
    let fact = |question: &AssociationQuestion| {
        let own = answers.iter().find(|one| one.question == *question);
        AssociationFact {
            question: *question,
            asks: question.asks(rule),
            answer: own.map(|one| one.answer),
            answered_by: own.map(|one| one.answered_by.clone()),
            answered_at: own.map(|one| one.answered_at),
        }
    };
    AssociationQuestion::ALL.iter().map(fact).collect()
}

/// The answers that change something. 422 for a question that is answered twice. The athlete's side
/// cannot change what the institution has answered.
pub(super) fn changes(
    given: &GivenAnswers,
    known: &[KnownAnswer],
    by_institution: bool,
) -> Result<Vec<GivenAnswer>> {
    let mut changed: Vec<GivenAnswer> = Vec::new();
    for (place, one) in given.iter().enumerate() {
        let at = |field: &str| format!("association.{place}.{field}");
        if given.iter().take(place).any(|before| before.question == one.question) {
            return Err(Error::invalid(at("question"), "is answered twice"));
        }
        let before = known.iter().find(|known| known.question == one.question);
        if before.is_some_and(|before| before.answer == one.answer) {
            continue;
        }
        if !by_institution && before.is_some_and(KnownAnswer::is_of_institution) {
            let message = "must stay as the institution has answered it; ask its compliance office";
            return Err(Error::invalid(at("answer"), message));
        }
        changed.push(*one);
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(question: AssociationQuestion, answer: bool, by: &str) -> KnownAnswer {
        let answered_at = "2026-11-20T12:00:00Z".parse().unwrap();
        KnownAnswer { question, answer, answered_by: by.into(), answered_at }
    }

    fn given(answers: &[(AssociationQuestion, bool)]) -> GivenAnswers {
        let one = |(question, answer): &(AssociationQuestion, bool)| GivenAnswer {
            question: *question,
            answer: *answer,
        };
        Many::new(answers.iter().map(one).collect()).unwrap()
    }

    #[test]
    fn the_institutions_answer_stands_until_the_institution_changes_it() {
        use AssociationQuestion::{Insider, LargeDonor, Sponsor};
        let known = [
            answered(LargeDonor, true, "portal_user:3"),
            answered(Sponsor, true, PLATFORM),
            answered(Insider, true, "athlete:5"),
        ];
        for question in [LargeDonor, Sponsor] {
            let other = given(&[(question, false)]);
            assert!(changes(&other, &known, false).is_err(), "{question}");
            assert_eq!(changes(&other, &known, true).unwrap().len(), 1, "{question}");
            let same = given(&[(question, true)]);
            assert!(changes(&same, &known, false).unwrap().is_empty(), "{question}");
        }
        assert_eq!(changes(&given(&[(Insider, false)]), &known, false).unwrap().len(), 1);
        assert!(changes(&given(&[(Insider, true), (Insider, false)]), &known, true).is_err());
    }
}
