//! Deals made off the platform that athletes disclose to their institutions, and where these and the
//! platform's own contracts stand with the clearinghouse.

pub mod browsing;
mod clearance;
pub mod clearing;
mod content;
pub mod deciding;
mod disclosed_job;
pub mod disclosing;
pub mod downloading;
mod due;
mod packet;
mod reportable;
pub(crate) mod sharing;
mod store;
mod summary;
pub(crate) mod weighing;

pub use clearance::{Clearance, ClearanceEvent, ClearanceStatus, ClearanceWord, Clearinghouse};
pub use content::SaveDisclosedJob;
pub use disclosed_job::{
    Attestation, DisclosedJob, DisclosedJobEvent, DisclosedJobStatus, PayerKind,
};
