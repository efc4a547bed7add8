//! The folder of a deal: files that its parties share.
//!
//! A folder belongs to a job and an athlete who was hired for it. The athlete, the brand and the athlete's current
//! agent see all of it (`party`); for any other user it does not exist. Parties add files (`adding`), list and download
//! them (`browsing`), and remove their own (`removing`). Phones upload in three steps (`uploading`): the upload is
//! announced with a log-in, its bytes are sent to a signed address without one, and it is completed. The worker expires
//! uploads that were not completed (`expiring`).
//!
//! Tables: `deal_file`, `direct_upload`. State machine: [`UploadStatus`]. The files themselves belong to `content`.

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
