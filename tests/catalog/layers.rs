//! Dependencies between the folders of `nil-core`: two folders that use each other are a cycle.

use std::collections::BTreeSet;

use crate::tidy::{complain, sources, without_tests};

/// Folders that use each other. The list may only get shorter; `docs/architecture.md` shows the target
/// layers.
const CIRCLES: &[(&str, &str)] = &[
    ("accounts", "agents"),
    ("accounts", "auth"),
    ("accounts", "content"),
    ("accounts", "jobs"),
    ("agents", "jobs"),
    ("auth", "operation"),
    ("auth", "platform"),
    ("catalog", "operation"),
    ("config", "ports"),
    ("content", "contracts"),
    ("content", "deal_folder"),
    ("content", "disclosures"),
    ("content", "filings"),
    ("content", "jobs"),
    ("content", "messaging"),
    ("content", "operation"),
    ("contracts", "disclosures"),
    ("contracts", "jobs"),
    ("contracts", "marketplace"),
    ("contracts", "payments"),
    ("institutions", "jobs"),
    ("jobs", "marketplace"),
    ("marketplace", "payments"),
    ("messaging", "notifications"),
    ("notifications", "operation"),
    ("notifications", "platform"),
    ("operation", "platform"),
];

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

#[test]
fn folders_that_use_each_other_are_listed() {
    let sources: Vec<_> = sources(".rs")
        .into_iter()
        .filter(|(path, _)| path.starts_with("nil-core/src/") && !path.ends_with("src/lib.rs"))
        .collect();
    let folders: BTreeSet<&str> = sources.iter().map(|(path, _)| folder(path)).collect();
    let arrows: BTreeSet<(&str, &str)> = sources
        .iter()
        .flat_map(|(path, text)| {
            let from = folder(path);
            let to = named(without_tests(text));
            let to = folders.iter().filter(move |name| to.contains(**name) && **name != from);
            to.map(move |to| (from, *to)).collect::<Vec<_>>()
        })
        .collect();
    let circles: BTreeSet<(&str, &str)> = arrows
        .iter()
        .filter(|(from, to)| from < to && arrows.contains(&(*to, *from)))
        .copied()
        .collect();
    let listed: BTreeSet<(&str, &str)> = CIRCLES.iter().copied().collect();
    let new = circles.difference(&listed).map(|(a, b)| format!("{a} and {b} use each other"));
    let gone = listed
        .difference(&circles)
        .map(|(a, b)| format!("{a} and {b} are no circle any more: take them off the list"));
    complain(new.chain(gone).collect());
}
