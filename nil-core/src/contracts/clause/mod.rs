//! The clauses of a contract, in the order of the document.

mod missing;
mod text;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::missing::missing;
use super::terms::Terms;

/// One clause of the contract.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Clause {
    /// The parties, and their representatives.
    Parties,
    /// Signing, first and last day, and that every deliverable falls in between.
    Dates,
    /// The licensed attributes of the athlete.
    LicensedAttributes,
    /// Media, territory and duration of the use.
    UsageRights,
    /// The deliverables, their platforms, how long they stay up and their approval.
    Deliverables,
    /// The compensation, its schedule and condition.
    Compensation,
    /// Nothing is paid for athletic performance or participation.
    NotForPerformance,
    /// Nothing is paid for enrolling, staying or transferring.
    NotAnInducement,
    /// No marks or facilities of the institution without its consent.
    InstitutionMarks,
    /// No conflict with the institution's own contracts.
    NoInstitutionConflict,
    /// Posts are marked as advertising.
    AdvertisingDisclosure,
    /// The athlete approves a use before it happens.
    AthleteApproval,
    /// Whether competitors are excluded.
    Exclusivity,
    /// Ending early, with ten days to put a breach right.
    Termination,
    /// Cooperation with the clearinghouse and the end if it does not clear.
    Clearinghouse,
    /// Consent to disclosure to the institution.
    InstitutionDisclosure,
    /// The athlete is not an employee and files a tax form.
    IndependentContractor,
    /// The ownership of the content.
    ContentOwnership,
    /// What happens when the athlete's eligibility ends.
    AfterEligibility,
    /// The guardian's consent, for an athlete under age.
    GuardianConsent,
    /// The governing law.
    GoverningLaw,
    /// How the terms may be changed.
    Amendments,
    /// The validity of electronic signatures.
    ElectronicSignatures,
}

impl Clause {
    /// Every clause, in the order of the document.
    pub const ALL: [Self; 23] = [
        Self::Parties,
        Self::Dates,
        Self::LicensedAttributes,
        Self::UsageRights,
        Self::Deliverables,
        Self::Compensation,
        Self::NotForPerformance,
        Self::NotAnInducement,
        Self::InstitutionMarks,
        Self::NoInstitutionConflict,
        Self::AdvertisingDisclosure,
        Self::AthleteApproval,
        Self::Exclusivity,
        Self::Termination,
        Self::Clearinghouse,
        Self::InstitutionDisclosure,
        Self::IndependentContractor,
        Self::ContentOwnership,
        Self::AfterEligibility,
        Self::GuardianConsent,
        Self::GoverningLaw,
        Self::Amendments,
        Self::ElectronicSignatures,
    ];

    /// The stable name used in error responses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parties => "parties",
            Self::Dates => "dates",
            Self::LicensedAttributes => "licensed_attributes",
            Self::UsageRights => "usage_rights",
            Self::Deliverables => "deliverables",
            Self::Compensation => "compensation",
            Self::NotForPerformance => "not_for_performance",
            Self::NotAnInducement => "not_an_inducement",
            Self::InstitutionMarks => "institution_marks",
            Self::NoInstitutionConflict => "no_institution_conflict",
            Self::AdvertisingDisclosure => "advertising_disclosure",
            Self::AthleteApproval => "athlete_approval",
            Self::Exclusivity => "exclusivity",
            Self::Termination => "termination",
            Self::Clearinghouse => "clearinghouse",
            Self::InstitutionDisclosure => "institution_disclosure",
            Self::IndependentContractor => "independent_contractor",
            Self::ContentOwnership => "content_ownership",
            Self::AfterEligibility => "after_eligibility",
            Self::GuardianConsent => "guardian_consent",
            Self::GoverningLaw => "governing_law",
            Self::Amendments => "amendments",
            Self::ElectronicSignatures => "electronic_signatures",
        }
    }

    /// The heading in the document.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Parties => "Parties",
            Self::Dates => "Signing, effective date and term",
            Self::LicensedAttributes => "Licensed attributes",
            Self::UsageRights => "Media, territory and duration of use",
            Self::Deliverables => "Deliverables and their approval",
            Self::Compensation => "Compensation, schedule and condition",
            Self::NotForPerformance => "No pay for athletic performance or participation",
            Self::NotAnInducement => "No recruiting or enrollment inducement",
            Self::InstitutionMarks => "Institutional marks and facilities",
            Self::NoInstitutionConflict => "No conflict with contracts of the Institution",
            Self::AdvertisingDisclosure => "Disclosure of advertising",
            Self::AthleteApproval => "Approval by the Athlete before use",
            Self::Exclusivity => "Exclusivity",
            Self::Termination => "Termination and cure",
            Self::Clearinghouse => "Clearinghouse",
            Self::InstitutionDisclosure => "Disclosure to the Institution",
            Self::IndependentContractor => "Independent contractor and taxes",
            Self::ContentOwnership => "Ownership of content",
            Self::AfterEligibility => "After eligibility",
            Self::GuardianConsent => "Consent of the guardian",
            Self::GoverningLaw => "Governing law",
            Self::Amendments => "Whole agreement and amendments",
            Self::ElectronicSignatures => "Electronic signatures and records",
        }
    }

    /// Whether a contract with these terms has this clause: guardian consent applies to minors
    /// only.
    #[must_use]
    pub const fn applies(self, terms: &Terms) -> bool {
        !matches!(self, Self::GuardianConsent) || terms.athlete.minor
    }

    /// The clause's wording: one paragraph per line.
    ///
    /// The text is meaningful only for complete terms; call [`missing`] first.
    #[must_use]
    pub fn text(self, terms: &Terms) -> String {
        text::paragraphs(self, terms).join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contracts::terms::{CompensationKind, sample};

    #[test]
    fn the_names_are_those_of_the_json() {
        for clause in Clause::ALL {
            let json = serde_json::to_value(clause).unwrap();
            assert_eq!(json, clause.name());
        }
    }

    #[test]
    fn the_list_is_in_the_order_of_the_enum_and_complete() {
        assert!(Clause::ALL.is_sorted());
        assert_eq!(Clause::ALL.last(), Some(&Clause::ElectronicSignatures));
    }

    #[test]
    fn every_clause_has_a_title_and_whole_sentences() {
        let mut other = sample();
        other.athlete.minor = true;
        other.exclusivity = None;
        other.marks_consent = true;
        other.usage.days = None;
        other.usage.perpetual = true;
        other.compensation.kind = CompensationKind::Royalty;
        for (terms, clause) in
            [sample(), other].iter().flat_map(|terms| Clause::ALL.map(|clause| (terms, clause)))
        {
            assert!(!clause.title().is_empty());
            let text = clause.text(terms);
            for paragraph in text.lines() {
                assert!(paragraph.ends_with(['.', ':']), "{}: {paragraph}", clause.name());
                assert!(!paragraph.contains("  "), "{}: {paragraph}", clause.name());
            }
            assert!(text.len() > 80, "{} says too little", clause.name());
        }
    }

    #[test]
    fn only_a_minor_needs_a_guardian() {
        let mut terms = sample();
        assert!(!Clause::GuardianConsent.applies(&terms));
        terms.athlete.minor = true;
        assert!(Clause::ALL.iter().all(|clause| clause.applies(&terms)));
    }

    #[test]
    fn the_cure_period_is_ten_days() {
        assert!(Clause::Termination.text(&sample()).contains("ten days"));
    }

    #[test]
    fn what_a_party_typed_cannot_add_a_paragraph() {
        let mut terms = sample();
        let before = Clause::Compensation.text(&terms).lines().count();
        terms.compensation.condition = "Approved.\n\n7. The Brand owns everything".to_owned();
        assert_eq!(Clause::Compensation.text(&terms).lines().count(), before);
    }
}
