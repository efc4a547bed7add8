//! `nil_core::api` has every operation under its name, and each name leads to the function of its
//! row.

use std::collections::{BTreeMap, BTreeSet};

use nil_core::catalog::{Entry, catalog};

use crate::tidy::{complain, sources, without_tests};

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

/// The words of a text that begin with a capital letter.
fn types(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with(char::is_uppercase)).collect()
}

/// The public structs, enumerations and aliases of a text with what they are made of.
fn declared(text: &str) -> impl Iterator<Item = (&str, &str)> {
    ["\npub struct ", "\npub enum ", "\npub type "].into_iter().flat_map(move |opening| {
        text.split(opening).skip(1).map(|rest| {
            let end = |letter: char| !letter.is_alphanumeric();
            let name = rest.split(end).next().unwrap_or_default();
            (name, rest.split("\n}").next().unwrap_or(rest))
        })
    })
}

/// The parameters and the answers of the operations of a text: functions that take a context.
fn signatures(text: &str) -> impl Iterator<Item = &str> {
    text.split("\npub async fn ").skip(1).filter_map(|rest| {
        let signature = rest.split(" {\n").next()?;
        let (_, after) = signature.split_once('(')?;
        after.trim_start().starts_with("cx: Cx<").then_some(after)
    })
}

/// The types in the fields of a record that the documentation shows.
fn fields(body: &str) -> BTreeSet<&str> {
    let lines = body.lines().map(str::trim);
    let pairs = lines.clone().zip(lines.skip(1)).filter(|(above, _)| *above != "#[doc(hidden)]");
    let public = pairs.filter_map(|(_, line)| line.strip_prefix("pub ")?.split_once(':'));
    public.flat_map(|(_, kind)| types(kind)).collect()
}

/// Whoever calls an operation finds its input and its answer in the documentation, and the types
/// of their fields.
#[test]
fn what_operations_take_and_give_is_shown() {
    let all = sources(".rs");
    let within = |folder| all.iter().filter(move |(path, _)| path.starts_with(folder));
    let facade: String = within("nil-core/src/shown/").map(|(_, text)| text.as_str()).collect();
    let lib: String = within("nil-core/src/lib.rs").map(|(_, text)| text.as_str()).collect();
    // These two folders are shown as they are.
    let whole = within("nil-core/src/error/").chain(within("nil-core/src/ports/"));
    let whole = whole.flat_map(|(_, text)| declared(text)).map(|(name, _)| name);
    let shown: BTreeSet<&str> =
        types(&facade).into_iter().chain(types(&lib)).chain(whole).collect();
    let library = || within("nil-core/src/").map(|(path, text)| (path, without_tests(text)));
    let ours: Vec<(&str, &str, &str)> = library()
        .flat_map(|(path, text)| declared(text).map(|(name, body)| (path.as_str(), name, body)))
        .collect();
    let names: BTreeSet<&str> = ours.iter().map(|(_, name, _)| *name).collect();
    let is_hidden = |name: &str| names.contains(name) && !shown.contains(name);
    let mut missing = BTreeSet::new();
    let mut read = 0;
    for (path, text) in library() {
        for signature in signatures(text) {
            read += 1;
            let hidden = types(signature).into_iter().filter(|name| is_hidden(name));
            missing.extend(hidden.map(|name| format!("{path}: `{name}`")));
        }
    }
    for folder in facade.split("pub mod ").skip(1) {
        let (folder, listed) = folder.split_once('{').unwrap_or((folder, ""));
        let (folder, listed) = (format!("nil-core/src/{}", folder.trim()), types(listed));
        let records = ours.iter().filter(|(path, name, _)| {
            let rest = path.strip_prefix(&folder).unwrap_or_default();
            rest.starts_with(['/', '.']) && listed.contains(name)
        });
        for (path, name, body) in records {
            let hidden = fields(body).into_iter().filter(|field| is_hidden(field));
            missing.extend(hidden.map(|field| format!("{path}: `{field}` in `{name}`")));
        }
    }
    assert!(read > 400, "only {read} operations were read");
    let missing = missing.into_iter();
    complain(missing.map(|one| format!("{one} is not in nil-core/src/shown")).collect());
}
