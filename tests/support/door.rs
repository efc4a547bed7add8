//! The interfaces over HTTP: a server of either framework, called as its clients call it.

use nil_core::catalog::{Entry, Interface, Method, catalog};
use nil_core::content::FileContent;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::people::PASSWORD;
use crate::server::{Got, Server};
use crate::story::{Caller, Door};

/// A server with its operator's session.
pub struct HttpDoor {
    pub server: Server,
    session: OnceCell<Session>,
}

/// An operator's cookie and CSRF token.
#[derive(Clone, Debug)]
pub struct Session {
    pub cookie: String,
    pub csrf: String,
}

impl HttpDoor {
    pub fn new(server: Server) -> Self {
        Self { server, session: OnceCell::new() }
    }

    /// Logs an operator in, unless one is: what an operation then costs is its own.
    pub async fn log_in(&self, email: &str) {
        self.session(email).await;
    }

    async fn session(&self, email: &str) -> &Session {
        self.session.get_or_init(|| log_in_operator(&self.server, email, PASSWORD)).await
    }
}

/// Logs an operator in as a browser does: a CSRF token first, then the log-in.
pub async fn log_in_operator(server: &Server, email: &str, password: &str) -> Session {
    let visit = server.get("/admin/updateCsrfToken").await;
    let csrf = visit.json()["data"]["csrf_token"].as_str().unwrap().to_owned();
    let request = server
        .request(reqwest::Method::POST, "/admin/check-login")
        .header("cookie", cookie_of(&visit))
        .header("x-csrf-token", csrf)
        .json(&json!({ "email": email, "password": password }));
    let answer = server.send(request).await;
    assert_eq!(answer.status, 200, "{:#}", answer.json());
    let csrf = answer.json()["data"]["csrf_token"].as_str().unwrap().to_owned();
    Session { cookie: cookie_of(&answer), csrf }
}

/// The cookie that a response sets, in the form that is sent back.
pub fn cookie_of(answer: &Got) -> String {
    let cookie = answer.header("set-cookie");
    cookie.split(';').next().expect("a cookie").to_owned()
}

/// The request for an operation: path fields in the path, the others in query or body.
pub fn request_for(server: &Server, entry: &Entry, input: Value) -> RequestBuilder {
    let Value::Object(mut fields) = input else { panic!("an input is an object") };
    for (_, field) in entry.path_fields() {
        // A test that is not about the record omits its id.
        fields.entry(field).or_insert(json!("1"));
    }
    let path = entry.fill_path(&mut fields).expect("every path field");
    let path = format!("{}{path}", entry.interface.base());
    let method = match entry.method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Delete => reqwest::Method::DELETE,
    };
    let mut request = server.request(method, &path);
    if entry.takes_bytes() {
        let content = fields.remove("content").unwrap_or_default();
        let content: Option<FileContent> = serde_json::from_value(content).ok();
        request = request.body(content.map_or_else(Vec::new, |content| content.to_vec()));
    } else if entry.method.has_body() {
        return request.json(&fields);
    }
    let pairs: Vec<(String, String)> = fields
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().map_or(value.to_string(), Into::into)))
        .collect();
    request.query(&pairs)
}

impl Door for HttpDoor {
    async fn call(&self, operation: &str, caller: &Caller, input: Value) -> Value {
        let entry = catalog().named(operation).unwrap_or_else(|| panic!("no {operation}"));
        let mut request =
            request_for(&self.server, entry, input).header("prefer", "handling=strict");
        if entry.interface == Interface::Admin {
            let session = self.session(&caller.email).await;
            request =
                request.header("cookie", &session.cookie).header("x-csrf-token", &session.csrf);
        } else if let Some(token) = &caller.token {
            request = request.bearer_auth(token);
        }
        let got = self.server.send(request).await;
        if got.header("content-type") == "application/json" {
            if got.status == 200 {
                crate::conforming::check(entry, &got.json());
            }
            got.json()
        } else {
            json!(String::from_utf8_lossy(&got.bytes[..got.bytes.len().min(8)]))
        }
    }
}
