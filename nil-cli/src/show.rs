//! Prints answers as tables for people instead of JSON.

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::{Map, Value};

/// An empty table in the common style.
pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(header.iter().copied());
    table
}

/// Prints any answer: a list of records as a table, a record as two columns, other values as they are.
pub(crate) fn answer(data: &Value) {
    match data {
        Value::Array(rows) if rows.iter().all(Value::is_object) && !rows.is_empty() => list(rows),
        Value::Array(rows) if rows.is_empty() => println!("(nothing)"),
        Value::Object(fields) => record(fields),
        Value::Null => println!("done"),
        other => println!("{}", cell(other)),
    }
}

fn list(rows: &[Value]) {
    let mut columns: Vec<&str> = Vec::new();
    for row in rows.iter().filter_map(Value::as_object) {
        for (name, value) in row {
            // Nested records make a table unreadable; `--json` includes them.
            if !value.is_object() && !value.is_array() && !columns.contains(&name.as_str()) {
                columns.push(name);
            }
        }
    }
    columns.sort_by_key(|name| (*name != "id", *name == "created_at" || *name == "updated_at"));
    let mut table = table(&columns);
    for row in rows {
        table.add_row(columns.iter().map(|name| row.get(*name).map_or_else(String::new, cell)));
    }
    println!("{table}");
}

fn record(fields: &Map<String, Value>) {
    let mut table = table(&["field", "value"]);
    for (name, value) in fields {
        table.add_row([name.clone(), cell(value)]);
    }
    println!("{table}");
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(number) => number.to_string(),
        nested => serde_json::to_string_pretty(nested).unwrap_or_default(),
    }
}
