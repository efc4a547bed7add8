//! Colleges and universities, the rules they set for deals, and what their compliance officers see.

mod breach;
#[cfg(test)]
mod breach_tests;
pub mod browsing;
pub(crate) mod checking;
mod college;
mod company;
pub mod configuring;
pub mod consenting;
pub mod managing;
pub(crate) mod rule;
mod settings;
mod standard;
pub(crate) mod store;
pub mod visa;
mod wanted;

pub(crate) use breach::refuse;
pub use breach::{Breach, Category, DealFacts, Moment, PersonFacts, Undertaking, breaches};
pub use checking::SchoolRefusal;
pub use college::{College, Division};
pub use company::company_key;
pub(crate) use company::same_company;
pub use consenting::JobConsent;
pub use rule::{
    AgentNotice, Approval, ApprovalRequirement, AutomaticFlags, Blackout, Blackouts, Categories,
    Change, Dated, DeadlineUnit, DealFlag, DisclosureDeadline, F1, F1Policy, HoldPayouts, Marks,
    MarksPolicy, RuleKind, Rules, Sponsor, SponsorConflicts, Threshold, ThresholdScope,
};
pub use settings::{CollegeSettings, Digest, RuleChange};
pub use visa::{Visa, VisaStatus};
pub use wanted::{
    WantedApproval, WantedBlackout, WantedBlackouts, WantedCategories, WantedDeadline, WantedF1,
    WantedFlags, WantedHold, WantedMarks, WantedNotice, WantedSponsor, WantedSponsors,
    WantedThreshold,
};
