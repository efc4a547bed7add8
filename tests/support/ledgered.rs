//! A payment processor of our own making behind HTTP, with the common interface of connected
//! accounts and with books of its own: the judge of what really moved.

mod balance;
mod confirming;
mod disputes;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use nil_core::kernel::{Clock, Secret};
use nil_core::ports::processor::stripe::{Settings, Stripe};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// The secret with which it signs events.
pub const SIGNS: &str = "whsec_of_the_suites";

/// The fault of one call that makes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Nothing.
    None,
    /// It answers with an error of its own before it does anything.
    FailsBefore,
    /// It answers with an error of its own after it has done it.
    FailsAfter,
    /// It closes the connection after it has done it.
    Resets,
    /// It never answers, and has done it.
    Stalls,
    /// It has too much to do.
    Busy,
    /// It does not accept the key.
    Denied,
}

impl Trouble {
    /// Every trouble.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::FailsBefore,
        Self::FailsAfter,
        Self::Resets,
        Self::Stalls,
        Self::Busy,
        Self::Denied,
    ];
}

#[derive(Default)]
struct Books {
    made: i64,
    /// Objects by their ids; the id's first letters say what they are.
    objects: BTreeMap<String, Value>,
    /// The answers of calls by account and key: what was asked, and what was answered.
    answers: HashMap<String, (String, StatusCode, Value)>,
    troubles: VecDeque<Trouble>,
    /// It has ended: connections that clients still hold get no answer.
    ended: bool,
}

/// The processor, which listens as long as it lives.
pub struct Ledgered {
    address: SocketAddr,
    clock: Arc<dyn Clock>,
    books: Arc<Mutex<Books>>,
    serving: tokio::task::JoinHandle<()>,
}

impl Drop for Ledgered {
    fn drop(&mut self) {
        self.serving.abort();
        if let Ok(mut books) = self.books.lock() {
            books.ended = true;
        }
    }
}

#[derive(Clone)]
struct Counter {
    clock: Arc<dyn Clock>,
    books: Arc<Mutex<Books>>,
}

impl Ledgered {
    /// Starts it on a free port.
    pub async fn start(clock: Arc<dyn Clock>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let books = Arc::new(Mutex::new(Books::default()));
        let counter = Counter { clock: clock.clone(), books: books.clone() };
        let app = Router::new().fallback(answer).with_state(counter);
        let serving = tokio::spawn(async move {
            axum::serve(listener, app).await.expect("it serves");
        });
        Self { address, clock, books, serving }
    }

    /// A client of it, as the platform has one.
    pub fn client(&self) -> Stripe {
        let settings = Settings {
            url: format!("http://{}/v1", self.address),
            key: Secret::new("sk_test_suites"),
            webhook_secrets: vec![Secret::new(SIGNS)],
            public_url: "http://lakeside.example".into(),
        };
        Stripe::new(settings, self.clock.clone()).expect("a client")
    }

    /// The troubles of the next calls that make something, one each.
    pub fn next(&self, troubles: &[Trouble]) {
        let mut books = self.books.lock().expect("the books");
        books.troubles = troubles.iter().copied().collect();
    }

    /// A day has passed: it does not remember keys any more.
    pub fn forget_keys(&self) {
        self.books.lock().expect("the books").answers.clear();
    }

    /// An account's owner has told everything.
    pub fn onboard(&self, account: &str) {
        let enabled = json!({ "charges_enabled": true, "payouts_enabled": true,
            "requirements": { "currently_due": [] } });
        self.change(account, &enabled);
    }

    /// Changes an object, as time or a bank does.
    pub fn change(&self, id: &str, with: &Value) {
        let mut books = self.books.lock().expect("the books");
        let object = books.objects.get_mut(id).expect("the object");
        for (name, value) in with.as_object().expect("fields") {
            object[name] = value.clone();
        }
    }

    /// The objects whose ids begin so, oldest first.
    pub fn all(&self, prefix: &str) -> Vec<Value> {
        let books = self.books.lock().expect("the books");
        let mut all: Vec<Value> = books
            .objects
            .iter()
            .filter(|(id, _)| id.split_once('_').is_some_and(|(kind, _)| kind == prefix))
            .map(|(_, object)| object.clone())
            .collect();
        all.sort_by_key(|object| object["made"].as_i64());
        all
    }

    /// What has moved, by our keys: the amounts of succeeded charges, of refunds, and of payouts
    /// whose transfer was not taken back.
    pub fn moved(&self, prefix: &str) -> Vec<(String, i64)> {
        let fine = |object: &Value| match prefix {
            "tr" => object["amount_reversed"] == 0,
            _ => object["status"] == "succeeded",
        };
        let all = self.all(prefix).into_iter().filter(fine);
        all.map(|object| {
            let key = object["metadata"]["nil_key"].as_str().unwrap_or_default().to_owned();
            (key, object["amount"].as_i64().unwrap_or_default())
        })
        .collect()
    }
}

async fn answer(
    State(counter): State<Counter>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let (trouble, status, answer) = counter.hear(&method, &uri, &headers, &body);
    match trouble {
        Trouble::Stalls => std::future::pending().await,
        Trouble::Resets => panic!("the connection is closed"),
        _ => (status, answer.to_string()).into_response(),
    }
}

impl Counter {
    fn hear(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: &[u8],
    ) -> (Trouble, StatusCode, Value) {
        let path = uri.path().trim_start_matches("/v1/").to_owned();
        let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let account = said("stripe-account").unwrap_or_default();
        let reads = method == Method::GET;
        let text = if reads { uri.query().unwrap_or_default().as_bytes() } else { body };
        let fields: Vec<(String, String)> = form_urlencoded::parse(text).into_owned().collect();
        let field = |name: &str| {
            let found = fields.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let now = self.clock.now().timestamp();
        let call = Call { path: &path, account, field: &field, now };
        let mut books = self.books.lock().expect("the books");
        if books.ended {
            return (Trouble::Resets, StatusCode::OK, Value::Null);
        }
        if reads {
            let (status, answer) = books.read(&call);
            return (Trouble::None, status, answer);
        }
        let trouble = books.troubles.pop_front().unwrap_or(Trouble::None);
        let key = said("idempotency-key").map(|key| format!("{account} {key}"));
        let asked = format!("{path} {}", String::from_utf8_lossy(body));
        let known = key.as_ref().and_then(|key| books.answers.get(key));
        let (status, answer) = match known {
            Some((before, ..)) if *before != asked => {
                error(StatusCode::BAD_REQUEST, "", "idempotency_error")
            }
            Some((_, status, answer)) => (*status, answer.clone()),
            None => books.act(&call, trouble, (key, asked)),
        };
        (trouble, status, answer)
    }
}

fn error(status: StatusCode, code: &str, kind: &str) -> (StatusCode, Value) {
    (status, json!({ "error": { "code": code, "type": kind, "message": "refused" } }))
}

/// What it keeps of a charge.
fn fee_of(amount: i64) -> i64 {
    (amount * 29 + 500) / 1_000 + 30
}

struct Call<'a> {
    path: &'a str,
    account: &'a str,
    field: &'a dyn Fn(&str) -> String,
    now: i64,
}

type Said = (StatusCode, Value);

impl Books {
    /// An object, or a page of a list, newest first.
    fn read(&self, call: &Call<'_>) -> Said {
        let missing = || error(StatusCode::NOT_FOUND, "resource_missing", "");
        let is_list = call.path == "radar/early_fraud_warnings";
        if let Some((_, id)) = call.path.rsplit_once('/').filter(|_| !is_list) {
            let found = self.objects.get(id).filter(|object| object["of"] == call.account);
            return found.map_or_else(missing, |object| (StatusCode::OK, object.clone()));
        }
        let since: i64 = (call.field)("created[gte]").parse().unwrap_or_default();
        let until: Option<i64> = (call.field)("created[lt]").parse().ok();
        let after = (call.field)("starting_after");
        let after = self.objects.get(&after).and_then(|object| object["made"].as_i64());
        let mut rows: Vec<&Value> = self
            .objects
            .values()
            .filter(|object| object["list"] == call.path && object["of"] == call.account)
            .filter(|object| object["created"].as_i64() >= Some(since))
            .filter(|object| until.is_none_or(|until| object["created"].as_i64() < Some(until)))
            .filter(|object| after.is_none_or(|after| object["made"].as_i64() < Some(after)))
            .collect();
        rows.sort_by_key(|object| -object["made"].as_i64().unwrap_or_default());
        // Small pages, so that every reader must turn them.
        let more = rows.len() > 2;
        rows.truncate(2);
        (StatusCode::OK, json!({ "data": rows, "has_more": more }))
    }

    /// Does what is asked, or fails at it, and keeps the answer under the key.
    fn act(
        &mut self,
        call: &Call<'_>,
        trouble: Trouble,
        (key, asked): (Option<String>, String),
    ) -> Said {
        let failed = || error(StatusCode::INTERNAL_SERVER_ERROR, "api_error", "");
        let answered = match trouble {
            Trouble::Busy => return error(StatusCode::TOO_MANY_REQUESTS, "rate_limit", ""),
            Trouble::Denied => return error(StatusCode::UNAUTHORIZED, "", ""),
            Trouble::FailsBefore => failed(),
            Trouble::FailsAfter => {
                self.make(call);
                failed()
            }
            Trouble::None | Trouble::Resets | Trouble::Stalls => self.make(call),
        };
        if let Some(key) = key {
            self.answers.insert(key, (asked, answered.0, answered.1.clone()));
        }
        answered
    }

    fn put(&mut self, prefix: &str, call: &Call<'_>, mut object: Value) -> Said {
        self.made += 1;
        let id = format!("{prefix}_{}", self.made);
        let list = call.path.split('/').next().unwrap_or_default();
        object["id"] = json!(id);
        object["list"] = json!(list);
        object["of"] = json!(call.account);
        object["made"] = json!(self.made);
        object["created"] = json!(call.now);
        object["amount"] = json!((call.field)("amount").parse::<i64>().unwrap_or_default());
        object["currency"] = json!((call.field)("currency"));
        let metadata = ["nil_key", "nil_owner", "nil_transfer"];
        for name in metadata {
            object["metadata"][name] = json!((call.field)(&format!("metadata[{name}]")));
        }
        self.objects.insert(id, object.clone());
        (StatusCode::OK, object)
    }

    fn make(&mut self, call: &Call<'_>) -> Said {
        let parts: Vec<&str> = call.path.split('/').collect();
        let missing = || error(StatusCode::NOT_FOUND, "resource_missing", "");
        match parts.as_slice() {
            ["customers"] => self.put("cus", call, json!({})),
            ["payment_methods", token, "attach"] => {
                let customer = (call.field)("customer");
                self.card(token, call, &customer).unwrap_or_else(missing)
            }
            ["checkout", "sessions"] => self.form(call),
            ["payment_methods", id, "detach"] => self.turn(id, json!({ "customer": null })),
            ["payment_intents"] => self.charge(call),
            ["payment_intents", id, "confirm"] => self.confirm(id, call),
            ["payment_intents", id, "cancel"] => self.cancel(id, call),
            ["refunds"] => self.refund(call),
            ["transfers"] => match self.objects.get(&(call.field)("destination")) {
                Some(_) => {
                    let destination = (call.field)("destination");
                    let transfer = json!({ "destination": destination, "amount_reversed": 0,
                        "reversed": false });
                    let made = self.put("tr", call, transfer);
                    let amount = made.1["amount"].as_i64().unwrap_or_default();
                    self.line("transfer", (-amount, 0), &made.1);
                    made
                }
                None => missing(),
            },
            ["transfers", id, "reversals"] => {
                let amount = self.amount(id);
                let back = self.put("trr", call, json!({})).1;
                self.line("transfer_refund", (amount.unwrap_or_default(), 0), &back);
                self.turn(id, json!({ "reversed": true, "amount_reversed": amount }))
            }
            ["payouts"] => match self.objects.get(call.account) {
                Some(account) if account["payouts_enabled"] == true => {
                    let arrives = call.now + 2 * 86_400;
                    let payout = json!({ "status": "in_transit", "arrival_date": arrives });
                    self.put("po", call, payout)
                }
                _ => error(StatusCode::BAD_REQUEST, "payouts_not_allowed", ""),
            },
            ["accounts"] => {
                let due = ["individual.verification", "external_account"];
                let account = json!({ "charges_enabled": false, "payouts_enabled": false,
                    "requirements": { "currently_due": due } });
                self.put("acct", call, account)
            }
            ["files"] => self.put("file", call, json!({})),
            ["disputes", id] => self.conclude(id, call, "under_review"),
            ["disputes", id, "close"] => self.conclude(id, call, "lost"),
            ["account_links"] => {
                let url = format!("http://processor.example/onboard/{}", (call.field)("account"));
                (StatusCode::OK, json!({ "url": url }))
            }
            _ => missing(),
        }
    }

    /// A card of a customer, by the number in its token.
    fn card(&mut self, token: &str, call: &Call<'_>, customer: &str) -> Option<Said> {
        let number = token.strip_prefix("tok_").filter(|it| it.len() == 16)?;
        let card = json!({ "brand": "visa", "last4": &number[12..], "exp_month": 12,
            "exp_year": 2034, "fingerprint": format!("print_{number}"), "number": number });
        Some(self.put("pm", call, json!({ "card": card, "customer": customer })))
    }

    fn turn(&mut self, id: &str, with: Value) -> Said {
        let Some(object) = self.objects.get_mut(id) else {
            return error(StatusCode::NOT_FOUND, "resource_missing", "");
        };
        for (name, value) in with.as_object().into_iter().flatten() {
            object[name] = value.clone();
        }
        (StatusCode::OK, object.clone())
    }

    fn charge(&mut self, call: &Call<'_>) -> Said {
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
            let cost = json!({ "balance_transaction": { "fee": fee } });
            let intent = json!({ "status": "succeeded", "latest_charge": cost });
            let made = self.put("pi", call, intent);
            self.line("charge", (amount, fee), &made.1);
            return made;
        };
        let why = json!({ "code": code, "decline_code": decline, "type": "card_error" });
        let intent = json!({ "status": "requires_payment_method", "last_payment_error": why });
        let (_, intent) = self.put("pi", call, intent);
        let mut refused = error(StatusCode::PAYMENT_REQUIRED, code, "card_error");
        refused.1["error"]["decline_code"] = json!(decline);
        refused.1["error"]["payment_intent"] = intent;
        refused
    }

    fn refund(&mut self, call: &Call<'_>) -> Said {
        let charge = (call.field)("payment_intent");
        let Some(intent) = self.objects.get(&charge).filter(|it| it["status"] == "succeeded")
        else {
            return error(StatusCode::NOT_FOUND, "resource_missing", "");
        };
        let (paid, currency) = (intent["amount"].as_i64(), intent["currency"].clone());
        let back: i64 = self
            .objects
            .values()
            .filter(|object| object["payment_intent"] == charge.as_str())
            .filter(|object| object["list"] == "refunds")
            .filter_map(|object| object["amount"].as_i64())
            .sum();
        let amount: i64 = (call.field)("amount").parse().unwrap_or_default();
        if self.taken(&charge) > 0 {
            return error(StatusCode::BAD_REQUEST, "charge_disputed", "");
        }
        if paid < Some(back + amount) {
            return error(StatusCode::BAD_REQUEST, "charge_already_refunded", "");
        }
        let (_, refund) =
            self.put("re", call, json!({ "status": "succeeded", "payment_intent": charge }));
        let id = refund["id"].as_str().unwrap_or_default().to_owned();
        let said = self.turn(&id, json!({ "currency": currency }));
        self.line("refund", (-amount, 0), &said.1);
        said
    }
}
