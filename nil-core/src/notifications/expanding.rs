//! Expands an event into one message per channel, according to the recipient's preferences and the
//! templates. The messages are made before the transaction that writes them.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Event;
use super::delivering::{SHUT, TOO_LATE};
use super::outbox::{Channel, OutboxStatus, Recipient};
use super::preference::{Audience, NotificationPreference};
use super::store::digest;
use super::store::notification::{self, New as Told};
use super::store::outbox::{self as store, Due, New as Letter};
use super::store::person::{self, Person};
use super::store::preference;
use crate::error::{Error, Result};
use crate::feed::{Composed, Draft, FeedKind, Texts, Touched, compose, default_of, template};
use crate::kernel::{OutboxId, Time};
use crate::platform::Platform;
use crate::storage::{Session, sql};

/// Data needed by the events of one batch, looked up once.
#[derive(Default)]
struct Known {
    site_name: String,
    /// The link of events without a page of their own: the front end that users have, or what to
    /// do where there is none.
    url: String,
    /// The link of events without a page of their own, for officers: the front end that they have,
    /// or what to do where there is none.
    officers_url: String,
    templates: HashMap<(Event, Channel), Option<Texts>>,
    people: HashMap<String, Option<Person>>,
    preferences: HashMap<(String, Event), NotificationPreference>,
}

/// What becomes of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Its messages.
    Made,
    /// Nothing: its secret has expired.
    Late,
    /// Nothing: its secret cannot be opened.
    Shut,
}

/// What an event becomes: its messages and notifications.
#[derive(Debug)]
pub(super) struct Made {
    pub id: OutboxId,
    is_sealed: bool,
    outcome: Outcome,
    letters: Vec<Letter>,
    told: Option<Told>,
    gathered: Vec<digest::New>,
}

impl Made {
    fn new(due: &Due) -> Self {
        let (letters, gathered) = (Vec::new(), Vec::new());
        let is_sealed = due.sealed.is_some();
        Self { id: due.id, is_sealed, outcome: Outcome::Made, letters, told: None, gathered }
    }
}

/// A message that is not composed yet.
struct Planned {
    /// The place of its event in the batch.
    of: usize,
    who: Recipient,
    address: String,
    is_gathered: bool,
}

/// Makes the messages and notifications of these events. It reads, composes the texts, and writes
/// nothing.
pub(super) async fn make(platform: &Platform, now: Time, events: &[Due]) -> Result<Vec<Made>> {
    let mut session = platform.db().read().await?;
    let mut known = Known::of(&mut session, platform, events).await?;
    let mut made: Vec<Made> = events.iter().map(Made::new).collect();
    let (mut planned, mut drafts) = (Vec::new(), Vec::new());
    for (of, (due, made)) in events.iter().zip(&mut made).enumerate() {
        let plan = match &due.sealed {
            None => known.plan(&mut session, due).await?,
            Some(_) if due.expires_at.is_some_and(|end| end <= now) => {
                made.outcome = Outcome::Late;
                continue;
            }
            Some(sealed) => match platform.vault().open("outbox", sealed) {
                Ok(values) => known.plan_sealed(&mut session, due, &values).await?,
                Err(error) => {
                    tracing::error!(%error, id = %due.id, "a message cannot be opened");
                    made.outcome = Outcome::Shut;
                    continue;
                }
            },
        };
        for (who, address, is_gathered, draft) in plan {
            planned.push(Planned { of, who, address, is_gathered });
            drafts.push(draft);
        }
    }
    drop(session);
    let kinds: Vec<_> = drafts.iter().map(|draft| (draft.event, draft.channel)).collect();
    let composed = compose(drafts).await;
    for ((plan, kind), composed) in planned.into_iter().zip(kinds).zip(composed) {
        if let (Some(due), Some(made)) = (events.get(plan.of), made.get_mut(plan.of)) {
            made.add(platform, due, plan, kind, composed)?;
        }
    }
    Ok(made)
}

/// Writes what was made of these events, and ends them; returns whose feeds have changed. The
/// caller has locked the events.
pub(super) async fn write(
    session: &mut Session,
    platform: &Platform,
    now: Time,
    made: Vec<Made>,
) -> Result<Touched> {
    let (mut told, mut gathered, mut letters) = (Vec::new(), Vec::new(), Vec::new());
    let (mut expanded, mut opened, mut late, mut shut) = (vec![], vec![], vec![], vec![]);
    for one in made {
        match one.outcome {
            Outcome::Made => expanded.push(one.id),
            Outcome::Late => late.push(one.id),
            Outcome::Shut => shut.push(one.id),
        }
        if one.is_sealed && one.outcome != Outcome::Shut {
            opened.push(one.id);
        }
        told.extend(one.told);
        gathered.extend(one.gathered);
        letters.extend(one.letters);
    }
    let mut touched = Touched::default();
    for one in &told {
        touched.add(one.user, FeedKind::Notifications);
    }
    // The feeds are locked before rows are added, so that their ids become visible in order.
    touched.write(session, platform.live(), platform.random(), now).await?;
    notification::add_all(session, &told, now).await?;
    digest::add_all(session, &gathered, now).await?;
    store::add_all(session, &letters, now).await?;
    store::end(session, &expanded, OutboxStatus::Expanded, None).await?;
    store::end(session, &late, OutboxStatus::Dead, Some(TOO_LATE)).await?;
    store::end(session, &shut, OutboxStatus::Dead, Some(SHUT)).await?;
    if !opened.is_empty() {
        // The mail has what was sealed.
        store::erase(session, &opened).await?;
    }
    Ok(touched)
}

impl Made {
    fn add(
        &mut self,
        platform: &Platform,
        due: &Due,
        plan: Planned,
        (event, channel): (Event, Channel),
        composed: Composed,
    ) -> Result<()> {
        let Composed { texts: (subject, body), fell_back } = composed;
        if let (Recipient::Portal(reader), true) = (&plan.who, plan.is_gathered) {
            let line = subject.unwrap_or_else(|| event.to_string());
            self.gathered.push(digest::New { reader: *reader, event, line });
            return Ok(());
        }
        let mut status = OutboxStatus::Pending;
        if let (Channel::InApp, Recipient::User(user)) = (channel, &plan.who) {
            // It is in the feed as soon as this commits: no delivery is needed.
            status = OutboxStatus::Sent;
            self.told = Some(Told {
                user: *user,
                cause: due.id,
                event,
                title: subject.clone().unwrap_or_else(|| event.to_string()),
                body: body.clone(),
                data: due.data.clone(),
            });
        }
        let seal = || platform.vault().seal("outbox", body.as_bytes());
        let sealed = self.is_sealed.then(seal).transpose()?;
        self.letters.push(Letter {
            channel,
            recipient: due.recipient.clone(),
            address: plan.address,
            event,
            subject,
            body: Some(body).filter(|_| sealed.is_none()),
            sealed,
            data: due.data.clone(),
            status,
            about: due.about.clone(),
            expires_at: due.expires_at,
            fell_back,
        });
        Ok(())
    }
}

/// A message to compose: for whom, to which address, and whether a digest gathers it.
type Plan = (Recipient, String, bool, Draft);

impl Known {
    async fn of(session: &mut Session, platform: &Platform, events: &[Due]) -> Result<Self> {
        let site_name: String = session.value(sql("SELECT name FROM site WHERE id = 1")).await?;
        let front = |for_officers| match platform.config().front_end(for_officers) {
            Some(front) => front.to_owned(),
            None => format!("Sign in to {site_name}."),
        };
        let mut owners: Vec<&str> = events.iter().map(|due| due.recipient.as_str()).collect();
        owners.sort_unstable();
        owners.dedup();
        let preferences = preference::of_owners(session, &owners).await?;
        let by_event =
            |(owner, chosen): (String, NotificationPreference)| ((owner, chosen.event), chosen);
        Ok(Self {
            url: front(false),
            officers_url: front(true),
            site_name,
            preferences: preferences.into_iter().map(by_event).collect(),
            ..Self::default()
        })
    }

    /// The mail of a message with a secret: to its own address, whoever lives there and whatever
    /// they prefer.
    async fn plan_sealed(
        &mut self,
        session: &mut Session,
        due: &Due,
        values: &[u8],
    ) -> Result<Vec<Plan>> {
        let who = Recipient::named(&due.recipient, due.address.as_deref());
        let (Ok(event), Some(who), Some(address)) = (due.event.parse(), who, &due.address) else {
            return Ok(Vec::new());
        };
        let channel = Channel::Email;
        let stored = self.template(session, event, channel).await?;
        // Such an event cannot be turned off.
        let texts = stored.or_else(|| default_of(event, channel).cloned());
        let data = serde_json::from_slice(values).map_err(Error::internal)?;
        let by = format!("the team of {}", self.site_name);
        let mut values = Map::from_iter([("invited_by".to_owned(), by.into())]);
        values.extend(self.values(&who, None, &data));
        let values = Arc::new(values);
        let draft = texts.map(|texts| Draft { event, channel, texts, values });
        Ok(draft.map(|draft| (who, address.clone(), false, draft)).into_iter().collect())
    }

    async fn plan(&mut self, session: &mut Session, due: &Due) -> Result<Vec<Plan>> {
        let mut plans = Vec::new();
        let who = Recipient::named(&due.recipient, due.address.as_deref());
        let (Ok(event), Some(who)) = (due.event.parse::<Event>(), who) else {
            return Ok(plans);
        };
        let Some(person) = self.person(session, &due.recipient, &who).await? else {
            return Ok(plans);
        };
        let values = Arc::new(self.values(&who, person.first_name.as_deref(), &due.data));
        let is_gathered = matches!(who, Recipient::Portal(_))
            && event.can_wait_for_a_digest()
            && person.is_told_together();
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
            let draft = Draft { event, channel, texts, values: values.clone() };
            plans.push((who.clone(), address, is_gathered, draft));
        }
        Ok(plans)
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
    fn values(
        &self,
        who: &Recipient,
        first_name: Option<&str>,
        data: &Value,
    ) -> Map<String, Value> {
        let first_name = first_name.unwrap_or("there");
        let url = match who {
            Recipient::Portal(_) => &self.officers_url,
            Recipient::User(_) | Recipient::Email(_) => &self.url,
        };
        let mut values = Map::new();
        values.insert("first_name".into(), first_name.into());
        values.insert("site_name".into(), self.site_name.clone().into());
        values.insert("url".into(), url.clone().into());
        values.extend(data.as_object().cloned().unwrap_or_default());
        values
    }
}
