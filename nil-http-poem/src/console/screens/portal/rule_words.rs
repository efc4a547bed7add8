//! The rules of an institution in words.

use serde_json::Value;

use crate::console::part::Part as _;
use crate::console::words;

/// The most members of a list that are named.
const NAMED: usize = 3;

/// The rules in the order of the page, with what people call them.
pub(super) const RULES: [(&str, &str); 12] = [
    ("deadline", "Deadline to disclose"),
    ("threshold", "Threshold of review"),
    ("approval", "Approval"),
    ("hold_payouts", "Payouts"),
    ("prohibited_categories", "Prohibited categories"),
    ("restricted_categories", "Restricted categories"),
    ("sponsor_conflicts", "Sponsors whose rivals are excluded"),
    ("marks", "Marks and facilities"),
    ("blackouts", "Blackout days"),
    ("f1", "F-1 students"),
    ("agent_notice", "Agent notices"),
    ("automatic_flags", "Marks set automatically"),
];

/// What people call a rule.
pub(super) fn title(rule: &str) -> Option<&'static str> {
    RULES.iter().find(|(name, _)| *name == rule).map(|(_, title)| *title)
}

/// The content of a rule in words.
pub(super) fn said(rule: &str, value: &Value) -> String {
    match rule {
        "deadline" => {
            format!("{} {}", value.number("value"), spaced(value.text("unit")))
        }
        "threshold" => {
            let scope = match value.text("scope") {
                "deal" => "for each deal",
                "athlete" => "for all deals of an athlete",
                _ => "per payor group",
            };
            format!("{} {scope}", words::money(value.number("amount_cents")))
        }
        "approval" => match value.text("requirement") {
            "all" => "All disclosed deals".into(),
            "above_threshold" => "Deals above the threshold".into(),
            "associated_only" => "Deals of associated payers".into(),
            _ => "Not needed".into(),
        },
        "hold_payouts" => match value.part("until_cleared").as_bool() {
            Some(true) => "Wait for the clearinghouse".into(),
            _ => "Do not wait".into(),
        },
        "prohibited_categories" | "restricted_categories" => {
            listed(words_of(value.part("categories")))
        }
        "sponsor_conflicts" => listed(names_of(value.part("sponsors"), "sponsor")),
        "blackouts" => listed(names_of(value.part("windows"), "name")),
        "marks" | "f1" => words::word(value.text("policy")),
        "agent_notice" => format!(
            "{} hours; {} days to cancel",
            value.number("hours"),
            value.number("cancel_days")
        ),
        "automatic_flags" => listed(words_of(value.part("flags"))),
        _ => value.to_string(),
    }
}

fn spaced(word: &str) -> String {
    word.replace('_', " ")
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
        (from, until) => format!("{} ({from} to {until})", one.text(name)),
    })
    .collect()
}

fn listed(all: Vec<String>) -> String {
    match all.len() {
        0 => "None".into(),
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
