//! A stranger's processor in a process of its own (localstripe, from the Python package index),
//! behind a small thing that takes out of calls what it does not know.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use nil_core::kernel::{Secret, SystemClock};
use nil_core::ports::processor::stripe::{Settings, Stripe};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::serving::{Running, Serving};

/// The version that `tests/run` installs.
const VERSION: &str = "1.15.10";

/// Starts it without the copy that it writes to a fixed file after each call: a file of another
/// user there makes every call fail.
const START: &str = "from localstripe import resources, server\n\
    resources.Store.dump_to_disk = lambda self: None\n\
    server.start()";

/// What the real interface takes and localstripe refuses as unexpected:
///
/// - `transfer_group` of a charge ties it to its transfers; there are no transfers.
/// - `created[gte]` and `created[lt]` of lists: its lists begin with the first object.
/// - `cancellation_reason` of a charge that is given up. It names none when the charge is read.
/// - `statement_descriptor_suffix` of a charge. No bank shows anything.
const UNKNOWN: [&str; 5] = [
    "transfer_group",
    "created[gte]",
    "created[lt]",
    "cancellation_reason",
    "statement_descriptor_suffix",
];

const KEY: &str = "sk_test_suites";
/// The secret with which it signs events.
const SIGNS: &str = "whsec_of_the_suites";

/// An event as it arrives: the signature, and the body.
pub type Told = (String, Bytes);

/// The processor; its process ends with the value.
pub struct Localstripe {
    _process: Running,
    /// Its own address.
    address: String,
    /// What stands before it.
    front: Serving,
    client: Client,
    _hearing: Serving,
    events: UnboundedReceiver<Told>,
}

impl Localstripe {
    /// A processor without objects, which tells of all its events.
    pub async fn start() -> Self {
        let program = format!("localstripe-{VERSION}/bin/python");
        let args = ["-u", "-c", START, "--from-scratch", "--port", "0"];
        let (process, announced) = Running::announced(&program, &args);
        let port = announced.rsplit(':').next().expect("a port");
        let address = format!("http://127.0.0.1:{port}");
        let client = Client::builder().no_proxy().build().expect("a client");
        let (told, events) = unbounded_channel();
        let hearing = Router::new().fallback(post(hear)).with_state(told);
        let hearing = Serving::at(|_| hearing).await;
        let before = Arc::new((client.clone(), address.clone()));
        let front = Router::new().fallback(pass).with_state(before);
        let front = Serving::at(|_| front).await;
        let hook = json!({ "url": hearing.address, "secret": SIGNS });
        let peer = Self { _process: process, address, front, client, _hearing: hearing, events };
        peer.post("_config/webhooks/suites", &hook).await;
        peer
    }

    /// A client of it, as the platform has one.
    pub fn client(&self) -> Stripe {
        let settings = Settings {
            url: format!("{}/v1", self.front.address),
            key: Secret::new(KEY),
            webhook_secrets: vec![Secret::new(SIGNS)],
            public_url: "http://lakeside.example".into(),
            instant_payouts: false,
        };
        Stripe::new(settings, Arc::new(SystemClock)).expect("a client")
    }

    /// A card with this number is entered on its form; returns what the form gives back.
    pub async fn enter_card(&self, number: &str) -> String {
        let card = json!({ "number": number, "exp_month": 12, "exp_year": 2034, "cvc": "123" });
        let made = self.post("v1/payment_methods", &json!({ "type": "card", "card": card })).await;
        made["id"].as_str().expect("a method").to_owned()
    }

    /// The cardholder answers their bank.
    pub async fn authenticate(&self, charge: &str, confirmed: bool) {
        let intent = self.client.get(format!("{}/v1/payment_intents/{charge}", self.address));
        let intent = intent.bearer_auth(KEY).send().await.expect("an answer");
        let intent: Value = intent.json().await.expect("a charge");
        let path = format!("v1/payment_intents/{charge}/_authenticate");
        let answer = json!({ "client_secret": intent["client_secret"], "success": confirmed });
        self.post(&path, &answer).await;
    }

    /// The next event that it tells of.
    pub async fn event(&mut self) -> Told {
        self.events.recv().await.expect("the listener lives as long")
    }

    /// A call that is none of the platform's.
    async fn post(&self, path: &str, body: &Value) -> Value {
        let call = self.client.post(format!("{}/{path}", self.address)).bearer_auth(KEY);
        let answer = call
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string())
            .send()
            .await
            .expect("an answer");
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        let text = answer.text().await.expect("a body");
        serde_json::from_str(&text).unwrap_or_default()
    }
}

async fn hear(
    State(told): State<UnboundedSender<Told>>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok());
    let _ = told.send((signature.unwrap_or_default().to_owned(), body));
    StatusCode::OK
}

/// Hands a call on without what localstripe does not know, and its answer back as it is.
async fn pass(
    State(before): State<Arc<(Client, String)>>,
    method: Method,
    uri: Uri,
    mut headers: HeaderMap,
    body: Bytes,
) -> Response {
    let (client, address) = &*before;
    let query = known(uri.query().unwrap_or_default().as_bytes());
    let mark = if query.is_empty() { "" } else { "?" };
    for name in [HOST, CONTENT_LENGTH] {
        headers.remove(name);
    }
    let answer = client
        .request(method, format!("{address}{}{mark}{query}", uri.path()))
        .headers(headers)
        .body(known(&body))
        .send()
        .await
        .expect("it answers");
    let status = answer.status();
    (status, answer.bytes().await.expect("a body")).into_response()
}

/// A form without the fields that localstripe does not know.
fn known(form: &[u8]) -> String {
    let fields = form_urlencoded::parse(form).filter(|(name, _)| !UNKNOWN.contains(&&**name));
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}
