//! Jobs and applications: what brands ask for, and who wants to do it. What comes of an application is a deal,
//! which `deals` makes of it together with `contracts`; jobs know neither.
//!
//! It owns the tables `job`, `milestone` and `application` with the machines of jobs and applications. In order: `posting` and
//! `closing` are the brand's, `browsing` and `applying` the athlete's, `inviting` goes between them, and `places`
//! counts who was hired and closes or completes the job. An institution's rules are asked with
//! [`Job::posting`].

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
