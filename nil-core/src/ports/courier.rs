//! What carries mails and text messages out of the house.

use std::future::Future;
use std::pin::Pin;

use crate::kernel::OutboxId;
use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// How a message leaves.
    Channel {
        /// Not yet split by channel.
        Event = "event",
        /// By mail.
        Email = "email",
        /// By text message.
        Sms = "sms",
        /// In the application itself.
        InApp = "in_app",
    }
}

/// A message on its way to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its own id, the same at every attempt: a carrier that has taken it already takes it as taken
    /// (a mail's `Message-ID`).
    pub id: OutboxId,
    /// By mail or by text message.
    pub channel: Channel,
    /// The e-mail or the phone number.
    pub to: String,
    /// What happened.
    pub event: String,
    /// The subject of a mail: one line.
    pub subject: Option<String>,
    /// The text.
    pub body: String,
}

/// What became of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was taken.
    Sent,
    /// Not now, and why: it is tried again, later each time, until it is given up.
    TryAgain(String),
    /// It will never be taken, and why: no such address.
    Never(String),
}

/// An answer that comes later.
pub type Later<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// A carrier. It is called outside any transaction, by several workers at once, and never twice at the
/// same time for one letter. When a worker dies between handing over and writing that down, another
/// one hands the same letter over again, under the same id.
pub trait Courier: Send + Sync + 'static {
    /// Hands a letter over. What takes longer than a minute counts as [`Outcome::TryAgain`].
    fn hand_over<'a>(&'a self, letter: &'a Letter) -> Later<'a>;
}
