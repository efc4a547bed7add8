//! What people are told: events, templates, and the outbox that mails, texts and in-app
//! notifications leave through.

pub mod activity;
pub mod event;
pub(crate) mod live;
pub mod outbox;
mod store;
pub mod worker;

pub use activity::Activity;
pub use event::Event;
