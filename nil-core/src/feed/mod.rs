//! Events as data: what a transaction tells users about its effects.
//!
//! [`Message`] is an [`Event`] with its [`Recipient`]; `Work` writes messages as rows of `outbox`, sealed mails ready to
//! send through `template`. `Touched` gives changed feeds a new token in `activity` and notifies the other servers
//! (`listening`); the `Hub` then wakes the live streams of this process. `notifications` expands and delivers the
//! messages, and `live` serves `GET /events`.

mod activity;
mod event;
mod hub;
mod listening;
mod message;
mod store;
mod template;

pub use activity::Activity;
pub(crate) use activity::Touched;
pub use event::Event;
pub(crate) use hub::{Hub, Subscription};
pub(crate) use message::write;
pub use message::{Message, OutboxStatus, Recipient};
pub(crate) use template::{one_line, render, template};
