//! The default rules for institutions without entries of their own: dated data, not code.

use std::sync::LazyLock;

use serde::Deserialize;

use super::rule::{Change, RuleKind};
use crate::error::{Error, Result, codes};
use crate::kernel::Date;

const RULES: &str = include_str!("../../assets/reference/institution_rules.csv");

#[derive(Deserialize)]
struct Line {
    rule: RuleKind,
    effective_on: Date,
    value: String,
}

static ALL: LazyLock<Option<Vec<Change>>> = LazyLock::new(|| parse().ok());

/// All defaults, past and present, in the order of the file: for each rule the oldest first.
pub(super) fn rules() -> Result<&'static [Change]> {
    ALL.as_deref().ok_or_else(|| codes::INTERNAL.into())
}

fn parse() -> Result<Vec<Change>> {
    let mut lines = csv::Reader::from_reader(RULES.as_bytes());
    let mut changes = Vec::new();
    for line in lines.deserialize::<Line>() {
        let line = line.map_err(Error::internal)?;
        changes.push(Change {
            kind: line.rule,
            effective_on: line.effective_on,
            value: serde_json::from_str(&line.value).map_err(Error::internal)?,
        });
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_default() {
        let rules = rules().unwrap();
        for kind in RuleKind::ALL {
            assert!(rules.iter().any(|rule| rule.kind == *kind), "{kind}");
        }
        assert!(rules.is_sorted_by(|a, b| a.kind != b.kind || a.effective_on <= b.effective_on));
    }
}
