//! Templates of messages as operators see them, and the switches of events.

use schemars::JsonSchema;
use sea_query::Order;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Event;
use super::outbox::Channel;
use crate::feed::{default_of, problem, variables};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AllOr, TemplateId, Text, Time, ZeroOr};
use crate::operation::Revisable;
use crate::storage::FromRow;

vocabulary! {
    /// The state of the switch of an event on a channel.
    Switch {
        /// Messages are sent.
        Enabled = "enabled",
        /// None are sent.
        Disabled = "disabled",
    }
}

/// The template of an event on a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct NotificationTemplate {
    /// Its id.
    pub id: TemplateId,
    /// The event.
    pub event: Event,
    /// The channel.
    pub channel: Channel,
    /// The subject of a mail, the title in an app; null for text messages.
    pub subject: Option<String>,
    /// The text.
    pub body: String,
    /// Whether messages are sent.
    pub enabled: bool,
    /// The number of the version, from 1.
    pub version: i64,
    /// When it was last changed.
    pub updated_at: Time,
    /// Whether it is the text that `nil` comes with.
    #[row(skip)]
    pub is_default: bool,
    /// Why it cannot be used, so that the first text, the one that `nil` comes with, is sent in its
    /// place; null if it can.
    #[row(skip)]
    pub problem: Option<String>,
    /// The names of the values it can use.
    #[row(skip)]
    pub variables: Vec<String>,
}

impl Revisable for NotificationTemplate {
    fn content(&self) -> Value {
        json!({
            "event": self.event, "channel": self.channel, "subject": self.subject,
            "body": self.body, "enabled": self.enabled, "version": self.version,
        })
    }
}

impl NotificationTemplate {
    /// Fills in what follows from the rest.
    pub(super) fn explained(mut self) -> Self {
        let usual = default_of(self.event, self.channel);
        self.is_default =
            usual.is_some_and(|(subject, body)| *subject == self.subject && *body == self.body);
        let texts = (self.subject.clone(), self.body.clone());
        self.problem = problem((self.event, self.channel), &texts);
        self.variables = variables(self.event).iter().cloned().collect();
        self
    }
}

/// A text that was replaced.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct TemplateVersion {
    /// The number of the version, from 1.
    pub version: i64,
    /// The subject or title.
    pub subject: Option<String>,
    /// The text.
    pub body: String,
    /// When it was replaced.
    pub replaced_at: Time,
    /// The operator who replaced it.
    pub replaced_by: i64,
}

/// An event on a channel, with what became of its messages in the last thirty days.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Trigger {
    /// The event.
    pub event: Event,
    /// The channel.
    pub channel: Channel,
    /// Whether messages are sent.
    pub enabled: bool,
    /// Whether it must stay on, because accounts cannot be used safely without it.
    #[row(skip)]
    pub required: bool,
    /// The template.
    pub template_id: TemplateId,
    /// The template's subject or title.
    pub subject: Option<String>,
    /// How many messages left; 10,001 stands for more than 10,000.
    pub sent: i64,
    /// How many messages were given up; 10,001 stands for more than 10,000.
    pub failed: i64,
    /// How many messages left with the first text, because the template could not be used; 10,001
    /// stands for more than 10,000.
    pub fell_back: i64,
}

vocabulary! {
    /// The order of templates.
    EventSort {
        /// By event, A to Z.
        EventUp = "event",
        /// By event, Z to A.
        EventDown = "-event",
    }
}

impl EventSort {
    pub(super) const fn order(self) -> Order {
        match self {
            Self::EventUp => Order::Asc,
            Self::EventDown => Order::Desc,
        }
    }
}

/// Selects templates of mails or text messages.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListTemplates {
    /// `all`, `enabled` or `disabled`.
    pub status: AllOr<Switch>,
    /// 0 for all, or one template's id.
    pub id: ZeroOr<TemplateId>,
    /// Part of the event, the subject or the text.
    pub q: Option<Text<0, 100>>,
    /// The order (default by event).
    pub sort: Option<EventSort>,
}
