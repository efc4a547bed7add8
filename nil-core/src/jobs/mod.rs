//! Jobs, applications and deliverables: what brands ask for, who does it, and what comes of it.
//! Contracts are next door; both halves make a deal.

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

/// The people of a deal, as contracts need to know them.
pub(crate) mod people {
    pub(crate) use super::store::athlete::{AthleteFacts, PartnerFacts, facts, partner};
}
