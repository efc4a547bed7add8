//! Tax forms, for the suites.

use serde_json::{Value, json};

/// A W-9 of a person.
#[must_use]
pub fn w9(tin: &str) -> Value {
    json!({
        "classification": "individual", "first_name": "Jordan", "last_name": "Lake",
        "street": "12 College Avenue", "city": "Springfield", "state": "il",
        "postal_code": "62701-1234", "tin_kind": "ssn", "tin": tin,
        "statement_version": "2026-11", "certified": true, "signature": "Jordan Lake",
    })
}

/// A brand's details as a payer.
#[must_use]
pub fn payer(tin: &str) -> Value {
    json!({
        "classification": "llc_partnership", "business_name": "Cedar Coffee LLC",
        "street": "1 Market Square", "street2": "Suite 5", "city": "Chicago", "state": "IL",
        "postal_code": "60601", "phone": "+13125550123", "tin_kind": "ein", "tin": tin,
        "statement_version": "2026-11", "certified": true, "signature": "Ada Cedar",
    })
}
