//! Colleges, the rules they set for deals, and the checks of deals against those rules.
//!
//! Tables: `college`, `college_setting`, `institution_rule` (only ever added to),
//! `institution_consent`, `athlete_visa`. There are no state machines.
//!
//! 1. [`admin`]: operators create colleges; [`importing`]: the host creates and changes many from a
//!    file (`sheet` reads it); [`browsing`]: everyone lists them.
//! 2. [`configuring`]: owners of the portal set dated rules; `standard` holds the defaults,
//!    and `rules` says which are in force on a day.
//! 3. [`consenting`]: officers consent to single deals in restricted categories; [`visa`]: athletes
//!    state their visa.
//! 4. `checking` loads the facts of a deal and `breach` finds the rules it breaks.
//!
//! Called by the catalog's operations; jobs, marketplace, disclosures, filings and payments call
//! `checking`.

pub mod admin;
mod breach;
#[cfg(test)]
mod breach_tests;
pub mod browsing;
pub mod checking;
mod college;
pub mod configuring;
pub mod consenting;
pub mod importing;
mod job_consent;
pub(crate) mod rule;
mod rule_input;
mod rules;
mod settings;
mod sheet;
mod standard;
pub(crate) mod store;
pub mod visa;
mod visa_status;

pub use crate::kernel::company_key;
pub use crate::kernel::same_company;
pub use breach::refuse;
pub use breach::{Breach, Category, DealFacts, Moment, PersonFacts, Undertaking, breaches};
pub use checking::SchoolRefusal;
pub use college::takes_part_on;
pub use college::{
    College, CollegeStatus, Division, ListAllColleges, ListColleges, Participation, SaveCollege,
    WhichCollege,
};
pub use job_consent::JobConsent;
pub use rule::{
    AgentNotice, Approval, ApprovalRequirement, AutomaticFlags, Blackout, Blackouts, Categories,
    Change, DeadlineUnit, DealFlag, DisclosureDeadline, F1, F1Policy, HoldPayouts, Marks,
    MarksPolicy, RuleKind, Sponsor, SponsorConflicts, Threshold, ThresholdScope,
};
pub use rule_input::{
    SaveSettings, WantedApproval, WantedBlackout, WantedBlackouts, WantedCategories,
    WantedDeadline, WantedF1, WantedFlags, WantedHold, WantedMarks, WantedNotice, WantedSponsor,
    WantedSponsors, WantedThreshold,
};
pub use rules::{Dated, Rules};
pub use settings::{CollegeSettings, Digest, RuleChange};
#[doc(hidden)]
pub use sheet::line_of;
pub use visa_status::{Visa, VisaStatus};
