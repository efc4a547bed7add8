//! Deals made off the platform, and the clearinghouse's decisions about these and the platform's own contracts.
//!
//! An athlete discloses a deal (`disclosing`, with `content` and the checks of `packet`); an agent can prepare a draft.
//! The institution's officers review it (`deciding`) and record the clearinghouse's decisions (`clearing`). `due`
//! computes both deadlines. `threshold` adds up an athlete's deals with one payor and decides which must be submitted to
//! the clearinghouse (`reportable`); executed contracts enter it too, and payouts ask it whether they are held.
//! `downloading` serves the contract of a disclosed job or a `summary`.
//!
//! Tables: `disclosed_job`, `clearance`. State machines: [`DisclosedJobStatus`], [`ClearanceStatus`].

pub mod browsing;
mod clearance;
pub mod clearing;
mod content;
pub mod deciding;
mod disclosed_job;
pub mod disclosing;
pub mod downloading;
mod due;
pub(crate) mod exporting;
mod packet;
mod reportable;
pub(crate) mod sharing;
mod store;
mod summary;
pub(crate) mod threshold;

pub use clearance::{Clearance, ClearanceEvent, ClearanceStatus, ClearanceWord, Clearinghouse};
pub use content::SaveDisclosedJob;
pub use disclosed_job::{
    Attestation, DisclosedJob, DisclosedJobEvent, DisclosedJobStatus, PayerKind,
};
