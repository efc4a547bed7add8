//! The texts of messages: reads templates from the database and fills in values.

use serde_json::{Map, Value};

use super::Event;
use crate::error::Result;
use crate::ports::courier::Channel;
use crate::storage::{Session, sql};

/// The enabled template of an event on a channel: subject and body.
pub(crate) async fn template(
    session: &mut Session,
    event: Event,
    channel: Channel,
) -> Result<Option<(Option<String>, String)>> {
    session
        .first(
            sql("SELECT subject, body FROM template \
                 WHERE event = $1 AND channel = $2 AND enabled")
            .bind(event)
            .bind(channel),
        )
        .await
}

/// Replaces the names in a template by values. A value is never read as a template itself; a name without a value
/// becomes empty.
pub(crate) fn render(template: &str, data: &Map<String, Value>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            out.push_str("{{");
            rest = after;
            continue;
        };
        match data.get(name.trim()) {
            Some(Value::String(text)) => out.push_str(text),
            Some(Value::Null) | None => {}
            Some(other) => out.push_str(&other.to_string()),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A subject line: a line break in a value must not start another header.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A template that lists every value, for an event without a template of its own.
pub(super) fn plain(data: &Map<String, Value>) -> String {
    let mut text = String::new();
    for name in data.keys() {
        for part in [name, ": {{", name, "}}\n"] {
            text.push_str(part);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_put_in_and_never_read_as_templates() {
        let Value::Object(data) = json!({ "name": "{{code}}", "code": "482913" }) else { panic!() };
        assert_eq!(render("Hi {{name}}, {{ code }}{{gone}}!", &data), "Hi {{code}}, 482913!");
        assert_eq!(render("{{open", &data), "{{open");
        assert_eq!(one_line("Hi\r\nBcc: all"), "Hi  Bcc: all");
    }
}
