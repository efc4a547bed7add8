//! Disputes of the processor in `ledgered`: what banks do there, and how they are answered.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::moving::id_of;
use super::{Books, Call, Ledgered, Said, error};

/// What the processor keeps of a chargeback.
const FEE: i64 = 1_500;
const WARNINGS: &str = "radar/early_fraud_warnings";
const INQUIRY: &str = "warning_needs_response";

impl Ledgered {
    /// A bank disputes a charge, of all that is left of it; returns the dispute's id. `status` is a
    /// dispute's, or `warning` for an early warning.
    pub fn dispute(&self, intent: &str, status: &str) -> String {
        self.dispute_part(intent, status, i64::MAX).expect("something is left of the charge")
    }

    /// A bank disputes so much of a charge, or what is left of it; none if nothing is.
    pub fn dispute_part(&self, intent: &str, status: &str, most: i64) -> Option<String> {
        let now = self.clock.now().timestamp();
        let mut books = self.books.lock().expect("the books");
        books.grow_older(now);
        let paid = books.amount(intent);
        let is_warning = status == "warning";
        let gone = if is_warning { 0 } else { books.refunded(intent) + books.disputed(intent) };
        let amount = most.min(paid - gone);
        if amount <= 0 {
            return None;
        }
        let currency = books.objects.get(intent).expect("the charge")["currency"].clone();
        let nothing = |_: &str| String::new();
        let path = if is_warning { WARNINGS } else { "disputes" };
        let call = Call { path, account: "", field: &nothing, now };
        let charge = json!({ "id": format!("ch_of_{intent}"), "amount": paid,
            "currency": currency });
        let dispute = json!({ "payment_intent": intent, "status": status, "reason": "fraudulent",
            "fraud_type": "misc", "actionable": true, "balance_transactions": [],
            "charge": charge, "evidence_details": { "due_by": now + 14 * 86_400 } });
        let (_, made) = books.put(if is_warning { "issfr" } else { "du" }, &call, dispute);
        let id = id_of(&made);
        books.turn(&id, json!({ "amount": amount, "currency": currency, "list": path }));
        if is_warning {
            books.tell("radar.early_fraud_warning.created", &id, now);
        } else {
            books.tell("charge.dispute.created", &id, now);
        }
        if status == "needs_response" {
            books.take(&id, now);
        }
        Some(id)
    }

    /// A bank goes on with a dispute, or decides it; the processor may give its fee back. Returns
    /// whether that can follow from where it is.
    pub fn turn_dispute(&self, id: &str, to: &str, fee_back: bool) -> bool {
        let now = self.clock.now().timestamp();
        let mut books = self.books.lock().expect("the books");
        let Some(status) = books.objects.get(id).and_then(|known| known["status"].as_str()) else {
            return false;
        };
        match (status, to) {
            ("warning", "warning_closed") => {
                books.end_warning(id, now);
                return true;
            }
            (INQUIRY, "needs_response") => {
                books.turn(id, json!({ "status": to }));
                books.take(id, now);
            }
            (INQUIRY, "warning_closed") | ("needs_response" | "under_review", "lost") => {
                books.turn(id, json!({ "status": to }));
            }
            ("needs_response" | "under_review", "won" | "prevented") | ("lost", "won") => {
                books.turn(id, json!({ "status": to }));
                books.give_back(id, fee_back, now);
            }
            _ => return false,
        }
        let kind = if to == "needs_response" { "updated" } else { "closed" };
        books.tell(&format!("charge.dispute.{kind}"), id, now);
        true
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
        let said = self.turn(id, json!({ "status": to, "words": words }));
        let kind = if to == "lost" { "closed" } else { "updated" };
        self.tell(&format!("charge.dispute.{kind}"), id, now);
        said
    }

    /// The bank takes the money of a dispute.
    fn take(&mut self, id: &str, now: i64) {
        self.moved(id, (-self.amount(id), FEE), now);
        self.tell("charge.dispute.funds_withdrawn", id, now);
    }

    /// The bank gives it back.
    fn give_back(&mut self, id: &str, fee_back: bool, now: i64) {
        let fee = if fee_back { -FEE } else { 0 };
        self.moved(id, (self.amount(id), fee), now);
        self.tell("charge.dispute.funds_reinstated", id, now);
    }

    fn moved(&mut self, id: &str, (amount, fee): (i64, i64), now: i64) {
        let dispute = self.objects.get(id).cloned().unwrap_or_default();
        let mut lines = dispute["balance_transactions"].as_array().cloned().unwrap_or_default();
        lines.push(json!({ "amount": amount, "fee": fee }));
        let dispute = self.turn(id, json!({ "balance_transactions": lines })).1;
        self.line("adjustment", (amount, fee), (&dispute, now));
    }

    /// Ends the warnings and inquiries of a charge that was refunded as a whole.
    pub(super) fn end_warnings(&mut self, charge: &str, now: i64) {
        let open = |object: &&Value| {
            object["payment_intent"] == charge
                && (object["status"] == INQUIRY
                    || object["list"] == WARNINGS && object["actionable"] == true)
        };
        let open: Vec<String> = self.objects.values().filter(open).map(id_of).collect();
        for id in open {
            self.end_warning(&id, now);
        }
    }

    fn end_warning(&mut self, id: &str, now: i64) {
        if id.starts_with("issfr_") {
            self.turn(id, json!({ "actionable": false, "status": "warning_closed" }));
            self.tell("radar.early_fraud_warning.updated", id, now);
        } else {
            self.turn(id, json!({ "status": "warning_closed" }));
            self.tell("charge.dispute.closed", id, now);
        }
    }

    /// How much of a charge banks have taken.
    pub(super) fn taken(&self, charge: &str) -> i64 {
        self.disputed_with(charge, &["needs_response", "under_review", "lost"])
    }

    /// How much of a charge banks have taken, or ask about.
    fn disputed(&self, charge: &str) -> i64 {
        self.disputed_with(charge, &[INQUIRY, "needs_response", "under_review", "lost"])
    }

    fn disputed_with(&self, charge: &str, statuses: &[&str]) -> i64 {
        let counts = |object: &&Value| {
            object["list"] == "disputes"
                && object["payment_intent"] == charge
                && object["status"].as_str().is_some_and(|status| statuses.contains(&status))
        };
        self.objects.values().filter(counts).filter_map(|object| object["amount"].as_i64()).sum()
    }
}
