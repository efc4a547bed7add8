//! Dependencies between the folders of `nil-core`: each folder uses only folders below it.

use std::collections::BTreeSet;

use crate::tidy::complain;
use crate::uses::{Tree, is_root};

/// The folders from the bottom up, as `docs/architecture.md` lists them: each uses only those
/// before it.
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
    "calendar",
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
    "inbox",
    "assistant",
    "rosters",
    "squad_lists",
    "announcements",
    "dashboard",
    "reports",
    "files",
    "departures",
    "takeout",
    "keeping",
    "checkup",
    "webhooks",
    "live",
    "worker",
    "cron",
    "catalog",
    "opening",
    "seed",
    "http",
    "api",
    "shown",
];

/// How high a folder stands; none if the list does not name it.
fn height(folder: &str) -> Option<usize> {
    LAYERS.iter().position(|name| *name == folder)
}

#[test]
fn names_are_found() {
    let text = "use crate::a::b;\nuse crate::{c::{d, e}, f};\n// crate::g\nlet x = crate::h(1);";
    let file = ("nil-core/src/z.rs".to_owned(), text.to_owned());
    let expected = ["a", "c", "f", "h"].map(ToOwned::to_owned);
    assert_eq!(Tree::of([file].into_iter()).folders(&vec!["z".to_owned()]), expected.into());
}

/// Which folder uses which.
fn arrows() -> BTreeSet<(String, String)> {
    let tree = Tree::read();
    let folders: BTreeSet<&String> = tree.files().map(|(module, _)| &module[0]).collect();
    let users = tree.files().filter(|(module, _)| !is_root(&module[0]));
    users
        .flat_map(|(module, _)| {
            let from = &module[0];
            let to = tree.folders(module).into_iter();
            let to = to.filter(|name| folders.contains(name) && name != from);
            to.map(|to| (from.clone(), to)).collect::<Vec<_>>()
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
