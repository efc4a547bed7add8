//! The columns of lists.

use std::collections::BTreeSet;

use nil_core::catalog::{Entry, Interface, catalog};
use serde_json::Value;

use crate::fields::{properties, row};

fn lists() -> impl Iterator<Item = (&'static Entry, Value)> {
    let with_pages =
        [Interface::Compliance, Interface::Admin].into_iter().flat_map(|it| catalog().of(it));
    with_pages.map(|entry| (entry, row(entry))).filter(|(_, row)| properties(row).count() > 1)
}

#[test]
fn every_list_says_its_columns() {
    let mut declared = 0;
    for (entry, _) in lists() {
        assert!(!entry.columns.is_empty(), "{} declares no columns", entry.name);
        declared += 1;
    }
    assert!(declared > 60, "{declared}");
    let others = catalog().iter().filter(|entry| !entry.columns.is_empty()).count();
    assert_eq!(others, declared, "a row declares columns and gives no list");
}

#[test]
fn columns_are_fields_of_the_rows_and_each_is_there_once() {
    for (entry, row) in lists() {
        let once: BTreeSet<_> = entry.columns.iter().collect();
        assert_eq!(once.len(), entry.columns.len(), "{}", entry.name);
        for column in entry.columns {
            let field = &row["properties"][column];
            assert!(field.is_object(), "{} has no {column}", entry.name);
            assert_ne!(field["type"], "object", "{}: {column} is no column", entry.name);
        }
        let single = properties(&row).filter(|(_, field)| field["type"] != "object").count();
        let enough = entry.columns.len() >= single.min(5) || entry.columns.len() + 3 >= single;
        assert!(enough, "{} names too few of its {single} fields", entry.name);
    }
}
