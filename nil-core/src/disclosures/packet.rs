//! Checks that a disclosure, or what is submitted to the clearinghouse, is complete and consistent
//! before it is submitted, not days afterwards. One checker for contracts of the platform and for
//! disclosed jobs. Pure.

use super::association::AssociationQuestion;
use super::content::Content;
use super::disclosed_job::{Attestation, PayerKind};
use crate::error::{Error, Result, codes};
use crate::institutions::same_company;
use crate::jobs::Compensation;
use crate::kernel::{Cents, Date};

/// The other parties.
#[derive(Clone, Debug)]
pub(super) struct Parties<'a> {
    /// The athlete's names.
    pub(super) athlete: [&'a str; 2],
    /// The institution's names.
    pub(super) institution: [&'a str; 2],
}

/// What the clearinghouse is told beyond a disclosure's content.
#[derive(Clone, Debug)]
pub(super) struct Submission<'a> {
    pub(super) content: &'a Content,
    pub(super) parties: Parties<'a>,
    /// Whether the disclosure says that the payer is associated with the institution.
    pub(super) disclosed_as_associated: bool,
    /// The answers given so far.
    pub(super) answers: &'a [(AssociationQuestion, bool)],
    pub(super) business_purpose: Option<&'a str>,
    /// The due dates of the deliverables, if they are known.
    pub(super) due_on: &'a [Date],
    /// Whether the institution consents to the use of its marks, if a contract says so.
    pub(super) marks_consent: Option<bool>,
}

/// 422 naming everything that is missing or contradictory.
pub(super) fn check(content: &Content, parties: &Parties<'_>) -> Result<()> {
    refuse(problems(content, parties))
}

/// Everything that is missing from a disclosure, or contradictory in it.
fn problems(content: &Content, parties: &Parties<'_>) -> Vec<Problem> {
    let found = [dates(content), sums(content), payer(content, parties), attestations(content)];
    found.concat()
}

/// Everything that is missing from what the clearinghouse is told, or contradictory in it.
pub(super) fn problems_of(submission: &Submission<'_>) -> Vec<Problem> {
    let mut found = problems(submission.content, &submission.parties);
    found.extend(purpose(submission));
    found.extend(work_days(submission));
    found.extend(marks(submission));
    found.extend(association(submission));
    found
}

/// 422 with these problems, if there are any.
pub(super) fn refuse(found: Vec<Problem>) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let sentence = "This cannot be submitted yet: something is missing or contradictory.";
    let error = codes::VALIDATION_FAILED.saying(sentence);
    let named = |error: Error, (field, message)| error.at(field, message);
    Err(found.into_iter().fold(error, named))
}

/// A field, and what is wrong with it.
pub(super) type Problem = (&'static str, String);

fn purpose(submission: &Submission<'_>) -> Option<Problem> {
    let given = submission.business_purpose.is_some_and(|purpose| !purpose.trim().is_empty());
    (!given).then(|| ("business_purpose", "is required: what the payer wants it for".to_owned()))
}

fn work_days(submission: &Submission<'_>) -> Option<Problem> {
    let content = submission.content;
    let outside =
        |day: &&Date| **day < content.signed_on || content.ends_on.is_some_and(|last| **day > last);
    let day = submission.due_on.iter().find(outside)?;
    Some(("deliverables", format!("must be due within the term of the deal; one is due on {day}")))
}

fn marks(submission: &Submission<'_>) -> Option<Problem> {
    let refused = submission.content.uses_marks && submission.marks_consent == Some(false);
    let message = "must be false: the institution has not consented to the use of its marks";
    refused.then(|| ("uses_marks", message.to_owned()))
}

fn association(submission: &Submission<'_>) -> Option<Problem> {
    let answered = |question: &&AssociationQuestion| {
        submission.answers.iter().any(|(known, _)| known == *question)
    };
    let open = AssociationQuestion::ALL.iter().filter(|question| !answered(question));
    let open: Vec<&str> = open.map(|question| question.as_str()).collect();
    if !open.is_empty() {
        return Some(("association", format!("not answered: {}", open.join(", "))));
    }
    let yes = submission.answers.iter().any(|(question, yes)| question.associates() && *yes);
    let message = "must say how: the disclosure names the payer as associated with the institution";
    (submission.disclosed_as_associated && !yes).then(|| ("association", message.to_owned()))
}

fn dates(content: &Content) -> Vec<Problem> {
    let mut problems = Vec::new();
    let signed = content.signed_on;
    if content.starts_on.is_some_and(|first| first < signed) {
        let message = format!("must not be before the deal is signed on {signed}");
        problems.push(("starts_on", message));
    }
    let first = content.starts_on.unwrap_or(signed);
    if content.ends_on.is_some_and(|last| last < first) {
        problems.push(("ends_on", format!("must not be before {first}")));
    }
    problems
}

fn sums(content: &Content) -> Vec<Problem> {
    let (benefits, contingent) = (content.benefits_cents, content.contingent_cents);
    let cash = content.amount_cents - benefits - contingent;
    if cash < Cents::ZERO {
        let message = format!(
            "must be at least {}: benefits and contingent pay are parts of it",
            (benefits + contingent).get()
        );
        return vec![("amount_cents", message)];
    }
    let contradiction = match content.compensation {
        Compensation::Cash if benefits.is_positive() => {
            Some(("benefits_cents", "must be 0 if only cash is paid"))
        }
        Compensation::Product | Compensation::Service if cash.is_positive() => Some((
            "benefits_cents",
            "must equal the amount, together with contingent pay, if no cash is paid",
        )),
        Compensation::Mixed if !benefits.is_positive() || !(cash + contingent).is_positive() => {
            Some((
                "benefits_cents",
                "must be part of the amount, but not all of it, if cash is paid too",
            ))
        }
        Compensation::Royalty | Compensation::Commission if !contingent.is_positive() => {
            Some(("contingent_cents", "must be the maximum of the share of sales"))
        }
        _ => None,
    };
    let contradiction = contradiction.into_iter();
    contradiction.map(|(field, text)| (field, text.to_owned())).collect()
}

fn payer(content: &Content, parties: &Parties<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let named = |names: [&str; 2]| {
        let mut names = names.into_iter().filter(|name| !name.trim().is_empty());
        names.any(|name| same_company(name, &content.payer_name))
    };
    if named(parties.athlete) {
        let message = "must not be the athlete";
        problems.push(("payer_name", message.to_owned()));
    }
    if named(parties.institution) {
        let message = "must be a third party: the institution's own payments are not disclosed";
        problems.push(("payer_name", message.to_owned()));
    }
    let tied = matches!(content.payer_kind, PayerKind::Collective | PayerKind::Booster);
    if tied && !content.associated_entity {
        let message = format!("must be true if the payer is a {}", content.payer_kind);
        problems.push(("associated_entity", message));
    }
    problems
}

fn attestations(content: &Content) -> Vec<Problem> {
    let missing: Vec<&str> = Attestation::ALL
        .iter()
        .filter(|needed| !content.attestations.contains(needed))
        .map(|needed| needed.as_str())
        .collect();
    if missing.is_empty() {
        return Vec::new();
    }
    vec![("attestations", format!("missing: {}", missing.join(", ")))]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::{CategoryId, Date};

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn sound() -> Content {
        Content {
            payer_name: "Harbor Books".into(),
            payer_parent: None,
            payer_kind: PayerKind::Business,
            title: "Reading day".into(),
            category_id: CategoryId::new(9).unwrap(),
            amount_cents: Cents(40_000),
            benefits_cents: Cents::ZERO,
            contingent_cents: Cents::ZERO,
            compensation: Compensation::Cash,
            signed_on: day("2026-11-20"),
            starts_on: Some(day("2026-11-20")),
            ends_on: Some(day("2026-12-20")),
            description: "Two readings in the shop.".into(),
            associated_entity: false,
            uses_marks: false,
            attestations: Attestation::ALL.to_vec(),
        }
    }

    fn fields(content: &Content) -> Vec<String> {
        let parties = Parties {
            athlete: ["Zoe Okafor", "Zoe O."],
            institution: ["Lakeshore State University", "Lakeshore"],
        };
        match check(content, &parties) {
            Ok(()) => Vec::new(),
            Err(error) => error.fields().keys().cloned().collect(),
        }
    }

    fn with(change: impl FnOnce(&mut Content)) -> Vec<String> {
        let mut content = sound();
        change(&mut content);
        fields(&content)
    }

    #[test]
    fn a_sound_packet_passes() {
        assert!(fields(&sound()).is_empty());
    }

    #[test]
    fn dates_must_follow_each_other() {
        assert_eq!(with(|c| c.starts_on = Some(day("2026-11-19"))), ["starts_on"]);
        assert_eq!(with(|c| c.ends_on = Some(day("2026-11-19"))), ["ends_on"]);
        let both = with(|c| (c.starts_on, c.ends_on) = (None, Some(day("2026-11-19"))));
        assert_eq!(both, ["ends_on"]);
    }

    #[test]
    fn parts_must_fit_the_whole_and_the_kind_of_pay() {
        assert_eq!(with(|c| c.contingent_cents = Cents(40_001)), ["amount_cents"]);
        assert_eq!(with(|c| c.benefits_cents = Cents(1)), ["benefits_cents"]);
        let paid_in = |kind, benefits, contingent| {
            with(|c| {
                c.compensation = kind;
                (c.benefits_cents, c.contingent_cents) = (Cents(benefits), Cents(contingent));
            })
        };
        assert_eq!(paid_in(Compensation::Product, 39_999, 0), ["benefits_cents"]);
        assert!(paid_in(Compensation::Product, 40_000, 0).is_empty());
        assert_eq!(paid_in(Compensation::Mixed, 0, 0), ["benefits_cents"]);
        assert_eq!(paid_in(Compensation::Mixed, 40_000, 0), ["benefits_cents"]);
        assert!(paid_in(Compensation::Mixed, 10_000, 0).is_empty());
        assert_eq!(paid_in(Compensation::Royalty, 0, 0), ["contingent_cents"]);
        assert!(paid_in(Compensation::Commission, 0, 40_000).is_empty());
    }

    #[test]
    fn the_payer_is_a_third_party_and_says_what_it_is() {
        assert_eq!(with(|c| c.payer_name = "zoe okafor".into()), ["payer_name"]);
        assert_eq!(with(|c| c.payer_name = "The Lakeshore".into()), ["payer_name"]);
        assert_eq!(with(|c| c.payer_kind = PayerKind::Collective), ["associated_entity"]);
    }

    #[test]
    fn every_attestation_is_needed() {
        assert_eq!(with(|c| c.attestations.truncate(3)), ["attestations"]);
        assert_eq!(with(|c| c.attestations.clear()), ["attestations"]);
    }

    fn of_submission(change: impl FnOnce(&mut Content, &mut Submission<'_>)) -> Vec<&'static str> {
        let base = sound();
        let mut content = sound();
        let answers = AssociationQuestion::ALL.iter().map(|question| (*question, false));
        let answers: Vec<_> = answers.collect();
        let due_on = [day("2026-12-01")];
        let mut submission = Submission {
            content: &base,
            parties: Parties { athlete: ["Zoe Okafor", ""], institution: ["Lakeshore", ""] },
            disclosed_as_associated: false,
            answers: &answers,
            business_purpose: Some("Bring students into the shop."),
            due_on: &due_on,
            marks_consent: Some(false),
        };
        change(&mut content, &mut submission);
        let submission = Submission { content: &content, ..submission };
        problems_of(&submission).into_iter().map(|(field, _)| field).collect()
    }

    #[test]
    fn a_submission_says_why_when_and_who() {
        assert!(of_submission(|_, _| {}).is_empty());
        assert_eq!(of_submission(|_, s| s.business_purpose = Some(" ")), ["business_purpose"]);
        assert_eq!(of_submission(|c, _| c.ends_on = Some(day("2026-11-30"))), ["deliverables"]);
        assert_eq!(of_submission(|c, _| c.uses_marks = true), ["uses_marks"]);
        let agreed = of_submission(|c, s| (c.uses_marks, s.marks_consent) = (true, Some(true)));
        assert!(agreed.is_empty());
        assert_eq!(of_submission(|_, s| s.answers = &[]), ["association"]);
        assert_eq!(of_submission(|_, s| s.disclosed_as_associated = true), ["association"]);
        assert_eq!(of_submission(|c, _| c.payer_kind = PayerKind::Booster), ["associated_entity"]);
        assert_eq!(of_submission(|c, _| c.attestations.clear()), ["attestations"]);
    }

    proptest! {
        /// Content that passes has parts that add up, for any input.
        #[test]
        fn what_passes_adds_up(
            amount in 1i64..1_000, benefits in 0i64..1_000, contingent in 0i64..1_000,
            kind in prop::sample::select(Compensation::ALL.to_vec()),
        ) {
            let mut content = sound();
            content.compensation = kind;
            content.amount_cents = Cents(amount);
            (content.benefits_cents, content.contingent_cents) = (Cents(benefits), Cents(contingent));
            if fields(&content).is_empty() {
                prop_assert!(benefits + contingent <= amount);
                prop_assert!(kind != Compensation::Cash || benefits == 0);
                prop_assert!(!kind.is_share_of_sales() || contingent > 0);
            }
        }
    }
}
