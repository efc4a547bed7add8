//! Users' preferences: which events they are notified of, and on which channels.

use crate::storage::FromRow;
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::Event;
use super::outbox::{Channel, Recipient};

/// The channels of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct NotificationPreference {
    /// The event.
    pub event: Event,
    /// By mail.
    pub email: bool,
    /// By text message; needs a phone number in the account.
    pub sms: bool,
    /// In the application.
    pub in_app: bool,
}

/// The kind of user; it decides which events can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    /// A user of the Core interface.
    User,
    /// A user of the compliance portal, notified by mail only.
    Portal,
}

impl Audience {
    /// The audience of a recipient; a guest has none.
    pub(super) fn of(recipient: &Recipient) -> Option<Self> {
        match recipient {
            Recipient::User(_) => Some(Self::User),
            Recipient::Portal(_) => Some(Self::Portal),
            Recipient::Email(_) => None,
        }
    }

    /// The events that can be chosen.
    pub(super) fn events(self) -> impl Iterator<Item = Event> {
        let concerned = move |event: &Event| match self {
            Self::User => event.is_for_users(),
            Self::Portal => event.is_for_portal_users(),
        };
        Event::ALL.iter().copied().filter(concerned)
    }

    /// Whether the event can reach them on this channel.
    pub(super) fn hears(self, event: Event, channel: Channel) -> bool {
        event.goes_by(channel) && (self == Self::User || channel == Channel::Email)
    }

    /// The default: everything except text messages, which must be switched on.
    pub(super) fn usual(self, event: Event) -> NotificationPreference {
        NotificationPreference {
            event,
            email: self.hears(event, Channel::Email),
            sms: false,
            in_app: self.hears(event, Channel::InApp),
        }
    }

    /// The effective preference: the user's choice for an event that can be chosen, otherwise the
    /// default.
    pub(super) fn holds(
        self,
        event: Event,
        chosen: Option<&NotificationPreference>,
    ) -> NotificationPreference {
        match chosen {
            Some(chosen) if !event.is_required() => NotificationPreference {
                event,
                email: chosen.email && self.hears(event, Channel::Email),
                sms: chosen.sms && self.hears(event, Channel::Sms),
                in_app: chosen.in_app && self.hears(event, Channel::InApp),
            },
            _ => self.usual(event),
        }
    }

    /// All preferences that can be chosen, with their current values.
    pub(super) fn all(self, chosen: &[NotificationPreference]) -> Vec<NotificationPreference> {
        let chosen: HashMap<Event, &NotificationPreference> =
            chosen.iter().map(|one| (one.event, one)).collect();
        self.events().map(|event| self.holds(event, chosen.get(&event).copied())).collect()
    }
}

impl NotificationPreference {
    /// Whether this channel is switched on.
    pub(super) fn wants(self, channel: Channel) -> bool {
        match channel {
            Channel::Event => false,
            Channel::Email => self.email,
            Channel::Sms => self.sms,
            Channel::InApp => self.in_app,
        }
    }

    /// Sets one channel.
    pub(super) fn set(&mut self, channel: Channel, wanted: bool) {
        match channel {
            Channel::Event => {}
            Channel::Email => self.email = wanted,
            Channel::Sms => self.sms = wanted,
            Channel::InApp => self.in_app = wanted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_account_cannot_do_without_stays_on() {
        let nothing =
            |event| NotificationPreference { event, email: false, sms: false, in_app: false };
        for event in Audience::User.events() {
            let holds = Audience::User.holds(event, Some(&nothing(event)));
            assert_eq!(holds.email, event.is_required(), "{event}");
        }
    }

    #[test]
    fn the_portal_has_no_feed_and_texts_nobody() {
        for event in Audience::Portal.events() {
            let all = NotificationPreference { event, email: true, sms: true, in_app: true };
            let holds = Audience::Portal.holds(event, Some(&all));
            assert_eq!((holds.sms, holds.in_app), (false, false), "{event}");
            assert!(holds.email);
        }
        assert!(Audience::User.events().all(|event| !Audience::User.usual(event).sms));
    }
}
