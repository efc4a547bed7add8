//! Dependencies between the folders of `nil-core`: each folder uses only folders below it.

use std::collections::BTreeSet;

use crate::tidy::{complain, sources, without_tests};

/// The folders from the bottom up, as `docs/architecture.md` lists them: each uses only those before it.
const LAYERS: &[&str] = &[
    "error",
    "kernel",
    "wording",
    "metering",
    "storage",
    "schedule",
    "document",
    "keys",
    "throttle",
    "ports",
    "feed",
    "config",
    "platform",
    "auth",
    "operation",
    "export",
    "notifications",
    "people",
    "content",
    "backoffice",
    "editorial",
    "content_library",
    "accounts",
    "messaging",
    "institutions",
    "jobs",
    "compensation",
    "contracts",
    "disclosures",
    "orders",
    "deals",
    "payments",
    "marketplace",
    "affiliate",
    "agents",
    "dossiers",
    "deal_folder",
    "filings",
    "figures",
    "assistant",
    "rosters",
    "announcements",
    "dashboard",
    "reports",
    "files",
    "departures",
    "takeout",
    "live",
    "worker",
    "cron",
    "catalog",
    "opening",
    "seed",
    "http",
];

/// How high a folder stands; none if the list does not name it.
fn height(folder: &str) -> Option<usize> {
    LAYERS.iter().position(|name| *name == folder)
}

/// The folder or file below `src` that contains a path.
fn folder(path: &str) -> &str {
    let inside = path.trim_start_matches("nil-core/src/");
    inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs")
}

/// The modules of the crate that a text refers to: `crate::a::…` and `crate::{a::…, b}`.
fn named(text: &str) -> BTreeSet<String> {
    let code: Vec<&str> =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let mut depth = 1;
        let mut begins = true;
        for (at, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => begins = true,
                letter if begins && letter.is_alphabetic() => {
                    found.insert(word(&group[at..]));
                    begins = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

fn word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

#[test]
fn names_are_found() {
    let text = "use crate::a::b;\nuse crate::{c::{d, e}, f};\n// crate::g\nlet x = crate::h(1);";
    let expected = ["a", "c", "f", "h"].map(ToOwned::to_owned);
    assert_eq!(named(text), BTreeSet::from(expected));
}

/// Which folder uses which.
fn arrows() -> BTreeSet<(String, String)> {
    let sources: Vec<_> = sources(".rs")
        .into_iter()
        .filter(|(path, _)| path.starts_with("nil-core/src/") && !path.ends_with("src/lib.rs"))
        .collect();
    let folders: BTreeSet<&str> = sources.iter().map(|(path, _)| folder(path)).collect();
    sources
        .iter()
        .flat_map(|(path, text)| {
            let from = folder(path);
            let to = named(without_tests(text));
            let to = folders.iter().filter(move |name| to.contains(**name) && **name != from);
            to.map(move |to| (from.to_owned(), (*to).to_owned())).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn no_folder_uses_what_stands_above_it() {
    let arrows = arrows();
    let upward = arrows.iter().filter(|(from, to)| height(from) < height(to));
    complain(upward.map(|(from, to)| format!("{from} uses {to}, which stands above it")).collect());
}

#[test]
fn every_folder_has_its_layer() {
    let arrows = arrows();
    let folders: BTreeSet<&String> = arrows.iter().flat_map(|(from, to)| [from, to]).collect();
    let missing = folders.iter().filter(|folder| height(folder).is_none());
    complain(missing.map(|folder| format!("{folder} is missing in the list of layers")).collect());
}
