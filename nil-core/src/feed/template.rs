//! The texts of messages: templates that are filled in with an event's values.
//!
//! Operators write them. A template sees the values of its event and nothing else
//! (`template_text`). What is wrong with it follows from its structure, so a text that passes the
//! check does so with every value. Texts are filled in outside of transactions and of the threads
//! that serve requests. One that cannot be used is replaced by the first text, the one that `nil`
//! comes with: no message is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::Event;
use super::template_text::{TemplateText, has_address};
use crate::error::Result;
use crate::kernel::aside;
use crate::ports::courier::Channel;
use crate::storage::{Session, sql};

/// The time for filling in the texts of one batch. It takes some milliseconds.
const DEADLINE: Duration = Duration::from_secs(5);

/// The values that every template can use.
pub const EVERYWHERE: [&str; 3] = ["first_name", "site_name", "url"];
/// The values with which whoever reads them could act as the recipient.
const SECRET: [&str; 2] = ["code", "url"];

/// A template: subject (in an app the title; none for a text message) and body.
pub type Texts = (Option<String>, String);

/// The part of a template that a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The subject or title.
    Subject,
    /// The body.
    Body,
}

static DEFAULTS: LazyLock<BTreeMap<(String, String), Texts>> = LazyLock::new(|| {
    let text = include_str!("../../assets/reference/notification_templates.csv");
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    let rows = rows.filter_map(|row: Result<(String, String, String, String), _>| row.ok());
    let texts = |subject: String, body| (Some(subject).filter(|text| !text.is_empty()), body);
    rows.map(|(event, channel, subject, body)| ((event, channel), texts(subject, body))).collect()
});

/// The texts of a new database, by event and channel.
pub fn defaults() -> impl ExactSizeIterator<Item = (&'static str, &'static str, &'static Texts)> {
    DEFAULTS.iter().map(|((event, channel), texts)| (event.as_str(), channel.as_str(), texts))
}

/// The text of a new database for an event on a channel.
pub fn default_of(event: Event, channel: Channel) -> Option<&'static Texts> {
    DEFAULTS.get(&(event.as_str().to_owned(), channel.as_str().to_owned()))
}

/// The names that the texts of a new database use, by event.
static VARIABLES: LazyLock<BTreeMap<&str, BTreeSet<String>>> = LazyLock::new(|| {
    let mut variables: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (event, _, (subject, body)) in defaults() {
        let texts = subject.iter().chain([body]).filter_map(|text| TemplateText::read(text).ok());
        let names = texts.flat_map(|text| text.names()).chain(EVERYWHERE);
        variables.entry(event).or_default().extend(names.map(str::to_owned));
    }
    variables
});

/// The names of the values that templates of an event can use.
pub fn variables(event: Event) -> &'static BTreeSet<String> {
    static NONE: BTreeSet<String> = BTreeSet::new();
    VARIABLES.get(event.as_str()).unwrap_or(&NONE)
}

/// The enabled template of an event on a channel.
pub async fn template(
    session: &mut Session,
    event: Event,
    channel: Channel,
) -> Result<Option<Texts>> {
    session
        .first(
            sql("SELECT subject, body FROM template \
                 WHERE event = $1 AND channel = $2 AND enabled")
            .bind(event)
            .bind(channel),
        )
        .await
}

/// The templates that cannot be used as they are stored: event, channel, and why.
pub async fn unusable(session: &mut Session) -> Result<Vec<(String, String, String)>> {
    let stored: Vec<(String, String, Option<String>, String)> =
        session.all(sql("SELECT event, channel, subject, body FROM template")).await?;
    aside(move || {
        let wrong = stored.into_iter().filter_map(|(event, channel, subject, body)| {
            let of = (event.parse().ok()?, channel.parse().ok()?);
            Some((event, channel, problem(of, &(subject, body))?))
        });
        wrong.collect()
    })
    .await
}

/// A message to compose.
#[derive(Clone, Debug)]
pub struct Draft {
    #[doc(hidden)]
    pub event: Event,
    #[doc(hidden)]
    pub channel: Channel,
    /// The stored template.
    pub texts: Texts,
    /// The values of the event and of its recipient.
    pub values: Arc<Map<String, Value>>,
}

/// A composed message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// What it says.
    pub texts: Texts,
    /// Why the first text stands in for the stored template; none if it does not.
    pub fell_back: Option<String>,
}

impl Draft {
    /// Fills in the template, or the first text if that cannot be.
    fn compose(&self) -> Composed {
        match self.fill() {
            Ok(texts) => Composed { texts, fell_back: None },
            Err(why) => self.first_text(why),
        }
    }

    fn fill(&self) -> Result<Texts, String> {
        let of = (self.event, self.channel);
        if let Some(problem) = problem(of, &self.texts) {
            return Err(problem);
        }
        let (subject, body) = &self.texts;
        for text in subject.iter().chain([body]).filter(|_| self.event.carries_secret()) {
            if has_address(&TemplateText::read(text)?.own_words(&self.values)?) {
                return Err(OTHER_ADDRESS.into());
            }
        }
        filled(&self.texts, &self.values)
    }

    /// The text that `nil` comes with, in place of one that cannot be used.
    fn first_text(&self, why: String) -> Composed {
        let (event, channel) = (self.event, self.channel);
        tracing::error!(%event, %channel, why, "a template cannot be used; the first text is sent");
        let first = default_of(event, channel);
        let texts = first.and_then(|first| filled(first, &self.values).ok());
        let texts = texts.unwrap_or_else(|| (None, plain(&self.values)));
        Composed { texts, fell_back: Some(why) }
    }
}

const LATE: &str = "the texts could not be filled in in time";

/// Composes messages, off the threads that serve requests. What is not done by the deadline gets
/// its first text.
pub async fn compose(drafts: Vec<Draft>) -> Vec<Composed> {
    if drafts.is_empty() {
        return Vec::new();
    }
    let drafts = Arc::new(drafts);
    let theirs = drafts.clone();
    let begun = Instant::now();
    let work = spawn_blocking(move || {
        let one = |draft: &Draft| {
            let is_late = begun.elapsed() >= DEADLINE;
            if is_late { draft.first_text(LATE.into()) } else { draft.compose() }
        };
        theirs.iter().map(one).collect()
    });
    match timeout(DEADLINE * 2, work).await {
        Ok(Ok(composed)) => composed,
        _ => drafts.iter().map(|draft| draft.first_text(LATE.into())).collect(),
    }
}

fn filled((subject, body): &Texts, values: &Map<String, Value>) -> Result<Texts, String> {
    let fill = |text: &String| TemplateText::read(text)?.fill(values);
    let subject = subject.as_ref().map(fill).transpose()?;
    Ok((subject.map(|subject| one_line(&subject)), fill(body)?))
}

const OTHER_ADDRESS: &str = "must not contain an address of its own: the message carries a secret, and its link or code is the only one in it";

/// What keeps a stored template from being sent; none if nothing does.
pub fn problem(of: (Event, Channel), (subject, body): &Texts) -> Option<String> {
    let subject =
        subject.as_ref().and_then(|text| Some(("subject", mistake(of, Place::Subject, text)?)));
    let wrong = subject.or_else(|| Some(("body", mistake(of, Place::Body, body)?)));
    wrong.map(|(place, mistake)| format!("the {place} {mistake}"))
}

/// What is wrong with a text, whatever the values are: its syntax, a name without a value, a secret
/// that is missing, in a subject or beside something else, or an address in a message that carries
/// a secret.
pub fn mistake((event, channel): (Event, Channel), place: Place, text: &str) -> Option<String> {
    let text = match TemplateText::read(text) {
        Ok(text) => text,
        Err(mistake) => return Some(mistake),
    };
    let (names, known) = (text.names(), variables(event));
    let unknown: Vec<String> = names
        .iter()
        .filter(|name| !known.contains(**name))
        .map(|name| format!("`{name}`"))
        .collect();
    if !unknown.is_empty() {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let (unknown, known) = (unknown.join(", "), known.join(", "));
        return Some(format!("has no value for {unknown}; this event has: {known}"));
    }
    // Notifications have their link beside them; a title shows none.
    if place == Place::Subject {
        if let Some(secret) = SECRET.iter().find(|secret| names.contains(**secret)) {
            return Some(format!("must not contain the secret `{secret}`"));
        }
    } else if let Some(name) = needed(event, channel).iter().find(|name| !text.always_shows(name)) {
        return Some(format!("must contain {{{{{name}}}}}: the message is of no use without it"));
    }
    if event.carries_secret() {
        if let Some(secret) = SECRET.iter().find(|secret| !text.stands_alone(secret)) {
            return Some(format!(
                "must have {{{{{secret}}}}} by itself, between spaces or on a line of its own"
            ));
        }
        if has_address(&text.all_words()) {
            return Some(OTHER_ADDRESS.into());
        }
    }
    None
}

/// The secrets without which a message of an event is of no use, where its usual text has them.
fn needed(event: Event, channel: Channel) -> BTreeSet<&'static str> {
    let usual = default_of(event, channel).filter(|_| event.is_required());
    let text = usual.and_then(|(_, body)| TemplateText::read(body).ok());
    let names = text.map(|text| text.names()).unwrap_or_default();
    names.into_iter().filter(|name| SECRET.contains(name)).collect()
}

/// Values to try a template with.
pub fn samples<'n>(names: impl IntoIterator<Item = &'n str>) -> Map<String, Value> {
    let sample = |name: &str| match name {
        "first_name" => "Jordan".to_owned(),
        "athlete_name" | "person_name" | "recipient_name" => "Jordan Rivera".to_owned(),
        "company_name" => "Northfield Outdoor".to_owned(),
        "site_name" => "nil".to_owned(),
        "url" => "https://nil.example/page".to_owned(),
        "code" => "482913".to_owned(),
        "amount" | "commission" => "$1,250.00".to_owned(),
        "minutes" | "hours" | "count" | "row_count" => "12".to_owned(),
        name if name.ends_with("_on") || name.ends_with("_by") && name != "invited_by" => {
            "December 1, 2026".to_owned()
        }
        "deadline" => "December 1, 2026".to_owned(),
        "job_title" => "Trail day".to_owned(),
        name => format!("[{}]", name.replace('_', " ")),
    };
    names.into_iter().map(|name| (name.to_owned(), sample(name).into())).collect()
}

/// A subject line: a line break in a value must not start another header.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A text that lists every value, for an event without a template.
fn plain(values: &Map<String, Value>) -> String {
    let line = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}: {text}\n"),
        other => format!("{name}: {other}\n"),
    };
    values.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn draft(event: Event, channel: Channel, body: &str, values: Value) -> Draft {
        let Value::Object(values) = values else { panic!("an object") };
        let texts = ((channel != Channel::Sms).then(|| "Hi {{first_name}}".into()), body.into());
        Draft { event, channel, texts, values: Arc::new(values) }
    }

    #[test]
    fn every_text_of_a_new_database_can_be_saved_as_it_is() {
        for (event, channel, texts) in defaults() {
            let of = (event.parse().unwrap(), channel.parse().unwrap());
            assert_eq!(problem(of, texts), None, "{event} {channel}");
        }
        assert_eq!(needed(Event::OtpSent, Channel::Email), BTreeSet::from(["code"]));
        assert_eq!(needed(Event::PasswordReset, Channel::Email), BTreeSet::from(["url"]));
        assert!(needed(Event::JobApproved, Channel::Email).is_empty());
        let known = variables(Event::JobRefused);
        assert!(known.contains("reason") && known.contains("url"));
    }

    #[test]
    fn a_subject_stays_on_its_line() {
        let values = json!({ "first_name": "a\r\nBcc: b" });
        let hi = draft(Event::JobRefused, Channel::Email, "Hi", values);
        assert_eq!(hi.compose().texts.0.unwrap(), "Hi a  Bcc: b");
    }

    #[test]
    fn what_cannot_be_filled_in_is_replaced_by_the_first_text() {
        let values = json!({ "reason": "Too short.", "job_title": "Trail day" });
        for (body, why) in [
            ("{{ reason + 1 }}", "the body line 1"),
            ("{{gone}}", "`gone`"),
            ("{% if first_name != 'Jordan' %}{% set x = [1] %}{% endif %}", "`set x = [1]`"),
        ] {
            let made = draft(Event::JobRefused, Channel::InApp, body, values.clone()).compose();
            assert_eq!(made.texts.1, "\"Trail day\" was not opened: Too short.");
            assert!(made.fell_back.as_ref().unwrap().contains(why), "{made:?}");
        }
        let long = json!({ "reason": "x".repeat(2_000), "job_title": "Trail day" });
        let body = "{{reason}}".repeat(150);
        let made = draft(Event::JobRefused, Channel::InApp, &body, long).compose();
        assert!(made.fell_back.unwrap().contains("too long"));
    }

    #[test]
    fn a_secret_is_mailed_without_another_address_whatever_the_values_are() {
        let of = (Event::PasswordReset, Channel::Email);
        for (body, why) in [
            ("https://evil.test/?t={{url}}", "by itself"),
            ("https://evil.test/?t= {{url}}", "an address of its own"),
            ("{{url}} or evil.test", "an address of its own"),
            ("{% if first_name %}{{url}}{% endif %}", "{{url}}"),
            ("Hi {{first_name}}", "{{url}}"),
        ] {
            let said = mistake(of, Place::Body, body).unwrap_or_default();
            assert!(said.contains(why), "{body}: {said:?}");
        }
        // An address in parts, of which the check of the words alone sees none.
        let parts = "{% if not site_name %}x{% endif %}evil{% if site_name %}{% else %} {% endif %}.\
            {% if first_name == 'no' %} {% endif %}test {{url}}";
        let values = json!({ "url": "https://nil.example/p", "site_name": "nil" });
        let made = draft(of.0, of.1, parts, values).compose();
        assert!(!made.texts.1.contains("evil"), "{made:?}");
        assert!(made.texts.1.contains("https://nil.example/p"));
    }
}
