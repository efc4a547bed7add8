//! Announcements: what operators tell everybody, or an audience, from one instant to another.

mod announcement;
mod announcing;
mod audience;
pub mod managing;
pub mod reading;
mod store;

pub use announcement::{
    Announcement, AnnouncementEvent, AnnouncementGroup, AnnouncementStatus, PublicAnnouncement,
};
pub(crate) use announcing::announce;
pub use audience::{Audience, AudienceKind};
