//! Jobs, applications, deals and deliverables.
//!
//! A brand posts a job (`posting`); an operator approves it (`managing`); athletes search (`browsing`), apply
//! (`applying`) or are invited (`inviting`). Hiring (`hiring`) takes a place (`places`) and makes the contract and its
//! deliverables; an accepted service order does the same through `engaging`. Athletes submit work and brands decide on
//! it (`delivering`, with `proof` and `disclosure` checks); `reporting` lists it for the brand, and `reviewing` asks an
//! operator for help. Jobs close by hand or at their deadline (`closing`). The worker closes expired jobs and sends
//! reminders (`reminding`).
//!
//! Tables: `job`, `milestone`, `job_condition`, `application`, `deliverable`, `reminder`. State machines:
//! [`JobStatus`], [`ApplicationStatus`], [`DeliverableStatus`]. `contracts` owns the contract of a deal and calls
//! `turning` and `places` when it changes.

mod application;
pub mod applying;
pub mod browsing;
mod cards;
pub mod closing;
mod content;
mod dates;
mod deadline;
pub mod deals;
mod deliverable;
pub mod delivering;
mod disclosure;
pub(crate) mod eligibility;
pub(crate) mod engaging;
pub mod hiring;
pub mod inviting;
mod job;
pub mod managing;
pub(crate) mod places;
pub mod posting;
mod proof;
pub mod reminding;
pub mod reporting;
pub mod reviewing;
pub(crate) mod sharing;
mod store;
pub(crate) mod turning;
mod wanted;
mod words;

pub use crate::kernel::Activity;
pub use application::{
    Application, ApplicationEvent, ApplicationSource, ApplicationStatus, Attribution,
};
pub use cards::{AthleteCard, PartnerCard};
pub use closing::close_expired;
pub use deadline::Deadline;
pub use deliverable::{Deliverable, DeliverableEvent, DeliverableStatus};
pub use disclosure::{DisclosureCheck, check_disclosure};
pub use job::{
    CloseReason, Eligibility, Exclusivity, Job, JobEvent, JobStatus, ManualReview, Milestone,
    ReviewStatus, UsageRights,
};
pub use reminding::{remind, remind_due_soon, remind_overdue};
pub use wanted::{WantedAthletes, WantedExclusivity, WantedMilestone, WantedRights};
pub use words::{Compensation, JobKind, MediaKind, MediaPlatform, UsageMedia, Visibility};

/// The parties of a deal, for `contracts`.
pub(crate) mod people {
    pub(crate) use super::store::athlete::{AthleteFacts, PartnerFacts, facts, partner};
}
