//! The rows of accounts.

pub(super) mod agent;
pub(super) mod attempt;
pub(super) mod brand_search;
pub(super) mod editing;
pub(super) mod finding;
pub(super) mod impersonation;
pub(super) mod lapsed;
pub(super) mod listing;
pub(super) mod operator;
pub(super) mod own_session;
pub(super) mod parts;
pub(super) mod portal_registration;
pub(super) mod portal_user;
pub(crate) mod profile;
pub(super) mod record;
pub(super) mod registration;
pub(super) mod saving;
pub(super) mod search;
pub(super) mod sign_on;
pub(super) mod sign_on_provider;
pub(super) mod steps;
pub(super) mod tutorial;
pub(super) mod two_step;
pub(super) mod user;
