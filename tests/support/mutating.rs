//! A proxy in front of a real server that breaks one rule of what passes through it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use serde_json::Value;

use crate::serving::Serving;

/// A request on its way to the server.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: Method,
    /// The path with the query.
    pub target: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// An answer on its way back.
#[derive(Clone, Debug)]
pub struct Given {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Tokens of accounts by name, and of sessions of the back office by cookie, as they pass.
#[derive(Debug, Default)]
pub struct Credentials {
    tokens: BTreeMap<&'static str, String>,
    sessions: Mutex<BTreeMap<String, String>>,
}

impl Asked {
    pub fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path() == path
    }

    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub fn set(&mut self, name: &'static str, value: &str) {
        self.headers.insert(name, value.parse().expect("a header"));
    }

    /// Whether this account calls.
    pub fn is_by(&self, credentials: &Credentials, name: &str) -> bool {
        self.header("authorization").strip_prefix("Bearer ") == Some(credentials.token(name))
    }

    /// Lets another account call.
    pub fn call_as(&mut self, credentials: &Credentials, name: &str) {
        self.set("authorization", &format!("Bearer {}", credentials.token(name)));
    }

    /// Changes the body, if it is JSON.
    pub fn change(&mut self, change: impl FnOnce(&mut Value)) {
        if let Ok(mut body) = serde_json::from_slice(&self.body) {
            change(&mut body);
            self.body = body.to_string().into_bytes();
        }
    }
}

impl Given {
    /// An answer that never saw the server.
    pub fn invented(status: u16, body: &Value) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", "application/json".parse().expect("a header"));
        headers.insert("x-request-id", "0123456789abcdef0123".parse().expect("a header"));
        for name in ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"] {
            let number = if name == "ratelimit-limit" { "300" } else { "30" };
            headers.insert(name, number.parse().expect("a header"));
        }
        Self { status, headers, body: body.to_string().into_bytes() }
    }

    pub fn set(&mut self, name: &'static str, value: &str) {
        self.headers.insert(name, value.parse().expect("a header"));
    }

    /// Changes the body, if it is JSON.
    pub fn change(&mut self, change: impl FnOnce(&mut Value)) {
        if let Ok(mut body) = serde_json::from_slice(&self.body) {
            change(&mut body);
            self.body = body.to_string().into_bytes();
        }
    }

    /// Changes the body as text.
    pub fn replace(&mut self, from: &str, to: &str) {
        let text = String::from_utf8_lossy(&self.body).replace(from, to);
        self.body = text.into_bytes();
    }
}

impl Credentials {
    pub fn new(tokens: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self { tokens: tokens.into_iter().collect(), sessions: Mutex::default() }
    }

    pub fn token(&self, name: &str) -> &str {
        &self.tokens[name]
    }

    /// The CSRF token that was last sent with a cookie.
    pub fn csrf(&self, cookie: &str) -> Option<String> {
        self.sessions.lock().unwrap().get(cookie).cloned()
    }

    fn remember(&self, asked: &Asked) {
        let (cookie, csrf) = (asked.header("cookie"), asked.header("x-csrf-token"));
        if csrf.len() > 8 {
            self.sessions.lock().unwrap().insert(cookie.to_owned(), csrf.to_owned());
        }
    }
}

/// What a proxy does to a request; an answer instead of the server's, if it gives one.
pub type Asking = fn(&Credentials, &mut Asked) -> Option<Given>;
/// What a proxy does to the answer of a request.
pub type Giving = fn(&Asked, &mut Given);

/// Starts a proxy before the server at an address.
pub async fn before(
    server: &str,
    credentials: Arc<Credentials>,
    asking: Asking,
    giving: Giving,
) -> Serving {
    let server = server.to_owned();
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .expect("a client");
    let passing = move |request: Request| {
        let (server, credentials, client) = (server.clone(), credentials.clone(), client.clone());
        async move {
            let mut asked = read(request).await;
            credentials.remember(&asked);
            let original = asked.clone();
            let mut given = match asking(&credentials, &mut asked) {
                Some(given) => given,
                None => forwarded(&client, &server, asked).await,
            };
            giving(&original, &mut given);
            let mut response = Response::new(Body::from(given.body));
            *response.status_mut() = StatusCode::from_u16(given.status).expect("a status");
            given.headers.remove("content-length");
            given.headers.remove("transfer-encoding");
            *response.headers_mut() = given.headers;
            response
        }
    };
    Serving::at(|_| Router::new().fallback(passing)).await
}

async fn read(request: Request) -> Asked {
    let (head, body) = request.into_parts();
    let target = head.uri.path_and_query().expect("a path").to_string();
    let body = to_bytes(body, usize::MAX).await.expect("a whole body").to_vec();
    Asked { method: head.method, target, headers: head.headers, body }
}

async fn forwarded(client: &reqwest::Client, server: &str, mut asked: Asked) -> Given {
    asked.headers.remove("host");
    asked.headers.remove("content-length");
    asked.headers.remove("transfer-encoding");
    let request = client
        .request(asked.method, format!("{server}{}", asked.target))
        .headers(asked.headers)
        .body(asked.body);
    let response = request.send().await.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = response.bytes().await.expect("a whole body").to_vec();
    Given { status, headers, body }
}
