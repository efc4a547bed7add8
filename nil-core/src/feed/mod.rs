//! Events and changed feeds of users, written in the transaction that causes them.
//!
//! 1. `event` has a row for each [`Event`], with its readers and its channels.
//! 2. `message` writes each [`Message`] as a row of `outbox`. `template` fills the texts of
//!    messages, whose form is that of `template_text`.
//!    `publishing` writes each [`Published`] as a row for each endpoint of webhooks that wants it.
//! 3. `activity` collects the feeds that a transaction changes and gives each a new token (table
//!    `activity`, SQL in `store`).
//! 4. `hub` holds the live streams open in this process and wakes them after the commit;
//!    `listening` receives wake-ups from other servers on the same PostgreSQL.
//!
//! `Work` calls this when it commits. Later `notifications` turns the events into mails, texts and
//! in-app notifications, and `live` subscribes the streams of `GET /events`.

mod activity;
mod event;
mod feed_kind;
mod hub;
mod listeners;
mod listening;
mod message;
mod publishing;
mod store;
mod template;
mod template_node;
mod template_reader;
mod template_text;

pub use activity::Touched;
pub use event::{Event, EventRow, HookOwner, Reader};
pub use feed_kind::FeedKind;
pub use hub::{Hub, Subscription};
pub use message::{Message, OutboxStatus, Recipient};
pub use message::{withdraw, withdraw_all, write};
pub use publishing::{Concerned, Published, WebhookBody, delivery, is_full, publish};
pub use template::{
    Composed, Draft, EVERYWHERE, Place, Texts, compose, default_of, defaults, mistake, problem,
    samples, template, unusable, variables,
};
