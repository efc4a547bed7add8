//! The statement of the processor's own books: a line for what each movement did to the balance.

use serde_json::{Value, json};

use super::{Books, Call, Ledgered, Ways};

impl Books {
    /// What a charge costs, and when its money can be sent on.
    pub(super) fn cost(&self, fee: i64, now: i64) -> Value {
        let available = now + self.ways.available_after;
        json!({ "balance_transaction": { "fee": fee, "available_on": available } })
    }

    /// Writes a line, with the object that caused it.
    pub(super) fn line(&mut self, kind: &str, (amount, fee): (i64, i64), of: (&Value, i64)) {
        let (object, now) = of;
        self.made += 1;
        let id = format!("txn_{}", self.made);
        let mut source = object.clone();
        if kind == "charge" {
            // An intent's charge has the intent's metadata.
            source["payment_intent"] = object["id"].clone();
            source["id"] = json!(format!("ch_{}", self.made));
        }
        let after = if kind == "charge" { self.ways.available_after } else { 0 };
        let known = object["currency"].as_str().filter(|known| !known.is_empty());
        let category = match kind {
            "adjustment" if amount > 0 => "dispute_reversal",
            "adjustment" => "dispute",
            kind => kind,
        };
        let line = json!({ "id": id, "list": "balance_transactions", "of": "", "made": self.made,
            "created": now, "available_on": now + after, "type": kind,
            "reporting_category": category, "amount": amount, "fee": fee, "net": amount - fee,
            "currency": known.unwrap_or("usd"), "source": source });
        self.objects.insert(id, line);
    }

    /// What an object is about.
    pub(super) fn amount(&self, id: &str) -> i64 {
        self.objects.get(id).and_then(|object| object["amount"].as_i64()).unwrap_or_default()
    }

    /// What can be sent on.
    pub(super) fn available(&self, now: i64) -> i64 {
        let lines = self.objects.values().filter(|line| line["list"] == "balance_transactions");
        let there = lines.filter(|line| line["available_on"].as_i64() <= Some(now));
        let all: i64 = there.filter_map(|line| line["net"].as_i64()).sum();
        all - self.ways.reserve
    }

    /// What is on the balance of a connected account.
    pub(super) fn held_by(&self, account: &str) -> i64 {
        let cents = |object: &Value, name: &str| object[name].as_i64().unwrap_or_default();
        let part = |object: &Value| {
            if object["list"] == "transfers" && object["destination"] == account {
                return cents(object, "amount") - cents(object, "amount_reversed");
            }
            let has_left = !["failed", "canceled"].iter().any(|it| object["status"] == *it);
            if object["list"] == "payouts" && object["of"] == account && has_left {
                return -cents(object, "amount");
            }
            0
        };
        self.objects.values().map(part).sum()
    }
}

impl Ledgered {
    /// How it behaves with money from now on.
    pub fn behaves(&self, ways: Ways) {
        self.books.lock().expect("the books").ways = ways;
    }

    /// What is on the balance of a connected account.
    pub fn held_by(&self, account: &str) -> i64 {
        self.books.lock().expect("the books").held_by(account)
    }
}

impl Call<'_> {
    /// An object as this call gets it: others are named only, unless it asks for them.
    pub(super) fn shown(&self, object: &Value) -> Value {
        let mut shown = object.clone();
        let wanted = [(self.field)("expand[]"), (self.field)("expand[0]")].join(".");
        for name in ["latest_charge", "charge", "source"] {
            let asked_for = wanted.split('.').any(|part| part == name);
            if !asked_for && shown[name].is_object() {
                let id = shown[name]["id"].clone();
                shown[name] = if id.is_null() { json!("ch_unnamed") } else { id };
            }
        }
        shown
    }
}
