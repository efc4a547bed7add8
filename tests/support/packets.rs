//! What athletes and officers say in packets for the clearinghouse.

use serde_json::{Value, json};

/// Everything an athlete attests.
pub const ATTESTED: [&str; 4] =
    ["not_for_performance", "not_an_inducement", "business_purpose", "complete_and_true"];

/// Every question about the payer and the institution, answered with no.
#[must_use]
pub fn all_no() -> Value {
    let questions = [
        "supports_institution",
        "insider",
        "large_donor",
        "asked_by_staff",
        "controlled_by_associate",
        "sponsor",
    ];
    json!(questions.map(|question| json!({ "question": question, "answer": false })))
}
