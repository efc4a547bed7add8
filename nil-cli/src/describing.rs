//! Commands that describe the platform: operations, OpenAPI documents, generated pages.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use std::path::Path;

use nil_core::Config;
use nil_core::auth::MasterKey;
use nil_core::catalog::{ActsOn, Entry, Feature, catalog, endpoint_list, openapi as documents};
use nil_core::kernel::SystemRandom;
use nil_core::storage::Location;
use serde_json::{Value, json};

use crate::args::{InterfaceName, OpsAction, Options};
use crate::failure::Failure;
use crate::out::{self, complain, say};
use crate::settings::documented_url;
use crate::sheet::Sheet;

/// `nil ops [FILTER]`, `nil ops show NAME`.
pub(crate) fn ops(
    filter: Option<&str>,
    action: Option<OpsAction>,
    json: bool,
) -> Result<(), Failure> {
    if let Some(OpsAction::Show { name }) = action {
        return show_one(&name, json);
    }
    let wanted = |entry: &&Entry| {
        filter.is_none_or(|text| entry.name.contains(text) || entry.path.contains(text))
    };
    let entries: Vec<&Entry> = catalog().iter().filter(wanted).collect();
    if json {
        let rows: Vec<Value> = entries.iter().map(|entry| summary(entry)).collect();
        say!("{:#}", Value::Array(rows));
        return Ok(());
    }
    let mut sheet = Sheet::new(["operation", "method", "path", "for", "purpose"]);
    for entry in &entries {
        let path = format!("{}{}", entry.interface.base(), entry.path);
        let purpose = if entry.extension {
            format!("＋ {}", entry.purpose)
        } else {
            entry.purpose.to_owned()
        };
        sheet.row([entry.name, entry.method.as_str(), &path, &entry.doors(), &purpose]);
    }
    sheet.list();
    out::remark(format_args!("{} operations (＋ goes beyond the specification)", entries.len()));
    Ok(())
}

fn summary(entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "interface": entry.interface.as_str(),
        "method": entry.method.as_str(),
        "path": entry.path,
        "purpose": entry.purpose,
        "callers": entry.doors(),
        "throttle": entry.throttle,
        "writes": entry.writes(),
        "extension": entry.extension,
        "feature": entry.feature.map(Feature::as_str),
        "errors": entry.errors.iter().map(|code| code.name).collect::<Vec<_>>(),
    })
}

/// The kind of a record, with the states in which it can be done.
fn acted_on(on: &ActsOn) -> String {
    match &on.when {
        Some(when) => format!("{} ({})", on.record, when.states.join(", ")),
        None => on.record.to_owned(),
    }
}

fn show_one(name: &str, json: bool) -> Result<(), Failure> {
    let entry = find(name)?;
    let document = documents::document(entry.interface, "");
    let method = entry.method.as_str().to_ascii_lowercase();
    let described = document["paths"][entry.path][method.as_str()].clone();
    let whole = json!({
        "operation": summary(entry), "openapi": described,
        "schemas": document["components"]["schemas"],
    });
    if json {
        say!("{whole:#}");
        return Ok(());
    }
    say!("{}\n  {}\n", entry.name, entry.purpose);
    say!("  {} {}{}", entry.method.as_str(), entry.interface.base(), entry.path);
    say!("  for {}; throttle {}", entry.doors(), entry.throttle);
    for on in &entry.acts {
        say!("  acts on: {}", acted_on(on));
    }
    say!("{}", entry.while_off().map(|said| format!("  {said}\n")).unwrap_or_default());
    let mut generator = schemars_generator();
    let input = (entry.input)(&mut generator).to_value();
    if let Some(fields) = input.get("properties").and_then(Value::as_object) {
        let required = input.get("required").and_then(Value::as_array);
        let mut sheet = Sheet::new(["field", "required", "type", "about"]);
        let in_order = (entry.order)().names.into_iter();
        for (name, schema) in in_order.filter_map(|name| Some((name, fields.get(name)?))) {
            let needed = required.is_some_and(|all| all.iter().any(|field| field == name));
            sheet.row([
                name,
                if needed { "yes" } else { "" },
                &kind_of(schema),
                schema.get("description").and_then(Value::as_str).unwrap_or_default(),
            ]);
        }
        sheet.draw();
    }
    say!(
        "\nAnswer:\n{:#}",
        described["responses"]["200"]["content"]["application/json"]["example"]
    );
    if !entry.errors.is_empty() {
        say!("\nSpecific errors:");
        for code in entry.errors {
            say!("  {} {}: {}", code.kind.status(), code.name, code.sentence);
        }
    }
    Ok(())
}

fn schemars_generator() -> nil_core::catalog::openapi::Generator {
    nil_core::catalog::openapi::Generator::default()
}

/// The words a field accepts, if it accepts only certain ones.
pub(crate) fn words_of(schema: &Value) -> Option<Vec<&str>> {
    let words = schema.get("enum").and_then(Value::as_array)?;
    Some(words.iter().filter_map(Value::as_str).collect())
}

fn kind_of(schema: &Value) -> String {
    if let Some(words) = words_of(schema) {
        return words.join(" | ");
    }
    match schema.get("type") {
        Some(Value::String(kind)) => kind.clone(),
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .filter(|kind| *kind != "null")
            .collect::<Vec<_>>()
            .join(" | "),
        _ => "object".into(),
    }
}

/// The operation with this name; the error suggests similar names.
pub(crate) fn find(name: &str) -> Result<&'static Entry, Failure> {
    catalog().named(name).ok_or_else(|| {
        let word = name.rsplit('.').next().unwrap_or(name);
        let near: Vec<&str> = catalog()
            .iter()
            .map(|entry| entry.name)
            .filter(|known| known.contains(word))
            .take(5)
            .collect();
        let hint = if near.is_empty() { "see `nil ops`".into() } else { near.join(", ") };
        Failure::Usage(format!("there is no operation `{name}` ({hint})"))
    })
}

/// `nil openapi INTERFACE`.
pub(crate) fn openapi(
    interface: InterfaceName,
    version: documents::Version,
    options: &Options,
) -> Result<(), Failure> {
    let location = Location::Sqlite("unused".into());
    let usual = Config::new(location, MasterKey::generate(&SystemRandom)).public_url;
    let url = documented_url(options)?.unwrap_or(usual);
    say!("{:#}", version.of(documents::document(interface.into(), &url)));
    Ok(())
}

/// `nil docs`: writes the pages generated from the catalog, the events, the machines and the list
/// of columns.
pub(crate) fn docs(folder: &Path, check: bool) -> Result<(), Failure> {
    let pages = [
        ("endpoints.md", endpoint_list(catalog())),
        ("events.md", nil_core::catalog::event_list()),
        ("states.md", nil_core::catalog::state_diagrams()),
        ("retention.md", nil_core::departures::retention::page()),
    ];
    let mut stale = false;
    for (name, text) in pages {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        stale = true;
        if check {
            complain!("stale: {}", path.display());
        } else {
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(Failure::at(parent))?;
            }
            std::fs::write(&path, text).map_err(Failure::at(&path))?;
            say!("wrote {}", path.display());
        }
    }
    if check && stale { Err(Failure::Found) } else { Ok(()) }
}
