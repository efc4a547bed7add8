//! Jobs, applications and deliverables: what brands ask for, who does it, and what comes of it.
//! Contracts are next door; both halves make a deal.

pub(crate) mod application;
pub mod applying;
pub mod browsing;
mod cards;
pub mod closing;
pub(crate) mod content;
pub(crate) mod dates;
mod deadline;
pub(crate) mod eligibility;
pub mod inviting;
mod job;
pub(crate) mod places;
pub mod posting;
pub(crate) mod store;
mod wanted;
mod words;

pub use application::{
    Application, ApplicationEvent, ApplicationSource, ApplicationStatus, Attribution,
};
pub use cards::{AthleteCard, PartnerCard};
pub use closing::close_expired;
pub use deadline::Deadline;
pub use job::{
    CloseReason, Eligibility, Exclusivity, Job, JobEvent, JobStatus, ManualReview, Milestone,
    ReviewStatus, UsageRights,
};
pub use wanted::{WantedAthletes, WantedExclusivity, WantedMilestone, WantedRights};
pub use words::{
    Activity, Compensation, JobKind, MediaKind, MediaPlatform, UsageMedia, Visibility,
};
