//! Finds the clauses that cannot be written, because a fact is missing or two facts contradict each
//! other.

use super::Clause;
use crate::contracts::terms::{
    CompensationKind, CompensationTerms, ExclusivityTerms, MilestoneTerms, Terms, UsageTerms,
};

/// 100 %, in basis points.
const WHOLE: i64 = 10_000;

/// The clauses that cannot be written, in the order of the document; empty for complete terms.
///
/// Checked before a contract is created. A signed contract is printed as it is, even if a later
/// release requires more.
#[must_use]
pub fn missing(terms: &Terms) -> Vec<Clause> {
    Clause::ALL.into_iter().filter(|clause| !can_be_written(*clause, terms)).collect()
}

fn can_be_written(clause: Clause, terms: &Terms) -> bool {
    match clause {
        Clause::Parties => parties(terms),
        Clause::Dates => dates(terms),
        Clause::LicensedAttributes => filled(&terms.licensed_attributes),
        Clause::UsageRights => usage(&terms.usage),
        Clause::Deliverables => deliverables(terms),
        Clause::Compensation => compensation(terms),
        // The clause states the reason for the payment: the brand's business purpose.
        Clause::NotForPerformance => given(&terms.job.business_purpose),
        Clause::Exclusivity => terms.exclusivity.as_ref().is_none_or(exclusivity),
        Clause::GuardianConsent => guardian(terms),
        Clause::GoverningLaw => given(&terms.governing_law),
        // These depend only on the parties, and a missing party is reported once.
        Clause::NotAnInducement
        | Clause::InstitutionMarks
        | Clause::NoInstitutionConflict
        | Clause::AdvertisingDisclosure
        | Clause::AthleteApproval
        | Clause::Termination
        | Clause::Clearinghouse
        | Clause::InstitutionDisclosure
        | Clause::IndependentContractor
        | Clause::ContentOwnership
        | Clause::AfterEligibility
        | Clause::Amendments
        | Clause::ElectronicSignatures => true,
    }
}

fn parties(terms: &Terms) -> bool {
    let athlete = &terms.athlete;
    given(&terms.number)
        && given(&terms.brand.company)
        && given(&terms.brand.contact)
        && given(&athlete.legal_name)
        && given(&athlete.institution)
        && given(&athlete.sport)
        && terms.agent.as_ref().is_none_or(|agent| {
            given(&agent.agency) && given(&agent.name) && share(agent.commission_basis_points)
        })
}

fn dates(terms: &Terms) -> bool {
    let (Some(first), Some(last)) = (terms.dates.effective_on, terms.dates.term_ends_on) else {
        return false;
    };
    let term = first..=last;
    terms.dates.signed_on <= first
        && first <= last
        && terms.milestones.iter().all(|milestone| term.contains(&milestone.due_on))
}

fn usage(usage: &UsageTerms) -> bool {
    let lasts = match usage.days {
        Some(days) => days > 0 && !usage.perpetual,
        None => usage.perpetual,
    };
    filled(&usage.media) && given(&usage.territory) && lasts
}

fn deliverables(terms: &Terms) -> bool {
    given(&terms.job.title)
        && !terms.milestones.is_empty()
        && terms.milestones.iter().all(is_deliverable)
}

fn is_deliverable(milestone: &MilestoneTerms) -> bool {
    // Work in a room is over at its end; a post must stay up for a known time.
    let published = !matches!(milestone.platform.as_str(), "in_person" | "other");
    let live = match milestone.live_days {
        Some(days) => days > 0,
        None => !published,
    };
    given(&milestone.title)
        && given(&milestone.activity)
        && given(&milestone.platform)
        && given(&milestone.media_kind)
        && milestone.quantity > 0
        && live
}

fn compensation(terms: &Terms) -> bool {
    let pay = &terms.compensation;
    let named = pay.currency.len() == 3 && pay.currency.bytes().all(|b| b.is_ascii_lowercase());
    named
        && share(terms.fee_basis_points)
        && given(&pay.schedule)
        && given(&pay.condition)
        && cash_adds_up(terms)
        && kind_is_described(pay)
}

/// The deliverables' amounts add up to the agreed cash, and none is negative.
fn cash_adds_up(terms: &Terms) -> bool {
    let mut amounts = terms.milestones.iter().map(|milestone| milestone.amount_cents);
    let sum =
        amounts.try_fold(0_i64, |sum, cents| if cents < 0 { None } else { sum.checked_add(cents) });
    // Without milestones the deliverables are reported as missing, not the sum as wrong.
    terms.milestones.is_empty() || sum == Some(terms.compensation.agreed_amount_cents)
}

fn kind_is_described(pay: &CompensationTerms) -> bool {
    let cash = pay.agreed_amount_cents;
    let valued = pay.product_value_cents.is_some_and(|cents| cents > 0);
    let goods = valued && pay.product_description.as_deref().is_some_and(given);
    let rate = pay.commission_basis_points.is_some_and(|points| points > 0 && share(points));
    match pay.kind {
        CompensationKind::Cash => cash > 0,
        CompensationKind::Product | CompensationKind::Service => goods && cash == 0,
        CompensationKind::Mixed => goods && cash > 0,
        // A cash guarantee may be added to a share of the sales.
        CompensationKind::Royalty | CompensationKind::Commission => valued && rate && cash >= 0,
    }
}

fn exclusivity(exclusivity: &ExclusivityTerms) -> bool {
    given(&exclusivity.category) && exclusivity.days > 0
}

fn guardian(terms: &Terms) -> bool {
    !terms.athlete.minor
        || terms.athlete.guardian.as_ref().is_some_and(|guardian| given(&guardian.name))
}

fn given(text: &str) -> bool {
    !text.trim().is_empty()
}

fn filled(texts: &[String]) -> bool {
    !texts.is_empty() && texts.iter().all(|text| given(text))
}

fn share(basis_points: i64) -> bool {
    (0..=WHOLE).contains(&basis_points)
}

#[cfg(test)]
#[path = "missing_tests.rs"]
mod tests;
