//! Dependencies between the folders of `nil-core`: no folder uses a higher layer, and folders that use each other are
//! listed.

use std::collections::BTreeSet;

use crate::tidy::{complain, sources, without_tests};

/// Pairs of domain modules that use each other. The list may only get shorter.
const CIRCLES: &[(&str, &str)] = &[
    ("accounts", "agents"),
    ("accounts", "content"),
    ("agents", "jobs"),
    ("content", "contracts"),
    ("content", "deal_folder"),
    ("content", "disclosures"),
    ("content", "filings"),
    ("content", "jobs"),
    ("content", "messaging"),
    ("contracts", "disclosures"),
    ("contracts", "jobs"),
    ("contracts", "marketplace"),
    ("contracts", "payments"),
    ("institutions", "jobs"),
    ("jobs", "marketplace"),
    ("marketplace", "payments"),
];

/// The folders below the domain modules, lowest first, as in `docs/architecture.md`: each uses only those before it.
const FOUNDATIONS: &[&str] = &[
    "error",
    "kernel",
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
];

/// The folders above the domain modules, lowest first.
const ABOVE: &[&str] = &["live", "worker", "cron", "catalog", "opening", "http"];

/// The layer of a folder, as a number. All domain modules are in one layer, between the two lists.
fn height(folder: &str) -> usize {
    let place = |list: &[&str]| list.iter().position(|name| *name == folder);
    let above = place(ABOVE).map(|place| FOUNDATIONS.len() + 1 + place);
    place(FOUNDATIONS).or(above).unwrap_or(FOUNDATIONS.len())
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

/// All pairs of a folder and another folder that it uses.
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
    complain(upward.map(|(from, to)| format!("{from} uses {to}, which is above it")).collect());
}

#[test]
fn folders_that_use_each_other_are_listed() {
    let arrows = arrows();
    let circles: BTreeSet<(&str, &str)> = arrows
        .iter()
        .filter(|(from, to)| from < to && arrows.contains(&(to.clone(), from.clone())))
        .map(|(from, to)| (from.as_str(), to.as_str()))
        .collect();
    let listed: BTreeSet<(&str, &str)> = CIRCLES.iter().copied().collect();
    let new = circles.difference(&listed).map(|(a, b)| format!("{a} and {b} use each other"));
    let gone = listed
        .difference(&circles)
        .map(|(a, b)| format!("{a} and {b} no longer use each other: remove them from the list"));
    complain(new.chain(gone).collect());
}
