//! Prints answers for people: tables on a terminal, tab-separated lines where another program reads
//! them. `--json` is for programs that read more than lines.

use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::out::{self, say};
use crate::sheet::Sheet;

/// The number of columns of a list, unless the caller names some.
const COLUMNS: usize = 7;

/// The columns that tell most about a record, in the order in which they are shown.
const TELLING: &[&str] = &[
    "id",
    "number",
    "code",
    "slug",
    "name",
    "title",
    "display_name",
    "company_name",
    "agency_name",
    "subject",
    "text",
    "email",
    "athlete",
    "partner",
    "agent",
    "job",
    "kind",
    "event",
    "source",
    "compensation",
    "status",
    "amount_cents",
    "agreed_amount_cents",
    "price_cents",
    "total_cents",
    "gross_cents",
    "application_deadline",
    "due_on",
    "due_at",
    "starts_on",
    "signed_on",
    "occurred_at",
    "at",
    "paid_at",
    "submitted_at",
    "created_at",
];

/// The fields of a record within a record that say which one it is.
const NAMES: &[&str] = &["display_name", "company_name", "agency_name", "name", "title", "number"];

/// Which columns of a list are shown.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Layout {
    /// The columns of a list, by the names of `--json`; `partner.company_name` is a field within a
    /// field.
    #[arg(id = "call.columns", long = "columns", value_name = "NAME", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// All columns of a list instead of those that tell most.
    #[arg(id = "call.wide", long = "wide", conflicts_with = "call.columns")]
    pub wide: bool,
    /// Whether the columns are the command's own choice, and the last ones may be left out of a
    /// narrow table.
    #[arg(skip)]
    usual: bool,
}

impl Layout {
    /// Wrong usage if a named column is in none of the records of a list.
    pub(crate) fn check(&self, data: &Value) -> Result<(), Failure> {
        let Some(rows) = data.as_array().filter(|rows| !rows.is_empty()) else { return Ok(()) };
        let known = |name: &str| rows.iter().any(|row| pointed(row, name).is_some());
        let unknown = |name: &&String| !known(name) && !known(&format!("{name}{CENTS}"));
        let unknown: Vec<_> =
            self.columns.iter().filter(unknown).map(|name| format!("`{name}`")).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let (unknown, names) = (unknown.join(", "), columns_of(rows).join(", "));
        Err(Failure::Usage(format!("there is no column {unknown}; there are {names}")))
    }

    /// The columns that the caller names, or these.
    pub(crate) fn or(self, columns: &[&str]) -> Self {
        if self.wide || !self.columns.is_empty() {
            return self;
        }
        Self {
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            wide: false,
            usual: true,
        }
    }
}

/// Prints any answer: a list of records as a table, a record as two columns, other values as they
/// are.
pub(crate) fn answer(data: &Value, layout: &Layout) {
    match data {
        Value::Array(rows) if rows.is_empty() => out::remark(format_args!("(nothing)")),
        Value::Array(rows) if rows.iter().all(Value::is_object) => list(rows, layout),
        Value::Object(fields) => record(fields),
        Value::Null => say!("done"),
        other => say!("{}", cell(other)),
    }
}

/// Prints a record for people, or as JSON.
pub(crate) fn print(value: &Value, json: bool) {
    if json {
        say!("{value:#}");
    } else {
        answer(value, &Layout::default());
    }
}

/// Prints a list; wrong usage if a named column is in none of its records.
pub(crate) fn rows(rows: &Value, layout: &Layout) -> Result<(), Failure> {
    layout.check(rows)?;
    answer(rows, layout);
    Ok(())
}

fn list(rows: &[Value], layout: &Layout) {
    let (columns, chosen) = match layout {
        Layout { columns, usual, .. } if !columns.is_empty() => (columns.clone(), !usual),
        Layout { wide: true, .. } => (columns_of(rows), true),
        Layout { .. } => (telling(columns_of(rows)), false),
    };
    let in_full = |name: String| {
        // A table's header has the names of amounts without their unit.
        let is_short = !rows.iter().any(|row| pointed(row, &name).is_some());
        if is_short { name + CENTS } else { name }
    };
    let columns: Vec<String> = columns.into_iter().map(in_full).collect();
    let mut sheet = Sheet::new(columns.iter().map(|name| title(name)));
    for row in rows {
        sheet.row(columns.iter().map(|name| shown(name, find(row, name))));
    }
    if chosen { sheet.list() } else { sheet.dispensable().list() }
}

/// The columns in which a row has something to show.
fn columns_of(rows: &[Value]) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    for (name, value) in rows.iter().filter_map(Value::as_object).flatten() {
        let shown = match value {
            Value::Null => false,
            Value::Array(items) => !items.iter().any(Value::is_object) && !items.is_empty(),
            Value::Object(fields) => NAMES.iter().any(|name| fields.contains_key(*name)),
            _ => true,
        };
        if shown && !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    columns
}

/// The columns that tell most, in the order of [`TELLING`], others behind them.
fn telling(mut columns: Vec<String>) -> Vec<String> {
    let place = |name: &String| TELLING.iter().position(|known| known == name);
    columns.sort_by_key(|name| place(name).unwrap_or(TELLING.len()));
    columns.truncate(COLUMNS);
    columns
}

/// The field of a record with this name; `a.b` is a field of the record `a`.
fn pointed<'a>(row: &'a Value, name: &str) -> Option<&'a Value> {
    name.split('.').try_fold(row, |value, name| value.get(name))
}

fn find<'a>(row: &'a Value, name: &str) -> &'a Value {
    pointed(row, name).unwrap_or(&Value::Null)
}

fn record(fields: &Map<String, Value>) {
    let mut sheet = Sheet::new(["field", "value"]);
    let mut pairs = Vec::new();
    for (name, value) in fields {
        flatten(name.clone(), value, &mut pairs);
    }
    for (name, value) in pairs {
        sheet.row([title(&name), value]);
    }
    sheet.list();
}

/// The fields of a record in pairs: `a.b` is a field of the record `a`, `a.1` the first of the
/// records `a`.
fn flatten(name: String, value: &Value, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (inner, value) in fields {
                flatten(format!("{name}.{inner}"), value, pairs);
            }
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            for (place, value) in items.iter().enumerate() {
                flatten(format!("{name}.{}", place + 1), value, pairs);
            }
        }
        value => {
            let value = shown(&name, value);
            pairs.push((name, value));
        }
    }
}

/// What a column or a field of a record is called. People read amounts in dollars, programs in
/// cents.
fn title(name: &str) -> String {
    match name.strip_suffix(CENTS) {
        Some(amount) if out::is_for_people() => amount.to_owned(),
        _ => name.to_owned(),
    }
}

/// A value as it is shown under this name.
fn shown(name: &str, value: &Value) -> String {
    match value.as_i64() {
        Some(cents) if name.ends_with(CENTS) && out::is_for_people() => dollars(cents),
        _ => cell(value),
    }
}

/// The end of the names of amounts.
const CENTS: &str = "_cents";

/// An amount such as $1,250.00.
fn dollars(cents: i64) -> String {
    let (sign, amount) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    let digits = (amount / 100).to_string();
    let mut whole = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            whole.push(',');
        }
        whole.push(digit);
    }
    format!("{sign}${whole}.{:02}", amount % 100)
}

/// A record without a name, in one line.
fn pairs_of(fields: &Map<String, Value>) -> String {
    let pair = |(name, value): (&String, &Value)| format!("{} {}", title(name), shown(name, value));
    fields.iter().map(pair).collect::<Vec<_>>().join(", ")
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let name = NAMES.iter().find_map(|name| fields.get(*name));
            name.map_or_else(|| pairs_of(fields), cell)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_shows_what_tells_most_and_names_records_within() {
        let job = json!({
            "id": 7, "slots": 2, "filled": 0, "description": "Long.", "title": "A reel", "kind": "one_time",
            "amount_cents": 500, "status": "open", "reason": null, "milestones": [{ "id": 1 }],
            "created_at": "2026-11-20T12:00:00Z", "partner": { "id": 3, "company_name": "Ridge" },
        });
        let columns = telling(columns_of(std::slice::from_ref(&job)));
        assert_eq!(
            columns,
            ["id", "title", "partner", "kind", "status", "amount_cents", "created_at"]
        );
        assert_eq!(cell(find(&job, "partner")), "Ridge");
        assert_eq!(cell(find(&job, "partner.id")), "3");
        assert_eq!(cell(find(&job, "nothing.here")), "");
    }

    #[test]
    fn columns_without_anything_to_show_are_left_out() {
        let rows = [json!({ "id": 1, "reason": null }), json!({ "id": 2, "tags": [] })];
        assert_eq!(columns_of(&rows), ["id"]);
        let rows = [json!({ "id": 1, "tags": ["a", "b"] })];
        assert_eq!(columns_of(&rows), ["id", "tags"]);
        assert_eq!(cell(&rows[0]["tags"]), "a, b");
    }

    #[test]
    fn a_record_within_is_shown_in_pairs_and_never_as_json() {
        let record = json!({
            "id": 7, "profile": { "name": "Jordan", "tags": ["a", "b"], "none": null, "empty": [] },
            "milestones": [{ "title": "A reel" }, { "title": "A story" }],
        });
        let mut pairs = Vec::new();
        for (name, value) in record.as_object().unwrap() {
            flatten(name.clone(), value, &mut pairs);
        }
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let told = [
            "id=7",
            "milestones.1.title=A reel",
            "milestones.2.title=A story",
            "profile.empty=",
            "profile.name=Jordan",
            "profile.none=",
            "profile.tags=a, b",
        ];
        let mut sorted = pairs.clone();
        sorted.sort();
        assert_eq!(sorted, told);
        assert_eq!(cell(&json!([{ "day": 1, "open": true }])), "day 1, open yes");
    }

    #[test]
    fn amounts_have_their_sign_and_groups() {
        let told =
            [(0, "$0.00"), (5, "$0.05"), (99_999, "$999.99"), (123_456_700, "$1,234,567.00")];
        for (cents, text) in told {
            assert_eq!(dollars(cents), text);
        }
        assert_eq!(dollars(-125_000), "-$1,250.00");
        assert_eq!(dollars(i64::MIN), "-$92,233,720,368,547,758.08");
    }
}
