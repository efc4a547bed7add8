//! Expands an event into one message per channel, according to the recipient's preferences and the templates.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::Event;
use super::outbox::{Channel, OutboxStatus, Recipient};
use super::preference::{Audience, NotificationPreference};
use super::store::digest;
use super::store::notification::{self, New as Told};
use super::store::outbox::{self as store, Due, New as Letter};
use super::store::person::{self, Person};
use super::store::preference;
use crate::error::Result;
use crate::feed::{FeedKind, Texts, Touched, compose, template};
use crate::kernel::Time;
use crate::platform::Platform;
use crate::storage::{Session, sql};

/// Data needed by the events of one batch, looked up once.
#[derive(Default)]
struct Known {
    site_name: String,
    /// The link of events without a page of their own.
    url: String,
    templates: HashMap<(Event, Channel), Option<Texts>>,
    people: HashMap<String, Option<Person>>,
    preferences: HashMap<(String, Event), NotificationPreference>,
}

/// Writes the messages and notifications of these event rows; returns whose feeds have changed. The caller locks the
/// rows before and ends them afterwards.
pub(super) async fn expand(
    session: &mut Session,
    platform: &Platform,
    now: Time,
    events: &[&Due],
) -> Result<Touched> {
    let mut touched = Touched::default();
    if events.is_empty() {
        return Ok(touched);
    }
    let mut known = Known::of(session, platform, events).await?;
    let mut made = Made::default();
    for due in events {
        known.expand_one(session, due, &mut made).await?;
    }
    for one in &made.told {
        touched.add(one.user, FeedKind::Notifications);
    }
    // The feeds are locked before rows are added, so that their ids become visible in order.
    touched.write(session, platform.live(), platform.random(), now).await?;
    notification::add_all(session, &made.told, now).await?;
    digest::add_all(session, &made.gathered, now).await?;
    store::add_all(session, &made.letters, now).await?;
    Ok(touched)
}

/// The results of expanding the events of one batch.
#[derive(Default)]
struct Made {
    letters: Vec<Letter>,
    told: Vec<Told>,
    gathered: Vec<digest::New>,
}

impl Known {
    async fn of(session: &mut Session, platform: &Platform, events: &[&Due]) -> Result<Self> {
        let site_name = session.value(sql("SELECT name FROM site WHERE id = 1")).await?;
        let mut owners: Vec<&str> = events.iter().map(|due| due.recipient.as_str()).collect();
        owners.sort_unstable();
        owners.dedup();
        let preferences = preference::of_owners(session, &owners).await?;
        let by_event =
            |(owner, chosen): (String, NotificationPreference)| ((owner, chosen.event), chosen);
        Ok(Self {
            site_name,
            url: platform.config().public_url.clone(),
            preferences: preferences.into_iter().map(by_event).collect(),
            ..Self::default()
        })
    }

    async fn expand_one(
        &mut self,
        session: &mut Session,
        due: &Due,
        made: &mut Made,
    ) -> Result<()> {
        let who = Recipient::named(&due.recipient, due.address.as_deref());
        let (Ok(event), Some(who)) = (due.event.parse::<Event>(), who) else {
            return Ok(());
        };
        let Some(person) = self.person(session, &due.recipient, &who).await? else {
            return Ok(());
        };
        let values = self.values(&person, &due.data);
        for channel in [Channel::Email, Channel::Sms, Channel::InApp] {
            let address = match channel {
                Channel::Email => person.email.clone(),
                Channel::Sms => person.phone.clone(),
                _ => Some(due.recipient.clone()),
            };
            let Some(address) =
                address.filter(|_| self.wanted(&who, &due.recipient, event, channel))
            else {
                continue;
            };
            let Some(texts) = self.template(session, event, channel).await? else {
                continue;
            };
            let (subject, body) = compose((event, channel), &texts, &values);
            if let Recipient::Portal(reader) = who
                && event.can_wait_for_a_digest()
                && person.is_told_together()
            {
                made.gathered.push(digest::New {
                    reader,
                    event,
                    line: subject.unwrap_or_else(|| event.to_string()),
                });
                continue;
            }
            let mut status = OutboxStatus::Pending;
            if let (Channel::InApp, Recipient::User(user)) = (channel, &who) {
                // It is in the feed as soon as this commits: no delivery is needed.
                status = OutboxStatus::Sent;
                made.told.push(Told {
                    user: *user,
                    cause: due.id,
                    event,
                    title: subject.clone().unwrap_or_else(|| event.to_string()),
                    body: body.clone(),
                    data: due.data.clone(),
                });
            }
            made.letters.push(Letter {
                channel,
                recipient: due.recipient.clone(),
                address,
                event,
                subject,
                body,
                data: due.data.clone(),
                status,
                about: due.about.clone(),
            });
        }
        Ok(())
    }

    /// Whether the recipient wants this channel. A guest has only an address.
    fn wanted(&self, who: &Recipient, owner: &str, event: Event, channel: Channel) -> bool {
        match Audience::of(who) {
            None => channel == Channel::Email,
            Some(audience) => {
                let chosen = self.preferences.get(&(owner.to_owned(), event));
                audience.holds(event, chosen).wants(channel)
            }
        }
    }

    async fn person(
        &mut self,
        session: &mut Session,
        name: &str,
        who: &Recipient,
    ) -> Result<Option<Person>> {
        if let Some(known) = self.people.get(name).filter(|_| !who.is_guest()) {
            return Ok(known.clone());
        }
        let found = person::find(session, who).await?;
        self.people.insert(name.to_owned(), found.clone());
        Ok(found)
    }

    async fn template(
        &mut self,
        session: &mut Session,
        event: Event,
        channel: Channel,
    ) -> Result<Option<Texts>> {
        if let Some(known) = self.templates.get(&(event, channel)) {
            return Ok(known.clone());
        }
        let found = template(session, event, channel).await?;
        self.templates.insert((event, channel), found.clone());
        Ok(found)
    }

    /// The values that every template can use; values of the event override them.
    fn values(&self, person: &Person, data: &Value) -> Map<String, Value> {
        let first_name = person.first_name.clone().unwrap_or_else(|| "there".into());
        let mut values = Map::new();
        values.insert("first_name".into(), first_name.into());
        values.insert("site_name".into(), self.site_name.clone().into());
        values.insert("url".into(), self.url.clone().into());
        values.extend(data.as_object().cloned().unwrap_or_default());
        values
    }
}
