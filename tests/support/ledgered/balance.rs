//! The statement of the processor's own books: a line for what each movement did to the balance.

use serde_json::{Value, json};

use super::Books;

impl Books {
    /// Writes a line, with the object that caused it when it was made.
    pub(super) fn line(&mut self, kind: &str, moved: (i64, i64), object: &Value) {
        let at = object["created"].as_i64().unwrap_or_default();
        self.line_at(at, kind, moved, object);
    }

    /// Writes a line of an instant, with the object that caused it.
    pub(super) fn line_at(
        &mut self,
        at: i64,
        kind: &str,
        (amount, fee): (i64, i64),
        object: &Value,
    ) {
        self.made += 1;
        let id = format!("txn_{}", self.made);
        let mut source = object.clone();
        if kind == "charge" {
            // An intent's charge has the intent's metadata.
            source["payment_intent"] = object["id"].clone();
            source["id"] = json!(format!("ch_{}", self.made));
        }
        let known = object["currency"].as_str().filter(|known| !known.is_empty());
        let line = json!({ "id": id, "list": "balance_transactions", "of": "", "made": self.made,
            "created": at, "type": kind, "amount": amount, "fee": fee,
            "currency": known.unwrap_or("usd"), "source": source });
        self.objects.insert(id, line);
    }

    /// What an object is about.
    pub(super) fn amount(&self, id: &str) -> Option<i64> {
        self.objects.get(id).and_then(|object| object["amount"].as_i64())
    }
}
