//! The folder of a deal: files that its parties put there for each other, handed over at once or, by
//! phones, in a request of its own that needs no log-in.
//!
//! A folder belongs to a job and an athlete who was hired for it. The athlete, the brand and the agent who
//! represents the athlete now see all of it; to everybody else there is none.

pub mod adding;
pub mod browsing;
mod deal_file;
mod direct_upload;
mod expiring;
mod party;
pub mod removing;
mod store;
pub mod uploading;

pub use deal_file::DealFile;
pub use direct_upload::{UploadEvent, UploadStatus};
pub use expiring::expire_uploads;
pub(crate) use party::may_see;
