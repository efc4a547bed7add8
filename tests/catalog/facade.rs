//! `nil_core::api` has every operation under its name, and each name leads to the function of its
//! row.

use std::collections::BTreeMap;

use nil_core::catalog::{Entry, catalog};

use crate::tidy::{complain, sources};

/// The last part of the path of a function, without type parameters.
fn last(path: &str) -> &str {
    let path = path.split("::<").next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path).trim().trim_start_matches("r#")
}

/// Operation and function, as `api/{interface}.rs` re-exports them.
fn shown() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (path, text) in sources(".rs") {
        let Some(file) = path.strip_prefix("nil-core/src/api/") else { continue };
        let interface = file.trim_end_matches(".rs");
        found.extend(uses(interface, &text));
    }
    found
}

/// The re-exports of one file.
fn uses(interface: &str, text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for module in text.split("pub mod ").skip(1) {
        let (name, body) = module.split_once('{').unwrap_or((module, ""));
        for item in body.split("pub use ").skip(1) {
            let item = item.split(';').next().unwrap_or(item);
            let (_, items) = item.split_once('{').unwrap_or(("", item));
            for one in items.trim_end_matches('}').split(',').filter(|one| !one.trim().is_empty()) {
                let (function, shown) = one.split_once(" as ").unwrap_or((one, one));
                let shown = last(shown);
                found.push((
                    format!("{interface}.{}.{shown}", name.trim()),
                    last(function).to_owned(),
                ));
            }
        }
    }
    found
}

/// Operation and function, as the rows of the catalog name them.
fn rows() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (path, text) in sources(".rs") {
        if !path.starts_with("nil-core/src/catalog/") {
            continue;
        }
        for entry in catalog().iter() {
            found.extend(function(&text, entry).map(|function| (entry.name.to_owned(), function)));
        }
    }
    found
}

/// The function in the row of an operation: `"core.job.save", "POST /add-job", posting::save)`.
fn function(text: &str, entry: &Entry) -> Option<String> {
    let named = format!("\"{}\",", entry.name);
    text.split(&*named).skip(1).find_map(|rest| {
        let route = rest.trim_start().strip_prefix('"')?.strip_prefix(entry.method.as_str())?;
        let (_, after) = route.split_once("\",")?;
        let function = after.split([')', ',']).next()?;
        Some(last(function).to_owned())
    })
}

#[test]
fn every_operation_is_found_under_its_name() {
    let (rows, shown) = (rows(), shown());
    assert_eq!(rows.len(), catalog().iter().count(), "rows whose function was not read");
    let missing = rows.iter().filter(|(name, function)| shown.get(*name) != Some(*function));
    let missing =
        missing.map(|(name, function)| format!("nil-core/src/api: `{name}` is not `{function}`"));
    let more = shown.keys().filter(|name| !rows.contains_key(*name));
    let more = more.map(|name| format!("nil-core/src/api: there is no operation `{name}`"));
    complain(missing.chain(more).collect());
}
