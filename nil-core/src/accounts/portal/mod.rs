//! Users of an institution's portal: registration, invitation, log-in, and the team.

pub mod admin;
pub(super) mod mail_domains;
pub mod passwords;
pub(super) mod portal_user;
pub mod registering;
pub mod sessions;
pub mod signing_in;
pub mod team;
