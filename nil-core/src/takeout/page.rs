//! The page of a takeout: HTML without scripts, which loads nothing from anywhere.

use serde_json::Value;

use super::area::{Area, Kind, Line};
use crate::kernel::Time;
use crate::wording::{amount, escaped, label};

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:72em;margin:2em auto;padding:0 1em}\
    table{border-collapse:collapse;width:100%;font-size:.9em;margin-bottom:2em}\
    th,td{border:1px solid #999;padding:.3em .5em;text-align:left;vertical-align:top;\
    overflow-wrap:anywhere;white-space:pre-wrap}th{background:#eee}";

/// The beginning of the page.
pub(super) fn beginning(site: &str, at: Time) -> String {
    let site = escaped(site);
    let day = at.format("%Y-%m-%d %H:%M");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Your data at {site}</title><style>{STYLE}</style></head><body>\
         <h1>Your data at {site}</h1><p>As of {day} UTC. The folder <code>data</code> has the same as \
         JSON, <code>contracts</code> your contracts, <code>files</code> the files you uploaded, under \
         their numbers. <code>manifest.json</code> has the checksum of every file.</p>\n"
    )
}

/// The end of the page.
pub(super) const fn end() -> &'static str {
    "</body></html>\n"
}

/// The heading of an area and the titles of its columns.
pub(super) fn heading<A: Area>() -> String {
    let mut html = format!("<h2 id=\"{}\">{}</h2>\n<table><tr>", A::NAME, escaped(A::TITLE));
    for (name, _) in A::COLUMNS {
        html.push_str("<th>");
        html.push_str(&escaped(&title(name)));
        html.push_str("</th>");
    }
    html.push_str("</tr>\n");
    html
}

/// The end of an area.
pub(super) const fn foot() -> &'static str {
    "</table>\n"
}

/// A row.
pub(super) fn row<A: Area>(line: &Line<A>) -> String {
    let mut html = String::from("<tr>");
    for ((_, kind), value) in A::COLUMNS.iter().zip(&line.values) {
        html.push_str("<td>");
        html.push_str(&escaped(&cell(*kind, value)));
        html.push_str("</td>");
    }
    html.push_str("</tr>\n");
    html
}

fn title(name: &str) -> String {
    label(name.trim_end_matches("_cents"))
}

fn cell(kind: Kind, value: &Value) -> String {
    match (kind, value) {
        (_, Value::Null) => String::new(),
        (Kind::Cents, Value::Number(cents)) => amount(cents.as_i64().unwrap_or_default()),
        (Kind::Yes, Value::Bool(yes)) => if *yes { "yes" } else { "no" }.to_owned(),
        (_, Value::String(text)) => text.clone(),
        (Kind::Json, other) => serde_json::to_string_pretty(other).unwrap_or_default(),
        (_, other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_people_wrote_is_text() {
        let page = beginning("<script>alert(1)</script>", "2026-11-20T12:00:00Z".parse().unwrap());
        assert!(!page.contains("<script"), "{page}");
        assert_eq!(cell(Kind::Cents, &json!(123_456)), "1,234.56");
        assert_eq!(cell(Kind::Text, &json!(null)), "");
        assert_eq!(cell(Kind::Yes, &json!(false)), "no");
    }
}
