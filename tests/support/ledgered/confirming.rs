//! Pages of the processor in `ledgered`: cardholders confirm charges there, and enter cards.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Books, Call, Ledgered, Said, error, fee_of};

impl Ledgered {
    /// The cardholder confirms a charge on the bank's page, which must be open, or refuses to.
    pub fn confirm(&self, intent: &str, confirmed: bool) {
        let mut books = self.books.lock().expect("the books");
        let known = books.objects.get(intent).expect("the charge").clone();
        assert_eq!(known["status"], "requires_action", "nobody has opened the page");
        if !confirmed {
            let why = json!({ "code": "payment_intent_authentication_failure" });
            let refused = json!({ "status": "requires_payment_method", "last_payment_error": why,
                "next_action": null });
            let _ = books.turn(intent, refused);
            return;
        }
        let amount = known["amount"].as_i64().expect("an amount");
        let fee = fee_of(amount);
        let cost = json!({ "balance_transaction": { "fee": fee } });
        let paid = json!({ "status": "succeeded", "latest_charge": cost, "next_action": null });
        let (_, paid) = books.turn(intent, paid);
        books.line_at(self.clock.now().timestamp(), "charge", (amount, fee), &paid);
    }

    /// A card is entered on a page.
    pub fn enter_card(&self, page: &str, token: &str) {
        let mut books = self.books.lock().expect("the books");
        let customer = books.objects.get(page).expect("the page")["customer"].clone();
        let nothing = |_: &str| String::new();
        let now = self.clock.now().timestamp();
        let call = Call { path: "payment_methods", account: "", field: &nothing, now };
        let card = books.card(token, &call, customer.as_str().unwrap_or_default());
        let entered = json!({ "status": "succeeded", "payment_method": card.expect("a card").1 });
        let _ = books.turn(page, json!({ "setup_intent": entered, "status": "complete" }));
    }
}

impl Books {
    /// A charge is made again with the cardholder there: the bank has a page for it.
    pub(super) fn confirm(&mut self, id: &str, call: &Call<'_>) -> Said {
        let known = self.objects.get(id);
        let waits = known.is_some_and(|intent| {
            intent["status"] == "requires_payment_method"
                && intent["last_payment_error"]["code"] == "authentication_required"
        });
        let back = (call.field)("return_url");
        if !waits || back.is_empty() || (call.field)("payment_method").is_empty() {
            return error(StatusCode::BAD_REQUEST, "payment_intent_unexpected_state", "");
        }
        let page = json!({ "url": format!("http://bank.example/{id}"), "return_url": back });
        let next = json!({ "type": "redirect_to_url", "redirect_to_url": page });
        let error = Value::Null;
        self.turn(
            id,
            json!({ "status": "requires_action", "next_action": next,
            "last_payment_error": error }),
        )
    }

    /// A charge that waits is cancelled.
    pub(super) fn cancel(&mut self, id: &str, call: &Call<'_>) -> Said {
        let known = self.objects.get(id).map(|intent| intent["status"].clone());
        let over = ["succeeded", "canceled", "processing"];
        if known.as_ref().and_then(Value::as_str).is_some_and(|status| over.contains(&status)) {
            return error(StatusCode::BAD_REQUEST, "payment_intent_unexpected_state", "");
        }
        let reason = (call.field)("cancellation_reason");
        self.turn(id, json!({ "status": "canceled", "cancellation_reason": reason }))
    }

    /// A page where a card is entered.
    pub(super) fn form(&mut self, call: &Call<'_>) -> Said {
        if (call.field)("mode") != "setup" || (call.field)("success_url").is_empty() {
            return error(StatusCode::BAD_REQUEST, "parameter_missing", "");
        }
        let setup = json!({ "status": "requires_payment_method", "payment_method": null });
        let page = json!({ "customer": (call.field)("customer"), "setup_intent": setup,
            "status": "open", "url": "http://processor.example/enter" });
        self.put("cs", call, page)
    }
}
