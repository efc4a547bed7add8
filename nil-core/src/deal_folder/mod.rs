//! The folder of a deal: documents that its parties share and agree on.
//!
//! A folder belongs to a job and an athlete who was hired for it. The athlete, the brand and the
//! athlete's current agent see all of it, officers of the athlete's institution from the day both
//! sides have agreed to the contract (`party`); for any other user it does not exist. After the
//! deal has ended it can only be read.
//!
//! A document is a chain of versions, each a [`DealFile`]; it has the id of the first one. Parties
//! add documents and versions (`adding`) and read them (`browsing`). The other side approves a
//! version or asks for edits, the side that added it may void it (`answering`), and all may comment
//! (`commenting`); `notices` tells the other side. Users remove documents of their own that nobody
//! has answered (`removing`). Phones upload in three steps (`uploading`): the upload is announced
//! with a log-in, its bytes are sent to a signed address without one, and it is completed. The
//! worker expires uploads that were not completed.
//!
//! Tables: `deal_file`, `deal_file_comment`, `direct_upload`. State machines: [`DealFileStatus`],
//! [`UploadStatus`]. The files themselves belong to `content`.

pub mod adding;
pub mod answering;
pub mod browsing;
mod comment;
pub mod commenting;
mod deal_file;
mod direct_upload;
mod notices;
mod party;
pub mod removing;
mod store;
pub mod uploading;

pub use comment::DealFileComment;
pub use deal_file::{DealFile, DealFileEvent, DealFileStatus};
pub use direct_upload::{UploadEvent, UploadStatus};
pub(crate) use party::may_see;
pub use uploading::expire_uploads;
