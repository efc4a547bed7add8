//! The port for sending mails and text messages.
//!
//! `smtp` is a courier for mails: it hands them to a mail server. `mail` makes a mail of a letter,
//! `html` its part for readers of HTML, and `refusal` says what an answer of the server means for
//! the letter. `sms` is a courier for text messages: it hands them to a provider, and `sms_answer`
//! says what the provider's answer means; `sms_reports` reads what it reports later. `together`
//! makes one courier of several.

mod html;
mod mail;
mod refusal;
mod sms;
mod sms_answer;
mod sms_reports;
mod smtp;
mod together;

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use crate::kernel::OutboxId;
use crate::kernel::vocabulary::vocabulary;

pub use sms::{Sms, SmsSender, SmsSettings};
pub use sms_reports::SmsReports;
pub use smtp::{Security, Smtp, SmtpLogin, SmtpSettings};
pub use together::Couriers;

/// The longest time limit of a setting: the limit for a message is a minute.
const LONGEST: Duration = Duration::from_secs(50);

vocabulary! {
    /// The channel of a message.
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

/// A message to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its id, the same at every attempt, so that a courier can detect a message it has already
    /// accepted (a mail's `Message-ID`).
    pub id: OutboxId,
    /// By mail or by text message.
    pub channel: Channel,
    /// The e-mail address or the phone number.
    pub to: String,
    /// The event.
    pub event: String,
    /// The subject of a mail: one line.
    pub subject: Option<String>,
    /// The text.
    pub body: String,
    /// The sender, as `Name <address>`; none for the configured one.
    pub from: Option<String>,
    /// The address at which the recipient ends mails of this kind, for `List-Unsubscribe` (RFC
    /// 2369, RFC 8058); none where that is not theirs to choose.
    pub unsubscribe: Option<String>,
}

/// The result of handing over a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was accepted.
    Sent,
    /// Not accepted now, with the reason: it is retried, later each time, until it is given up.
    TryAgain(String),
    /// It can never be delivered, with the reason, such as an invalid address.
    Never(String),
    /// It may have been accepted, with the reason why nobody can tell, such as a lost answer. If
    /// the recipient cannot do without it (a code), it is retried; otherwise it is given up, so
    /// that nobody gets it twice. A courier whose recipients notice a repetition, as programs for
    /// mails do by the id, answers [`Outcome::TryAgain`] instead.
    Unknown(String),
}

/// A future result.
pub type Later<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// A courier. It is called outside any transaction, by several workers concurrently, but never
/// concurrently for the same message. If a worker dies after handing a message over and before
/// recording it, another worker hands the same message over again, under the same id; a text
/// message only if its recipient cannot do without it.
pub trait Courier: Send + Sync + 'static {
    /// Whether it carries messages of this channel; the default is yes. It is only asked about
    /// mails and text messages. Messages that no courier carries wait in the outbox.
    fn carries(&self, channel: Channel) -> bool {
        let _ = channel;
        true
    }

    /// Hands a message over. A call longer than a minute counts as [`Outcome::TryAgain`], and for a
    /// text message as [`Outcome::Unknown`].
    fn hand_over<'a>(&'a self, letter: &'a Letter) -> Later<'a>;
}
