//! An identity provider on this machine that speaks OpenID Connect, and lies as it is told.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex};

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256,
    RsaKeyPair,
};
use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use nil_core::Config;
use nil_core::kernel::Time;
use reqwest::Url;
use serde_json::{Map, Value, json};

use crate::gate::Gate;
use crate::serving::Serving;

/// What the platform is at the provider.
pub const CLIENT: &str = "nil-suites";
/// Its secret there, with letters that a form encodes.
pub const SECRET: &str = "a secret: with/letters & signs";

/// A key that the provider signs with.
pub enum Key {
    /// RS256.
    Rsa(Box<RsaKeyPair>),
    /// ES256.
    Curve(Box<EcdsaKeyPair>),
    /// `EdDSA`.
    Edwards(Box<Ed25519KeyPair>),
}

impl Key {
    /// A new key for RS256.
    pub fn rsa() -> Self {
        Self::Rsa(Box::new(RsaKeyPair::generate(KeySize::Rsa2048).expect("a key")))
    }

    /// A new key for ES256.
    pub fn curve() -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING);
        Self::Curve(Box::new(key.expect("a key")))
    }

    /// A new key for `EdDSA`.
    pub fn edwards() -> Self {
        Self::Edwards(Box::new(Ed25519KeyPair::generate().expect("a key")))
    }

    fn algorithm(&self) -> &'static str {
        match self {
            Self::Rsa(_) => "RS256",
            Self::Curve(_) => "ES256",
            Self::Edwards(_) => "EdDSA",
        }
    }

    fn public(&self, name: &str) -> Value {
        let encoded = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        match self {
            Self::Rsa(key) => {
                let public = key.public_key();
                let modulus = public.modulus().big_endian_without_leading_zero().to_vec();
                let exponent = public.exponent().big_endian_without_leading_zero().to_vec();
                json!({
                    "kty": "RSA", "kid": name, "use": "sig", "alg": "RS256",
                    "n": encoded(&modulus), "e": encoded(&exponent),
                })
            }
            Self::Curve(key) => {
                let point = key.public_key().as_ref();
                json!({
                    "kty": "EC", "crv": "P-256", "kid": name, "use": "sig",
                    "x": encoded(&point[1..33]), "y": encoded(&point[33..]),
                })
            }
            Self::Edwards(key) => json!({
                "kty": "OKP", "crv": "Ed25519", "kid": name,
                "x": encoded(key.public_key().as_ref()),
            }),
        }
    }

    /// A token with these claims.
    pub fn sign(&self, name: &str, claims: &Value) -> String {
        let header = json!({ "alg": self.algorithm(), "kid": name, "typ": "JWT" });
        let signed = joined(&header, claims);
        let mark = match self {
            Self::Rsa(key) => {
                let mut mark = vec![0; key.public_modulus_len()];
                let random = SystemRandom::new();
                key.sign(&RSA_PKCS1_SHA256, &random, signed.as_bytes(), &mut mark).expect("a mark");
                mark
            }
            Self::Curve(key) => {
                let mark = key.sign(&SystemRandom::new(), signed.as_bytes());
                mark.expect("a mark").as_ref().to_vec()
            }
            Self::Edwards(key) => key.sign(signed.as_bytes()).as_ref().to_vec(),
        };
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mark))
    }
}

fn joined(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", part(header), part(claims))
}

/// A token that is signed by nobody.
pub fn unsigned(claims: &Value) -> String {
    format!("{}.", joined(&json!({ "alg": "none" }), claims))
}

/// A token that is signed with a secret that both sides have.
pub fn signed_with(secret: &[u8], claims: &Value) -> String {
    let signed = joined(&json!({ "alg": "HS256", "typ": "JWT" }), claims);
    let mark = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mark))
}

/// Makes the ID token of the claims.
type Maker = Arc<dyn Fn(&Books, Value) -> String + Send + Sync>;

#[derive(Clone)]
struct Asked {
    redirect_uri: String,
    challenge: String,
    claims: Value,
}

struct Inner {
    keys: Vec<(String, Key)>,
    codes: HashMap<String, Asked>,
    issued: u32,
    make: Option<Maker>,
    /// What is told besides the ID token.
    userinfo: Option<Value>,
    /// Whether it takes the client's secret in the body.
    in_body: bool,
    down: bool,
    requests: Vec<String>,
}

/// A provider; it stops with the value.
pub struct Provider {
    books: Books,
    _serving: Serving,
}

impl Deref for Provider {
    type Target = Books;
    fn deref(&self) -> &Books {
        &self.books
    }
}

/// What a provider knows, and how it behaves.
#[derive(Clone)]
pub struct Books {
    issuer: String,
    inner: Arc<Mutex<Inner>>,
}

impl Provider {
    /// A provider that signs with this key.
    pub async fn start(key: Key) -> Self {
        Self::known_as(str::to_owned, key).await
    }

    /// A provider behind this line, which leads nowhere yet.
    pub async fn behind(gate: &Gate, key: Key) -> Self {
        let known_as = |address: &str| {
            gate.leads_to(address);
            gate.at(address)
        };
        Self::known_as(known_as, key).await
    }

    /// A provider with a name that is made of its address.
    async fn known_as(name: impl FnOnce(&str) -> String, key: Key) -> Self {
        let inner = Arc::new(Mutex::new(Inner {
            keys: vec![("first".to_owned(), key)],
            codes: HashMap::new(),
            issued: 0,
            make: None,
            userinfo: None,
            in_body: false,
            down: false,
            requests: Vec::new(),
        }));
        let mut books = Books { issuer: String::new(), inner };
        let serving = Serving::at(|address| {
            books.issuer = name(address);
            Router::new()
                .route("/.well-known/openid-configuration", get(describe))
                .route("/keys", get(keys))
                .route("/token", post(token))
                .route("/me", get(me))
                .with_state(books.clone())
        });
        let serving = serving.await;
        Self { books, _serving: serving }
    }
}

impl Books {
    /// The name that it has for itself.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The paths that were asked, in order.
    pub fn requests(&self) -> Vec<String> {
        self.inner.lock().unwrap().requests.clone()
    }

    /// From now on it signs with another key; those before are forgotten.
    pub fn rotate(&self, name: &str, key: Key) {
        self.inner.lock().unwrap().keys = vec![(name.to_owned(), key)];
    }

    /// Whether it answers with errors.
    pub fn is_down(&self, down: bool) {
        self.inner.lock().unwrap().down = down;
    }

    /// Takes the client's secret in the body alone.
    pub fn takes_bodies(&self) {
        self.inner.lock().unwrap().in_body = true;
    }

    /// Tells this besides the ID token.
    pub fn tells(&self, userinfo: Value) {
        self.inner.lock().unwrap().userinfo = Some(userinfo);
    }

    /// From now on it makes ID tokens this way.
    pub fn makes(&self, make: impl Fn(&Self, Value) -> String + Send + Sync + 'static) {
        self.inner.lock().unwrap().make = Some(Arc::new(make));
    }

    /// Signs claims with its newest key.
    pub fn sign(&self, claims: &Value) -> String {
        let inner = self.inner.lock().unwrap();
        let (name, key) = inner.keys.last().expect("a key");
        key.sign(name, claims)
    }

    /// A person signs on at the address that a browser was led to: returns what comes back.
    pub fn sign_on(&self, address: &str, now: Time, person: Value) -> Map<String, Value> {
        let url = Url::parse(address).expect("an address");
        let asked: HashMap<_, _> = url.query_pairs().into_owned().collect();
        assert!(address.starts_with(&format!("{}/authorize?", self.issuer)), "{address}");
        assert_eq!(asked["response_type"], "code");
        assert_eq!(asked["client_id"], CLIENT);
        assert_eq!(asked["code_challenge_method"], "S256");
        assert!(asked["scope"].split(' ').any(|scope| scope == "openid"));
        let mut claims = json!({
            "iss": self.issuer, "aud": CLIENT, "nonce": asked["nonce"],
            "iat": now.timestamp(), "exp": now.timestamp() + 300,
        });
        let claimed = claims.as_object_mut().expect("claims");
        claimed.extend(person.as_object().expect("claims").clone());
        let mut inner = self.inner.lock().unwrap();
        inner.issued += 1;
        let code = format!("code-{}", inner.issued);
        let redirect_uri = asked["redirect_uri"].clone();
        let challenge = asked["code_challenge"].clone();
        inner.codes.insert(code.clone(), Asked { redirect_uri, challenge, claims });
        let back = json!({ "state": asked["state"], "code": code, "iss": self.issuer });
        back.as_object().expect("fields").clone()
    }
}

/// Lets the platform reach providers on this machine.
pub fn providers_nearby(config: &mut Config) {
    config.sign_on_networks = vec!["127.0.0.1".parse().expect("an address")];
}

struct Json(Value);

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        ([(CONTENT_TYPE, "application/json")], self.0.to_string()).into_response()
    }
}

type Shared = State<Books>;

fn heard(inner: &Mutex<Inner>, path: &str) -> Option<Response> {
    let mut inner = inner.lock().unwrap();
    inner.requests.push(path.to_owned());
    inner.down.then(|| StatusCode::SERVICE_UNAVAILABLE.into_response())
}

async fn describe(State(Books { issuer, inner }): Shared) -> Response {
    if let Some(down) = heard(&inner, "description") {
        return down;
    }
    let mut described = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "authorization_response_iss_parameter_supported": true,
    });
    if inner.lock().unwrap().in_body {
        described["token_endpoint_auth_methods_supported"] =
            json!(["client_secret_basic", "client_secret_post"]);
    }
    if inner.lock().unwrap().userinfo.is_some() {
        described["userinfo_endpoint"] = format!("{issuer}/me").into();
    }
    Json(described).into_response()
}

async fn keys(State(Books { inner, .. }): Shared) -> Response {
    if let Some(down) = heard(&inner, "keys") {
        return down;
    }
    let inner = inner.lock().unwrap();
    // A key of a kind that nobody knows stands before the others.
    let strange = json!({ "kty": "AKP", "kid": "strange", "alg": "ML-DSA-44", "pub": "AAAA" });
    let keys = inner.keys.iter().map(|(name, key)| key.public(name));
    Json(json!({ "keys": std::iter::once(strange).chain(keys).collect::<Value>() })).into_response()
}

async fn token(
    State(Books { issuer, inner }): Shared,
    headers: HeaderMap,
    body: String,
) -> Response {
    if let Some(down) = heard(&inner, "token") {
        return down;
    }
    let refused =
        |why: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": why }))).into_response();
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let own =
        format!("Basic {}", STANDARD.encode(format!("{}:{}", encoded(CLIENT), encoded(SECRET))));
    let sent: HashMap<_, _> = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let in_header = headers.get("authorization").and_then(|it| it.to_str().ok());
    let in_body = inner.lock().unwrap().in_body;
    let is_known = match in_body {
        true => sent["client_id"] == CLIENT && sent["client_secret"] == SECRET,
        false => in_header == Some(own.as_str()) && !sent.contains_key("client_secret"),
    };
    if !is_known {
        return refused("invalid_client");
    }
    let found = inner.lock().unwrap().codes.remove(&sent["code"]);
    let Some(asked) = found else { return refused("invalid_grant") };
    let challenge = digest(&SHA256, sent["code_verifier"].as_bytes());
    let bound = URL_SAFE_NO_PAD.encode(challenge) == asked.challenge;
    if !bound || sent["redirect_uri"] != asked.redirect_uri {
        return refused("invalid_grant");
    }
    let make = inner.lock().unwrap().make.clone();
    let books = Books { issuer, inner };
    let id_token = match make {
        Some(make) => make(&books, asked.claims),
        None => books.sign(&asked.claims),
    };
    Json(json!({ "access_token": "let-me-in", "token_type": "Bearer", "id_token": id_token }))
        .into_response()
}

async fn me(State(Books { inner, .. }): Shared, headers: HeaderMap) -> Response {
    if let Some(down) = heard(&inner, "me") {
        return down;
    }
    if headers.get("authorization").and_then(|it| it.to_str().ok()) != Some("Bearer let-me-in") {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    Json(json!(inner.lock().unwrap().userinfo)).into_response()
}
