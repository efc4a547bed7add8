//! Announcements: operators' news to everyone or to an audience, for a limited time.
//!
//! Tables: `announcement`, `announcement_group`. State machine: `AnnouncementStatus`.
//!
//! 1. [`admin`]: operators define audience groups and write, schedule and withdraw announcements.
//! 2. `announcing`: the worker publishes them at their start, notifies the audience in batches, and
//!    ends them.
//! 3. [`reading`]: users list the current announcements addressed to them.
//!
//! Called by the Admin and Core operations and by the worker.

pub mod admin;
mod announcement;
mod announcing;
mod audience;
pub mod reading;
mod store;

pub use announcement::{
    Announcement, AnnouncementEvent, AnnouncementGroup, AnnouncementStatus, ListGroups,
    PublicAnnouncement,
};
pub(crate) use announcing::announce;
pub use audience::Audience;
