//! Jobs and applications.
//!
//! A brand posts a job (`posting`); an operator approves it (`deals::managing`); athletes search
//! (`browsing`), apply (`applying`) or are invited (`inviting`). `places` counts the hired athletes
//! and closes or completes the job. Jobs close by hand or at their deadline (`closing`, also called
//! by the worker). `deals` hires applicants and moves their applications on; the rules of an
//! institution examine [`Job::posting`].
//!
//! Tables: `job`, `milestone`, `job_condition`, `application`. State machines: [`JobStatus`],
//! [`ApplicationStatus`].

mod application;
pub mod applying;
pub mod browsing;
mod cards;
pub mod closing;
pub(crate) mod content;
pub(crate) mod dates;
mod deadline;
pub(crate) mod eligibility;
mod exported_job;
mod exporting;
pub mod inviting;
mod job;
mod job_input;
mod job_search;
pub(crate) mod places;
pub mod posting;
pub(crate) mod store;
mod usual_reason;
mod words;

pub use crate::kernel::Activity;
pub use application::{
    Application, ApplicationEvent, ApplicationSource, ApplicationStatus, Attribution,
};
pub use cards::{AthleteCard, PartnerCard};
pub use closing::close_expired;
pub use deadline::Deadline;
pub use exported_job::{ExportedJob, ExportedJobs};
pub use job::{
    CloseReason, Eligibility, Exclusivity, Job, JobEvent, JobStatus, ManualReview, Milestone,
    ReviewStatus, UsageRights,
};
pub use job_input::{SaveJob, WantedAthletes, WantedExclusivity, WantedMilestone, WantedRights};
pub use job_search::{JobSort, SearchJobs};
pub use usual_reason::UsualReason;
pub use words::{Compensation, JobKind, MediaKind, MediaPlatform, UsageMedia, Visibility};
