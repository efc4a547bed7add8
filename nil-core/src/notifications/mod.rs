//! What people are told: events, templates, and the outbox that mails, texts and in-app
//! notifications leave through.

pub mod event;
pub mod outbox;
pub mod worker;

pub use event::Event;
