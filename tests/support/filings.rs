//! Filings about athletes' agents, and disclosures of deals, for the suites.

use serde_json::{Value, json};

/// A complete filing about this athlete, signed at noon (UTC) on 19 November 2026, with `over`
/// merged over it.
#[must_use]
pub fn a_filing(athlete: i64, over: Value) -> Value {
    let filing = json!({
        "athlete_id": athlete,
        "kind": "both",
        "agent": {
            "name": "Dana Summit", "business": "Summit Agency", "form": "llc",
            "addresses": ["1 Lake Street, Chicago, IL 60601"], "phones": ["(312) 555-0123"],
            "emails": ["dana@summit.example"], "sites": ["https://summit.example/athletes"],
        },
        "registration": {
            "state": "IL", "number": "AA-1234", "from": "2026-01-01", "until": "2027-12-31",
        },
        "other_states": ["in", "WI"],
        "contract": {
            "signed_at": "2026-11-19T12:00:00Z", "from": "2026-11-19", "until": "2027-11-18",
            "services": "Finds and negotiates sponsorships.", "consideration": "Ten percent.",
            "consideration_method": "Of what the athlete receives, monthly.",
            "persons_paid": ["Coach Lane"],
        },
        "warning_notice_present": true,
        "acknowledgement_signed_at": "2026-11-19T12:05:00Z",
        "notices": { "agent_at": "2026-11-19T18:00:00Z", "athlete_at": "2026-11-20T11:00:00Z" },
    });
    laid_over(filing, &over)
}

/// A complete disclosure of a deal that was made off the platform, with `over` merged over it.
#[must_use]
pub fn a_disclosure(over: Value) -> Value {
    let deal = json!({
        "payer_name": "Harbor Books", "payer_kind": "business", "title": "Reading day",
        "category_id": 9, "amount_cents": 40_000, "compensation": "cash", "signed_on": "2026-11-20",
        "starts_on": "2026-11-21", "ends_on": "2026-12-20", "description": "Two readings in the shop.",
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose", "complete_and_true"],
    });
    laid_over(deal, &over)
}

/// Merges another value's fields over a value, recursively.
#[must_use]
pub fn laid_over(value: Value, over: &Value) -> Value {
    match (value, over) {
        (Value::Object(mut fields), Value::Object(over)) => {
            for (name, over) in over {
                let below = fields.remove(name).unwrap_or(Value::Null);
                fields.insert(name.clone(), laid_over(below, over));
            }
            Value::Object(fields)
        }
        (_, over) => over.clone(),
    }
}
