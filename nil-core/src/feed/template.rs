//! The texts of messages: templates in the syntax of Jinja, filled in with an event's values.
//!
//! Operators write them. A template sees the values of its event and nothing else: it calls no functions, reads no
//! files, and stops after a number of steps. A value is never read as a template.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::{Map, Value};

use super::Event;
use crate::error::Result;
use crate::ports::courier::Channel;
use crate::storage::{Session, sql};

/// The number of steps a template may take.
const FUEL: u64 = 10_000;
/// The maximum length of a filled-in text, in bytes.
const LONGEST: usize = 256 * 1024;

/// The values that every template can use.
const EVERYWHERE: [&str; 3] = ["first_name", "site_name", "url"];
/// The values with which whoever reads them could act as the recipient.
const SECRET: [&str; 2] = ["code", "url"];

/// A template: subject (in an app the title; none for a text message) and body.
pub(crate) type Texts = (Option<String>, String);

static DEFAULTS: LazyLock<BTreeMap<(String, String), Texts>> = LazyLock::new(|| {
    let text = include_str!("../../assets/reference/notification_templates.csv");
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    let rows = rows.filter_map(|row: Result<(String, String, String, String), _>| row.ok());
    let texts = |subject: String, body| (Some(subject).filter(|text| !text.is_empty()), body);
    rows.map(|(event, channel, subject, body)| ((event, channel), texts(subject, body))).collect()
});

/// The texts of a new database, by event and channel.
pub(crate) fn defaults()
-> impl ExactSizeIterator<Item = (&'static str, &'static str, &'static Texts)> {
    DEFAULTS.iter().map(|((event, channel), texts)| (event.as_str(), channel.as_str(), texts))
}

/// The text of a new database for an event on a channel.
pub(crate) fn default_of(event: Event, channel: Channel) -> Option<&'static Texts> {
    DEFAULTS.get(&(event.as_str().to_owned(), channel.as_str().to_owned()))
}

/// The names that the texts of a new database use, by event.
static VARIABLES: LazyLock<BTreeMap<&str, BTreeSet<String>>> = LazyLock::new(|| {
    let mut variables: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (event, _, (subject, body)) in defaults() {
        let names = subject.iter().chain([body]).flat_map(|text| used(text).unwrap_or_default());
        let all = EVERYWHERE.map(str::to_owned);
        variables.entry(event).or_default().extend(names.chain(all));
    }
    variables
});

/// The names of the values that templates of an event can use.
pub(crate) fn variables(event: Event) -> &'static BTreeSet<String> {
    static NONE: BTreeSet<String> = BTreeSet::new();
    VARIABLES.get(event.as_str()).unwrap_or(&NONE)
}

/// The enabled template of an event on a channel.
pub(crate) async fn template(
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

/// Fills in a template. If it cannot be filled in, the text of a new database is: no message is lost.
pub(crate) fn compose(
    (event, channel): (Event, Channel),
    texts: &Texts,
    values: &Map<String, Value>,
) -> Texts {
    let filled = |(subject, body): &Texts| -> Result<Texts, minijinja::Error> {
        let subject = subject.as_ref().map(|subject| render(subject, values)).transpose()?;
        Ok((subject.map(|subject| one_line(&subject)), render(body, values)?))
    };
    filled(texts).unwrap_or_else(|error| {
        tracing::error!(%event, %channel, %error, "a template cannot be filled in");
        let usual = default_of(event, channel).and_then(|usual| filled(usual).ok());
        usual.unwrap_or_else(|| (None, plain(values)))
    })
}

/// What is wrong with a template: its syntax, a name without a value, a secret in a subject, or a step too many.
pub(crate) fn mistake(text: &str, known: &BTreeSet<String>, subject: bool) -> Option<String> {
    let names = match used(text) {
        Ok(names) => names,
        Err(error) => return Some(said(&error)),
    };
    let unknown: Vec<String> = names.difference(known).map(|name| format!("`{name}`")).collect();
    if !unknown.is_empty() {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let (unknown, known) = (unknown.join(", "), known.join(", "));
        return Some(format!("has no value for {unknown}; this event has: {known}"));
    }
    if let Some(secret) = SECRET.iter().find(|name| subject && names.contains(**name)) {
        return Some(format!("must not contain the secret `{secret}`"));
    }
    render(text, &samples(known.iter().map(String::as_str))).err().map(|error| said(&error))
}

/// The secrets without which a message of an event is of no use, where its usual text has them.
pub(crate) fn needed(event: Event, channel: Channel) -> BTreeSet<String> {
    let usual = default_of(event, channel).filter(|_| event.is_required());
    let names = usual.and_then(|(_, body)| used(body).ok()).unwrap_or_default();
    names.into_iter().filter(|name| SECRET.contains(&name.as_str())).collect()
}

/// The names that a template looks up.
pub(crate) fn used(text: &str) -> Result<BTreeSet<String>, minijinja::Error> {
    Ok(engine().template_from_str(text)?.undeclared_variables(false).into_iter().collect())
}

/// Values to try a template with.
pub(crate) fn samples<'n>(names: impl IntoIterator<Item = &'n str>) -> Map<String, Value> {
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

/// Replaces the names in a template by values; a name without a value becomes empty.
pub(crate) fn render(text: &str, values: &Map<String, Value>) -> Result<String, minijinja::Error> {
    let values = values.iter().filter(|(_, value)| !value.is_null());
    let values = values.map(|(name, value)| (name.clone(), Serde(value)));
    let mut out = Bounded(Vec::new());
    engine()
        .template_from_str(text)?
        .render_captured_to(minijinja::Value::from_pairs(values), &mut out)?;
    Ok(String::from_utf8_lossy(&out.0).into_owned())
}

/// An engine without functions, filters or other templates.
static ENGINE: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut engine = Environment::empty();
    engine.set_fuel(Some(FUEL));
    let mut syntax = SyntaxConfig::builder();
    if let Ok(syntax) = syntax.keep_trailing_newline(true).trim_blocks(true).build() {
        engine.set_syntax(syntax);
    }
    engine.set_undefined_behavior(UndefinedBehavior::Lenient);
    // A mail's HTML is made from its text, and escaped there.
    engine.set_auto_escape_callback(|_| AutoEscape::None);
    engine
});

/// The engine, for a template that lives so long.
fn engine<'text>() -> &'text Environment<'text> {
    &ENGINE
}

/// What the engine says of a mistake, with its line.
fn said(error: &minijinja::Error) -> String {
    let line = error.line().map(|line| format!("line {line}: ")).unwrap_or_default();
    let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
    format!("{line}{}{detail}", error.kind())
}

/// A text that does not grow without end.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the text is too long"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A subject line: a line break in a value must not start another header.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A text that lists every value, for an event without a template.
pub(super) fn plain(values: &Map<String, Value>) -> String {
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

    fn values(from: Value) -> Map<String, Value> {
        let Value::Object(values) = from else { panic!("an object") };
        values
    }

    #[test]
    fn values_are_put_in_and_never_read_as_templates() {
        let data = values(json!({ "name": "{{code}}", "code": "482913", "absent": null }));
        let text = "Hi {{name}}, {{ code }}{{gone}}{{absent}}!\n";
        assert_eq!(render(text, &data).unwrap(), "Hi {{code}}, 482913!\n");
        let if_there = "{% if absent %}No{% else %}Yes{% endif %}";
        assert_eq!(render(if_there, &data).unwrap(), "Yes");
        let event = (Event::JobRefused, Channel::Email);
        let (subject, _) = compose(
            event,
            &(Some("Hi {{n}}".into()), String::new()),
            &values(json!({ "n": "a\r\nBcc: b" })),
        );
        assert_eq!(subject.unwrap(), "Hi a  Bcc: b");
    }

    #[test]
    fn every_text_of_a_new_database_can_be_saved_as_it_is() {
        for (event, channel, (subject, body)) in defaults() {
            let known = variables(event.parse().unwrap());
            assert_eq!(mistake(body, known, false), None, "{event} {channel}");
            let title = channel == "in_app";
            let subject = subject.as_deref().unwrap_or_default();
            assert_eq!(mistake(subject, known, !title), None, "{event} {channel}");
        }
        assert_eq!(needed(Event::OtpSent, Channel::Email), BTreeSet::from(["code".to_owned()]));
        assert_eq!(
            needed(Event::PasswordReset, Channel::Email),
            BTreeSet::from(["url".to_owned()])
        );
        assert!(needed(Event::JobApproved, Channel::Email).is_empty());
    }

    #[test]
    fn templates_do_nothing_but_fill_in_values() {
        let known = variables(Event::JobRefused);
        assert!(known.contains("reason") && known.contains("url"));
        for (text, wrong) in [
            ("{{reason", "line 1"),
            ("{{reason}} {{secret_key}}", "`secret_key`"),
            ("{% include 'other' %}", "line 1"),
            ("{% for a in range(1000000) %}x{% endfor %}", "`range`"),
            ("{{ reason | upper }}", "filter"),
            ("{{ 'x' * 1000000000 }}", "fuel"),
            (
                "{% set a = 'xxxxxxxx' * 4000 %}{% for i in a %}{% for j in a %}x{% endfor %}{% endfor %}",
                "line",
            ),
            ("{{ reason.__class__.__mro__ }}", "undefined"),
        ] {
            let said = mistake(text, known, false).unwrap_or_default();
            assert!(said.contains(wrong), "{text}: {said:?}");
        }
        assert!(mistake("See {{url}}", known, true).unwrap().contains("secret"));
        // What passes the check and fails with other values is replaced by the usual text.
        let odd = (None, "{{ reason + 1 }}".to_owned());
        let data = values(json!({ "reason": "Too short.", "job_title": "Trail day" }));
        let (_, body) = compose((Event::JobRefused, Channel::InApp), &odd, &data);
        assert_eq!(body, "\"Trail day\" was not opened: Too short.");
    }
}
