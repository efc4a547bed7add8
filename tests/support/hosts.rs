//! Model hosts: services that sign what they send.

use nil_core::auth::athlete_token::AthleteToken;
use nil_core::auth::signing::{SignedRequest, answer_text, sign};
use nil_core::auth::{Principal, Scope, api_key};
use nil_core::kernel::{ApiKeyId, AthleteId, Secret, UserId};
use reqwest::RequestBuilder;

use crate::people::Person;
use crate::server::{Got, Server};
use crate::world::World;

/// A service with an API key.
#[derive(Clone, Debug)]
pub struct Host {
    pub id: ApiKeyId,
    pub key: Secret,
    pub signing: Secret,
}

/// A host's request before it is sent; tests can modify every part of it.
#[derive(Clone, Debug)]
pub struct Signed {
    pub path: String,
    pub timestamp: String,
    pub nonce: String,
    pub token: String,
    pub body: String,
    pub signature: String,
}

impl World {
    /// A service with a new key of this scope.
    pub async fn host(&self, scope: Scope) -> Host {
        let (key, secret) = api_key::create(&self.platform, "host", &[scope]).await.expect("a key");
        Host { id: key.id, signing: api_key::signing_secret(&self.platform, &secret), key: secret }
    }

    /// The token of an athlete.
    pub async fn athlete_token(&self, athlete: &Person) -> String {
        let id = AthleteId::new(athlete.id).unwrap();
        let AthleteToken { token, .. } = self.platform.mint_athlete_token(id).await.unwrap();
        token.expose().to_owned()
    }

    /// A model host working for an athlete, as the door admits it.
    pub fn model_host(&self, athlete: &Person) -> Principal {
        Principal::ModelHost {
            key: ApiKeyId::new(1).unwrap(),
            athlete_id: AthleteId::new(athlete.id).unwrap(),
            user_id: UserId::new(athlete.user_id).unwrap(),
        }
    }
}

impl Host {
    /// A request to one of the tools, signed now, with a fresh nonce.
    pub fn request(&self, world: &World, tool: &str, token: &str, body: &str) -> Signed {
        let mut nonce = [0; 16];
        world.platform.random().fill(&mut nonce);
        let mut signed = Signed {
            path: format!("/api/ai-tools/{tool}"),
            timestamp: world.platform.now().timestamp().to_string(),
            nonce: nonce.iter().map(|byte| format!("{byte:02x}")).collect(),
            token: token.to_owned(),
            body: body.to_owned(),
            signature: String::new(),
        };
        self.sign(&mut signed);
        signed
    }

    /// Signs it in its current form.
    pub fn sign(&self, request: &mut Signed) {
        let text = SignedRequest {
            method: "POST",
            target: &request.path,
            timestamp: &request.timestamp,
            nonce: &request.nonce,
            token: &request.token,
            body: request.body.as_bytes(),
        };
        request.signature = sign(&self.signing, &text.text());
    }

    /// The request as sent over HTTP.
    pub fn build(&self, server: &Server, request: &Signed) -> RequestBuilder {
        server
            .request(reqwest::Method::POST, &request.path)
            .header("x-api-key", self.key.expose())
            .header("x-athlete-token", &request.token)
            .header("x-timestamp", &request.timestamp)
            .header("x-nonce", &request.nonce)
            .header("x-signature", &request.signature)
            .header("content-type", "application/json")
            .body(request.body.clone())
    }

    /// Sends a request; the response must be signed, whatever it contains.
    pub async fn send(&self, server: &Server, request: &Signed) -> Got {
        let got = server.send(self.build(server, request)).await;
        assert!(self.has_signed(&got, &request.nonce), "{got:?}");
        got
    }

    /// Whether the answer to a request with this nonce is signed for this host.
    pub fn has_signed(&self, got: &Got, nonce: &str) -> bool {
        let at = got.header("x-timestamp").parse().unwrap_or_default();
        let text = answer_text(got.status, at, nonce, &got.bytes);
        got.header("x-nonce") == nonce && got.header("x-signature") == sign(&self.signing, &text)
    }
}
