//! What happens to people, as data: the events, the messages that tell of them, the tokens of feeds and
//! whoever listens to them. An operation's transaction writes it; `notifications` makes mails, texts and
//! notifications of it.

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
