//! Pages of the processor in `ledgered`: cardholders confirm charges there, and enter cards.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::moving::fee_of;
use super::{Books, Call, Ledgered, Said, error};

impl Ledgered {
    /// The cardholder confirms a charge on the bank's page, which must be open, or refuses to.
    pub fn confirm(&self, intent: &str, confirmed: bool) {
        let now = self.clock.now().timestamp();
        let mut books = self.books.lock().expect("the books");
        let known = books.objects.get(intent).expect("the charge").clone();
        assert_eq!(known["status"], "requires_action", "nobody has opened the page");
        if !confirmed {
            let why = json!({ "code": "payment_intent_authentication_failure" });
            let refused = json!({ "status": "requires_payment_method", "last_payment_error": why,
                "next_action": null });
            let _ = books.turn(intent, refused);
            books.tell("payment_intent.payment_failed", intent, now);
            return;
        }
        let amount = known["amount"].as_i64().expect("an amount");
        let fee = fee_of(amount);
        let paid = json!({ "status": "succeeded", "latest_charge": books.cost(fee, now),
            "next_action": null, "amount_received": amount });
        let (_, paid) = books.turn(intent, paid);
        books.line("charge", (amount, fee), (&paid, now));
        books.tell("payment_intent.succeeded", intent, now);
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

    /// A card of a customer, by the number in its token.
    pub(super) fn card(&mut self, token: &str, call: &Call<'_>, customer: &str) -> Option<Said> {
        let number = token.strip_prefix("tok_").filter(|it| it.len() == 16)?;
        let card = json!({ "brand": "visa", "last4": &number[12..], "exp_month": 12,
            "exp_year": 2034, "fingerprint": format!("print_{number}"), "number": number });
        Some(self.put("pm", call, json!({ "card": card, "customer": customer })))
    }
}
