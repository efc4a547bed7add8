//! Prints answers for people: tables on a terminal, tab-separated lines where another program reads them. `--json` is
//! for programs that read more than lines.

use comfy_table::ColumnConstraint::LowerBoundary;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle, Width};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::out::{self, say};

/// A table without a terminal fits into so many characters.
const WIDTH: u16 = 100;

/// The spaces beside each cell.
const PADDING: u16 = 2;

/// A longer word is cut.
const LONGEST: usize = 60;

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
    /// The columns of a list, by the names of `--json`; `partner.company_name` is a field within a field.
    #[arg(id = "call.columns", long = "columns", value_name = "NAME", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// All columns of a list instead of the seven that tell most.
    #[arg(id = "call.wide", long = "wide", conflicts_with = "call.columns")]
    pub wide: bool,
}

impl Layout {
    /// Wrong usage if a named column is in none of the records of a list.
    pub(crate) fn check(&self, data: &Value) -> Result<(), Failure> {
        let Some(rows) = data.as_array().filter(|rows| !rows.is_empty()) else { return Ok(()) };
        let unknown = |name: &&String| !rows.iter().any(|row| pointed(row, name).is_some());
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
        Self { columns: columns.iter().map(|&name| name.to_owned()).collect(), wide: false }
    }
}

/// Rows under a header.
pub(crate) struct Sheet {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    pub(crate) fn new<T: Into<String>>(header: impl IntoIterator<Item = T>) -> Self {
        Self { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    pub(crate) fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Prints a table with one rule under the header.
    pub(crate) fn draw(self) {
        let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
        let mut table = Table::new();
        let longest = self.longest_words();
        table
            .load_style(style)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_header(self.header)
            .add_rows(self.rows)
            // Addresses and names of operations are copied: they are not cut in two.
            .set_constraints(longest.map(|word| LowerBoundary(Width::Fixed(word + PADDING))));
        if !table.is_tty() {
            table.set_width(WIDTH);
        }
        for line in table.to_string().lines() {
            say!("{}", line.trim_end());
        }
    }

    /// The length of the longest word of each column.
    fn longest_words(&self) -> impl Iterator<Item = u16> + use<> {
        let mut longest = vec![0; self.header.len()];
        for row in std::iter::once(&self.header).chain(&self.rows) {
            for (most, cell) in longest.iter_mut().zip(row) {
                let words = cell.split_whitespace().map(|word| word.chars().count());
                *most = words.fold(*most, usize::max).min(LONGEST);
            }
        }
        longest.into_iter().map(|most| u16::try_from(most).unwrap_or(u16::MAX))
    }

    /// Prints a table on a terminal. Elsewhere each row is a line without the header, its cells separated by tabs.
    pub(crate) fn list(self) {
        if out::is_for_people() {
            return self.draw();
        }
        for row in self.rows {
            let cells: Vec<String> =
                row.iter().map(|cell| cell.replace(['\t', '\n', '\r'], " ")).collect();
            say!("{}", cells.join("\t"));
        }
    }
}

/// Prints any answer: a list of records as a table, a record as two columns, other values as they are.
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
    let columns = match layout {
        Layout { columns, .. } if !columns.is_empty() => columns.clone(),
        Layout { wide: true, .. } => columns_of(rows),
        Layout { .. } => telling(columns_of(rows)),
    };
    let mut sheet = Sheet::new(columns.iter().cloned());
    for row in rows {
        sheet.row(columns.iter().map(|name| cell(find(row, name))));
    }
    sheet.list();
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
    for (name, value) in fields {
        let shown = match value {
            Value::Object(_) | Value::Array(_) => format!("{value:#}"),
            value => cell(value),
        };
        sheet.row([name.clone(), shown]);
    }
    sheet.list();
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
            name.map_or_else(|| value.to_string(), cell)
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
}
