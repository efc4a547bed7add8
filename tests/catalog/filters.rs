//! A filter that does not exist is refused wherever it would show everything in place of a part.

use std::collections::BTreeSet;

use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, Takes, catalog};
use nil_core::operation::Gives;

/// The fields of a row's input that are not in its path.
fn filters(entry: &Entry) -> BTreeSet<String> {
    let mut generator = Generator::default();
    let schema = (entry.input)(&mut generator).to_value();
    let fields = schema["properties"].as_object().into_iter().flatten();
    let in_path: Vec<_> = entry.path_fields().into_iter().map(|(_, field)| field).collect();
    fields.map(|(name, _)| name.clone()).filter(|name| !in_path.contains(name)).collect()
}

/// What adds up or ranks what a filter leaves.
const FIGURES: [&str; 3] =
    ["compliance.transaction.", "compliance.analytics.", "compliance.statistics."];

#[test]
fn figures_and_exports_refuse_fields_that_they_do_not_have() {
    let mut lenient = Vec::new();
    for entry in catalog().iter() {
        let table = matches!(entry.gives, Gives::File(kind) if kind.starts_with("text/csv")
            || kind.contains("spreadsheet") || kind == "application/zip");
        let figures = FIGURES.iter().any(|beginning| entry.name.starts_with(beginning));
        let narrows = !filters(entry).is_empty();
        if (table || figures) && narrows && !matches!(entry.takes, Takes::StrictFields) {
            lenient.push(entry.name);
        }
    }
    assert!(lenient.is_empty(), "{lenient:#?}");
}

/// A list and what is made of it take the same filters.
#[test]
fn lists_and_their_exports_take_the_same_filters() {
    let own = ["sort", "page", "per_page", "after", "contracts", "limit", "interval", "format"];
    let taken = |name: &str| {
        let entry = catalog().named(name).expect("an operation");
        let mut filters = filters(entry);
        filters.retain(|field| !own.contains(&field.as_str()));
        filters
    };
    for (list, others) in [
        (
            "compliance.transaction.list",
            &[
                "compliance.transaction.summary",
                "compliance.transaction.export",
                "compliance.transaction.top_athletes",
                "compliance.transaction.top_teams",
                "compliance.analytics.by_sport",
                "compliance.analytics.by_payment_type",
                "compliance.analytics.by_category",
                "compliance.analytics.applications_over_time",
            ][..],
        ),
        ("compliance.athlete.list", &["compliance.athlete.export"]),
        ("core.deliverable.report", &["core.deliverable.export_report"]),
    ] {
        let expected = taken(list);
        assert!(expected.len() > 2, "{list}: {expected:?}");
        for other in others {
            assert_eq!(taken(other), expected, "{other} beside {list}");
        }
    }
}
