//! The rules of an institution in words.

use serde_json::Value;

use crate::console::part::Part as _;
use crate::console::texts::{self, key, say};
use crate::console::words;

/// The most members of a list that are named.
const NAMED: usize = 3;

/// The rules in the order of the page, with the keys of what people call them.
pub(super) const RULES: [(&str, &str); 12] = [
    ("deadline", key!("rule-deadline")),
    ("threshold", key!("rule-threshold")),
    ("approval", key!("rule-approval")),
    ("hold_payouts", key!("rule-hold-payouts")),
    ("prohibited_categories", key!("rule-prohibited")),
    ("restricted_categories", key!("rule-restricted")),
    ("sponsor_conflicts", key!("rule-sponsors")),
    ("marks", key!("rule-marks")),
    ("blackouts", key!("rule-blackouts")),
    ("f1", key!("rule-f1")),
    ("agent_notice", key!("agent-notices")),
    ("automatic_flags", key!("rule-flags")),
];

/// What people call a rule.
pub(super) fn title(rule: &str) -> Option<String> {
    RULES.iter().find(|(name, _)| *name == rule).map(|(_, title)| texts::plain(title))
}

/// The content of a rule in words.
pub(super) fn said(rule: &str, value: &Value) -> String {
    match rule {
        "deadline" => {
            let count = value.number("value");
            match value.text("unit") {
                "business_days" => say!("business-days", count = count),
                "days" => say!("days", count = count),
                "hours" => say!("hours", count = count),
                unit => format!("{count} {}", unit.replace('_', " ")),
            }
        }
        "threshold" => {
            let scope = match value.text("scope") {
                "deal" => say!("scope-deal"),
                "athlete" => say!("scope-athlete"),
                _ => say!("scope-payor-group"),
            };
            format!("{} {scope}", words::money(value.number("amount_cents")))
        }
        "approval" => match value.text("requirement") {
            "all" => say!("approval-all"),
            "above_threshold" => say!("approval-above"),
            "associated_only" => say!("approval-associated"),
            _ => say!("approval-none"),
        },
        "hold_payouts" => match value.part("until_cleared").as_bool() {
            Some(true) => say!("hold-wait"),
            _ => say!("hold-none"),
        },
        "prohibited_categories" | "restricted_categories" => {
            listed(words_of(value.part("categories")))
        }
        "sponsor_conflicts" => listed(names_of(value.part("sponsors"), "sponsor")),
        "blackouts" => listed(names_of(value.part("windows"), "name")),
        "marks" | "f1" => words::word(value.text("policy")),
        "agent_notice" => say!(
            "rule-agent-notice",
            hours = value.number("hours"),
            days = value.number("cancel_days"),
        ),
        "automatic_flags" => listed(words_of(value.part("flags"))),
        _ => value.to_string(),
    }
}

fn words_of(list: &Value) -> Vec<String> {
    let all = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    all.map(words::word).collect()
}

/// The names of a list's members, with the days of those that have them.
fn names_of(list: &Value, name: &str) -> Vec<String> {
    let all = list.as_array().into_iter().flatten();
    all.map(|one| match (one.text("from"), one.text("until")) {
        ("", "") => one.text(name).to_owned(),
        (from, until) => {
            say!("name-from-to", name = one.text(name), from = from, until = until)
        }
    })
    .collect()
}

fn listed(all: Vec<String>) -> String {
    match all.len() {
        0 => say!("none"),
        few if few <= NAMED => all.join(", "),
        many => {
            let named: Vec<String> = all.into_iter().take(NAMED).collect();
            format!("{many}: {}…", named.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rules_read_as_people_say_them() {
        let threshold = json!({ "amount_cents": 60_000, "scope": "payor_group" });
        assert_eq!(said("threshold", &threshold), "$600.00 per payor group");
        let deadline = json!({ "unit": "business_days", "value": 5 });
        assert_eq!(said("deadline", &deadline), "5 business days");
        let flags = json!({ "flags": ["late", "minor", "over_threshold", "conflict_sponsor"] });
        assert_eq!(said("automatic_flags", &flags), "4: Late, Minor, Over threshold…");
        assert_eq!(said("blackouts", &json!({ "windows": [] })), "None");
    }
}
