//! Disputes of the processor in `ledgered`: what banks do there, and how they are answered.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Books, Call, Ledgered, Said, error};

impl Ledgered {
    /// A bank disputes a charge, of all of its amount; returns the dispute's id. `status` is a
    /// dispute's, or `warning` for an early warning.
    pub fn dispute(&self, intent: &str, status: &str) -> String {
        let now = self.clock.now().timestamp();
        let mut books = self.books.lock().expect("the books");
        let paid = books.objects.get(intent).expect("the charge");
        let (amount, currency) = (paid["amount"].clone(), paid["currency"].clone());
        let nothing = |_: &str| String::new();
        let is_warning = status == "warning";
        let path = if is_warning { "radar/early_fraud_warnings" } else { "disputes" };
        let call = Call { path, account: "", field: &nothing, now };
        let prefix = if is_warning { "issfr" } else { "du" };
        let taken = json!([{ "fee": 1_500, "amount": -amount.as_i64().unwrap_or_default() }]);
        let moved = if status == "needs_response" { taken } else { json!([]) };
        let dispute = json!({ "payment_intent": intent, "status": status, "reason": "fraudulent",
            "fraud_type": "misc", "actionable": true, "balance_transactions": moved,
            "charge": { "amount": amount, "currency": currency },
            "evidence_details": { "due_by": now + 14 * 86_400 } });
        let (_, made) = books.put(prefix, &call, dispute);
        let id = made["id"].as_str().expect("an id").to_owned();
        let _ = books.turn(&id, json!({ "amount": amount, "currency": currency, "list": path }));
        id
    }
}

impl Books {
    /// Takes evidence, or the end of a dispute.
    pub(super) fn conclude(&mut self, id: &str, call: &Call<'_>, to: &str) -> Said {
        let (now, known) = (call.now, self.objects.get(id));
        let Some(known) = known else {
            return error(StatusCode::NOT_FOUND, "resource_missing", "");
        };
        let due = known["evidence_details"]["due_by"].as_i64();
        let file = (call.field)("evidence[uncategorized_file]");
        if known["status"] != "needs_response" || (to == "under_review" && due < Some(now)) {
            return error(StatusCode::BAD_REQUEST, "", "invalid_request_error");
        }
        if to == "under_review" && !self.objects.contains_key(&file) {
            return error(StatusCode::BAD_REQUEST, "resource_missing", "");
        }
        let words = (call.field)("evidence[uncategorized_text]");
        self.turn(id, json!({ "status": to, "words": words }))
    }

    /// How much of a charge banks have taken.
    pub(super) fn taken(&self, charge: &str) -> i64 {
        let taken = |object: &&Value| {
            object["list"] == "disputes"
                && object["payment_intent"] == charge
                && object["status"].as_str().is_some_and(|status| {
                    ["needs_response", "under_review", "lost"].contains(&status)
                })
        };
        self.objects.values().filter(taken).filter_map(|object| object["amount"].as_i64()).sum()
    }
}
