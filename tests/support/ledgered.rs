//! A payment processor of our own making behind HTTP, with the common interface of connected
//! accounts and with books of its own: the judge of what really moved.

mod balance;
mod banks;
mod confirming;
mod disputes;
mod events;
mod moving;
mod troubles;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use nil_core::kernel::{Clock, Secret};
use nil_core::ports::processor::stripe::{Settings, Stripe};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::serving::Serving;

pub use self::events::{Early, Event};
pub use self::troubles::Trouble;

/// The secret with which it signs events.
pub const SIGNS: &str = "whsec_of_the_suites";

#[derive(Default)]
struct Books {
    made: i64,
    /// Objects by their ids; the id's first letters say what they are.
    objects: BTreeMap<String, Value>,
    /// The answers of calls by account and key.
    answers: HashMap<String, Kept>,
    /// The troubles of the next calls that make something.
    troubles: VecDeque<Trouble>,
    /// The troubles of the next calls that read something.
    troubles_of_reads: VecDeque<Trouble>,
    /// The trouble of every call, as long as it lasts.
    lasting: Option<Trouble>,
    /// Events that nobody has been told of.
    events: Vec<Event>,
    /// Where events go before the answer of the call that caused them.
    early: Option<mpsc::UnboundedSender<Early>>,
    /// How it behaves with money.
    ways: Ways,
    /// It has ended: connections that clients still hold get no answer.
    ended: bool,
}

/// What is kept under a key: when, what was asked, and what was answered.
struct Kept {
    at: i64,
    asked: String,
    answer: Said,
}

/// How the processor behaves with money.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ways {
    /// After how many seconds what a card was charged can be sent on.
    pub available_after: i64,
    /// How much of the balance it keeps back.
    pub reserve: i64,
    /// After how many seconds a refund succeeds; at once if there are none.
    pub refunds_after: i64,
}

/// How long it remembers a key, in seconds.
const REMEMBERS: i64 = 86_400;

/// The processor, which listens as long as it lives.
pub struct Ledgered {
    clock: Arc<dyn Clock>,
    books: Arc<Mutex<Books>>,
    serving: Serving,
}

impl Drop for Ledgered {
    fn drop(&mut self) {
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
        let books = Arc::new(Mutex::new(Books::default()));
        let counter = Counter { clock: clock.clone(), books: books.clone() };
        let app = Router::new().fallback(answer).with_state(counter);
        let serving = Serving::at(|_| app).await;
        Self { clock, books, serving }
    }

    /// Its address, for other clients than ours.
    pub fn address(&self) -> String {
        self.serving.address.clone()
    }

    /// A client of it, as the platform has one.
    pub fn client(&self) -> Stripe {
        let settings = Settings {
            url: format!("{}/v1", self.address()),
            key: Secret::new("sk_test_suites"),
            webhook_secrets: vec![Secret::new(SIGNS)],
            public_url: "http://lakeside.example".into(),
            instant_payouts: true,
        };
        Stripe::new(settings, self.clock.clone()).expect("a client")
    }

    /// A day has passed: it does not remember keys any more.
    pub fn forget_keys(&self) {
        self.books.lock().expect("the books").answers.clear();
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
    if let Some(told) = counter.tell_early() {
        let _ = told.await;
    }
    match trouble {
        Trouble::Stalls => std::future::pending().await,
        // The server closes the connection of a task that ends so, and nothing is printed.
        Trouble::Resets => resume_unwind(Box::new("the connection is closed")),
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
        books.grow_older(now);
        let trouble = books.trouble(reads);
        if reads {
            let (status, answer) = trouble.refusal().unwrap_or_else(|| books.read(&call));
            return (trouble, status, answer);
        }
        let key = said("idempotency-key").map(|key| format!("{account} {key}"));
        let asked = format!("{path} {}", String::from_utf8_lossy(body));
        let known = key.as_ref().and_then(|key| books.answers.get(key));
        let known = known.filter(|kept| now - kept.at < REMEMBERS);
        let (status, answer) = match known {
            Some(kept) if kept.asked != asked => {
                error(StatusCode::BAD_REQUEST, "", "idempotency_error")
            }
            Some(kept) => kept.answer.clone(),
            None => books.act(&call, trouble, (key, asked)),
        };
        (trouble, status, answer)
    }
}

fn error(status: StatusCode, code: &str, kind: &str) -> (StatusCode, Value) {
    (status, json!({ "error": { "code": code, "type": kind, "message": "refused" } }))
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
            return found.map_or_else(missing, |object| (StatusCode::OK, call.shown(object)));
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
        let rows: Vec<Value> = rows.into_iter().map(|row| call.shown(row)).collect();
        let url = format!("/v1/{}", call.path);
        (StatusCode::OK, json!({ "object": "list", "url": url, "data": rows, "has_more": more }))
    }

    /// Does what is asked, or fails at it, and keeps the answer under the key.
    fn act(
        &mut self,
        call: &Call<'_>,
        trouble: Trouble,
        (key, asked): (Option<String>, String),
    ) -> Said {
        if let Some(refused) = trouble.refusal_without_work() {
            return refused;
        }
        let done = (trouble != Trouble::FailsBefore).then(|| self.make(call));
        let answer = trouble.refusal().or(done).expect("it was done, or refused");
        if let Some(key) = key {
            let kept = Kept { at: call.now, asked, answer: answer.clone() };
            self.answers.insert(key, kept);
        }
        answer
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
            ["transfers"] => self.transfer(call),
            ["transfers", id, "reversals"] => self.reverse(id, call),
            ["payouts"] => self.pay_out(call),
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

    fn turn(&mut self, id: &str, with: Value) -> Said {
        let Some(object) = self.objects.get_mut(id) else {
            return error(StatusCode::NOT_FOUND, "resource_missing", "");
        };
        for (name, value) in with.as_object().into_iter().flatten() {
            object[name] = value.clone();
        }
        (StatusCode::OK, object.clone())
    }
}
