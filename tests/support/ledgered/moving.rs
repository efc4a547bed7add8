//! Money that moves at the processor in `ledgered`: charges, refunds, transfers to connected
//! accounts, and payouts from there to banks.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Books, Call, Said, error};

/// A day, in seconds.
const DAY: i64 = 86_400;

fn refused(code: &str) -> Said {
    error(StatusCode::BAD_REQUEST, code, "invalid_request_error")
}

fn missing() -> Said {
    error(StatusCode::NOT_FOUND, "resource_missing", "")
}

/// What it keeps of a charge.
pub(super) fn fee_of(amount: i64) -> i64 {
    (amount * 29 + 500) / 1_000 + 30
}

pub(super) fn id_of(object: &Value) -> String {
    object["id"].as_str().unwrap_or_default().to_owned()
}

/// Whether banks can show a text of at most so many characters.
fn is_shown(text: &str, longest: usize) -> bool {
    let known = |letter: char| letter.is_ascii() && !r#"<>\'"*"#.contains(letter);
    let letters = text.chars().any(|letter| letter.is_ascii_alphabetic());
    text.is_empty() || text.len() <= longest && letters && text.chars().all(known)
}

impl Books {
    pub(super) fn charge(&mut self, call: &Call<'_>) -> Said {
        let customer = (call.field)("customer");
        let card = self.objects.get(&(call.field)("payment_method"));
        let number = card.filter(|card| card["customer"] == customer.as_str());
        let number = number.and_then(|card| card["card"]["number"].as_str()).map(str::to_owned);
        let Some(number) = number else {
            let mut missing = error(StatusCode::BAD_REQUEST, "resource_missing", "");
            missing.1["error"]["param"] = json!("payment_method");
            return missing;
        };
        let amount: i64 = (call.field)("amount").parse().unwrap_or_default();
        let refusal = match number.as_str() {
            "4000000000000002" => Some(("card_declined", "generic_decline")),
            "4000000000009995" => Some(("card_declined", "insufficient_funds")),
            "4000002500003155" => Some(("authentication_required", "authentication_required")),
            _ => None,
        };
        let Some((code, decline)) = refusal else {
            let fee = fee_of(amount);
            let suffix = (call.field)("statement_descriptor_suffix");
            if !is_shown(&suffix, 10) {
                return refused("invalid_statement_descriptor");
            }
            let cost = self.cost(fee, call.now);
            let intent = json!({ "status": "succeeded", "latest_charge": cost,
                "statement_descriptor_suffix": suffix, "amount_received": amount });
            let made = self.put("pi", call, intent);
            self.line("charge", (amount, fee), (&made.1, call.now));
            self.tell("payment_intent.succeeded", &id_of(&made.1), call.now);
            return (made.0, call.shown(&made.1));
        };
        let why = json!({ "code": code, "decline_code": decline, "type": "card_error" });
        let intent = json!({ "status": "requires_payment_method", "last_payment_error": why });
        let (_, intent) = self.put("pi", call, intent);
        self.tell("payment_intent.payment_failed", &id_of(&intent), call.now);
        let mut refused = error(StatusCode::PAYMENT_REQUIRED, code, "card_error");
        refused.1["error"]["decline_code"] = json!(decline);
        refused.1["error"]["payment_intent"] = intent;
        refused
    }

    pub(super) fn cancel(&mut self, id: &str, call: &Call<'_>) -> Said {
        let status = self.objects.get(id).map(|intent| intent["status"].clone());
        let over = ["succeeded", "canceled", "processing"];
        if status.as_ref().and_then(Value::as_str).is_some_and(|status| over.contains(&status)) {
            return refused("payment_intent_unexpected_state");
        }
        let reason = (call.field)("cancellation_reason");
        let said = self.turn(id, json!({ "status": "canceled", "cancellation_reason": reason }));
        self.tell("payment_intent.canceled", id, call.now);
        said
    }

    /// How much of a charge went back to its card, or is on its way there.
    pub(super) fn refunded(&self, charge: &str) -> i64 {
        let of_charge = |object: &&Value| {
            object["list"] == "refunds"
                && object["payment_intent"] == charge
                && object["status"] != "failed"
        };
        self.objects.values().filter(of_charge).filter_map(|object| object["amount"].as_i64()).sum()
    }

    pub(super) fn refund(&mut self, call: &Call<'_>) -> Said {
        let charge = (call.field)("payment_intent");
        let Some(intent) = self.objects.get(&charge).filter(|it| it["status"] == "succeeded")
        else {
            return missing();
        };
        let currency = intent["currency"].clone();
        let left = self.amount(&charge) - self.refunded(&charge);
        let amount: i64 = (call.field)("amount").parse().unwrap_or_default();
        if self.taken(&charge) > 0 {
            return refused("charge_disputed");
        }
        if left < amount {
            return refused("charge_already_refunded");
        }
        let after = self.ways.refunds_after;
        let status = if after > 0 { "pending" } else { "succeeded" };
        let (_, refund) = self.put(
            "re",
            call,
            json!({ "status": status, "payment_intent": charge, "due": call.now + after }),
        );
        let id = id_of(&refund);
        let said = self.turn(&id, json!({ "currency": currency }));
        self.tell("refund.created", &id, call.now);
        if status == "succeeded" {
            self.line("refund", (-amount, 0), (&said.1, call.now));
        }
        if left == amount {
            self.end_warnings(&charge, call.now);
        }
        said
    }

    pub(super) fn transfer(&mut self, call: &Call<'_>) -> Said {
        let destination = (call.field)("destination");
        let Some(account) = self.objects.get(&destination) else { return missing() };
        if account["transfers"] == "inactive" {
            return refused("insufficient_capabilities_for_transfer");
        }
        let amount: i64 = (call.field)("amount").parse().unwrap_or_default();
        if self.available(call.now) < amount {
            return refused("balance_insufficient");
        }
        let transfer =
            json!({ "destination": destination, "amount_reversed": 0, "reversed": false });
        let made = self.put("tr", call, transfer);
        self.line("transfer", (-amount, 0), (&made.1, call.now));
        self.tell("transfer.created", &id_of(&made.1), call.now);
        made
    }

    /// Takes a whole transfer back, if the account still has the money.
    pub(super) fn reverse(&mut self, id: &str, call: &Call<'_>) -> Said {
        let Some(transfer) = self.objects.get(id) else { return missing() };
        let account = transfer["destination"].as_str().unwrap_or_default().to_owned();
        let amount = self.amount(id);
        if transfer["reversed"] == true {
            return refused("transfer_already_reversed");
        }
        if self.held_by(&account) < amount {
            return refused("balance_insufficient");
        }
        let made = id_of(&self.put("trr", call, json!({})).1);
        let back = self.turn(&made, json!({ "amount": amount, "list": "reversals" })).1;
        self.line("transfer_refund", (amount, 0), (&back, call.now));
        self.turn(id, json!({ "reversed": true, "amount_reversed": amount }));
        self.tell("transfer.reversed", id, call.now);
        (StatusCode::OK, back)
    }

    pub(super) fn pay_out(&mut self, call: &Call<'_>) -> Said {
        let Some(account) = self.objects.get(call.account) else { return missing() };
        if account["payouts_enabled"] != true {
            return refused("payouts_not_allowed");
        }
        let amount: i64 = (call.field)("amount").parse().unwrap_or_default();
        if self.held_by(call.account) < amount {
            return refused("balance_insufficient");
        }
        let text = (call.field)("statement_descriptor");
        if !is_shown(&text, 22) {
            return refused("invalid_statement_descriptor");
        }
        let instant = (call.field)("method") == "instant";
        if instant && account["instant"] != true {
            return refused("instant_payouts_unsupported");
        }
        // It arrives in two days, and is told of as a day: by its first second.
        let arrives = if instant { call.now } else { (call.now / DAY + 2) * DAY };
        let method = if instant { "instant" } else { "standard" };
        let payout = json!({ "status": "in_transit", "arrival_date": arrives, "method": method,
            "statement_descriptor": text });
        let made = self.put("po", call, payout);
        self.tell("payout.created", &id_of(&made.1), call.now);
        made
    }

    /// What time does to refunds and payouts that are on their way.
    pub(super) fn grow_older(&mut self, now: i64) {
        let ready = |object: &&Value| match object["list"].as_str() {
            Some("refunds") => object["status"] == "pending" && object["due"].as_i64() <= Some(now),
            Some("payouts") => {
                object["status"] == "in_transit" && object["arrival_date"].as_i64() <= Some(now)
            }
            _ => false,
        };
        let ready: Vec<Value> = self.objects.values().filter(ready).cloned().collect();
        for object in ready {
            let id = id_of(&object);
            if object["list"] == "payouts" {
                self.turn(&id, json!({ "status": "paid" }));
                self.tell("payout.paid", &id, now);
            } else {
                let refund = self.turn(&id, json!({ "status": "succeeded" })).1;
                let due = object["due"].as_i64().unwrap_or(now);
                self.line("refund", (-self.amount(&id), 0), (&refund, due));
                self.tell("refund.updated", &id, now);
            }
        }
    }
}
