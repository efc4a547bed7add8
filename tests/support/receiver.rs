//! A receiver of webhooks on this machine: it keeps what it hears, and answers as it is told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_lc_rs::hmac;
use axum::Router;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nil_core::Config;
use serde_json::Value;
use tokio::sync::Notify;

use crate::serving::Serving;

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// How the receiver answers.
#[derive(Clone, Debug)]
pub enum Reply {
    /// With this status, and this text.
    With(u16, String),
    /// It leads to another address.
    Elsewhere(String),
    /// Not before it is let go.
    Stalls(Arc<Notify>),
}

impl Reply {
    /// This status, without a text.
    pub fn status(status: u16) -> Self {
        Self::With(status, String::new())
    }
}

/// A request that was heard.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The path that was asked.
    pub path: String,
    /// The id of the message.
    pub id: String,
    /// When it was sent, in seconds.
    pub at: i64,
    /// The signatures.
    pub signatures: Vec<String>,
    /// The trace of which the sender says that it is part.
    pub traceparent: String,
    /// The body.
    pub body: String,
}

impl Heard {
    /// The body's fields.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// The name of the event.
    pub fn event(&self) -> String {
        self.json()["type"].as_str().expect("a name").to_owned()
    }

    /// Whether one of the signatures was made with this secret.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let secret = secret.strip_prefix("whsec_").expect("a secret");
        let key = STANDARD.decode(secret).expect("base64");
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        let signed = format!("{}.{}.{}", self.id, self.at, self.body);
        self.signatures.iter().any(|signature| {
            let mark = signature.strip_prefix("v1,").and_then(|mark| STANDARD.decode(mark).ok());
            mark.is_some_and(|mark| hmac::verify(&key, signed.as_bytes(), &mark).is_ok())
        })
    }
}

#[derive(Default)]
struct Inner {
    heard: Mutex<Vec<Heard>>,
    replies: Mutex<VecDeque<Reply>>,
    came: Notify,
}

/// A receiver; it stops with the value.
pub struct Receiver {
    address: String,
    inner: Arc<Inner>,
    _serving: Serving,
}

impl Receiver {
    /// A receiver that takes everything.
    pub async fn start() -> Self {
        let inner = Arc::new(Inner::default());
        let app = Router::new().fallback(hear).with_state(inner.clone());
        let serving = Serving::at(|_| app).await;
        Self { address: format!("{}/hook", serving.address), inner, _serving: serving }
    }

    /// Its address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Sets how it answers the next requests.
    pub fn next(&self, replies: impl IntoIterator<Item = Reply>) {
        self.inner.replies.lock().unwrap().extend(replies);
    }

    /// Everything that it has heard.
    pub fn heard(&self) -> Vec<Heard> {
        self.inner.heard.lock().unwrap().clone()
    }

    /// The names of the events that it has heard.
    pub fn events(&self) -> Vec<String> {
        self.heard().iter().map(Heard::event).collect()
    }

    /// Waits until it has heard so many requests.
    pub async fn hears(&self, count: usize) -> Vec<Heard> {
        let waiting = async {
            loop {
                let came = self.inner.came.notified();
                let heard = self.heard();
                if heard.len() >= count {
                    return heard;
                }
                came.await;
            }
        };
        let heard = tokio::time::timeout(PATIENCE, waiting).await;
        heard.unwrap_or_else(|_| panic!("only {} of {count} came", self.heard().len()))
    }
}

/// Lets webhooks reach receivers on this machine.
pub fn receivers_nearby(config: &mut Config) {
    config.webhook_networks = vec!["127.0.0.1".parse().expect("an address")];
}

async fn hear(
    State(inner): State<Arc<Inner>>,
    uri: Uri,
    headers: HeaderMap,
    body: String,
) -> Response {
    let header = |name: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let heard = Heard {
        path: uri.path().to_owned(),
        id: header("webhook-id"),
        at: header("webhook-timestamp").parse().unwrap_or_default(),
        signatures: header("webhook-signature").split(' ').map(str::to_owned).collect(),
        traceparent: header("traceparent"),
        body,
    };
    inner.heard.lock().unwrap().push(heard);
    inner.came.notify_one();
    let reply = inner.replies.lock().unwrap().pop_front();
    match reply {
        None => StatusCode::NO_CONTENT.into_response(),
        Some(Reply::With(status, text)) => {
            (StatusCode::from_u16(status).expect("a status"), text).into_response()
        }
        Some(Reply::Elsewhere(to)) => {
            (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, to)]).into_response()
        }
        Some(Reply::Stalls(until)) => {
            until.notified().await;
            StatusCode::OK.into_response()
        }
    }
}
