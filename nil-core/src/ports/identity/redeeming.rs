//! A sign-on at a provider: the address where it begins, and the code that it ends with.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use reqwest::{StatusCode, Url};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::discovery::{host, parsed};
use super::tokens::{self, Person};
use super::{Client, Described, Failure, Providers};
use crate::kernel::Time;

/// What is asked of a provider about a person.
const SCOPE: &str = "openid email profile";

/// A sign-on that was begun.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The name of the sign-on, which comes back with the code.
    pub state: String,
    /// What the ID token must repeat.
    pub nonce: String,
    /// The secret that the code is bound to (RFC 7636).
    pub verifier: String,
    /// The page that the provider leads back to.
    pub redirect_uri: String,
}

impl Described {
    /// The address that a browser is led to.
    pub fn address(&self, client: &Client, asked: &Asked, hint: &str) -> Result<String, Failure> {
        let challenge = digest(&SHA256, asked.verifier.as_bytes());
        let mut url = Url::parse(&self.authorization_endpoint)
            .map_err(|_| Failure::refused("its sign-on page has no web address"))?;
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &client.id)
            .append_pair("redirect_uri", &asked.redirect_uri)
            .append_pair("scope", SCOPE)
            .append_pair("state", &asked.state)
            .append_pair("nonce", &asked.nonce)
            .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(challenge.as_ref()))
            .append_pair("code_challenge_method", "S256")
            .append_pair("login_hint", hint);
        Ok(url.into())
    }
}

/// What came back from a provider.
#[derive(Clone, Debug)]
pub struct Redeemed<'a> {
    /// The code.
    pub code: &'a str,
    /// Who says so (RFC 9207).
    pub issuer: Option<&'a str>,
}

impl Providers {
    /// Exchanges a code for what the provider says of the person who signed on.
    pub async fn redeem(
        &self,
        client: &Client,
        (asked, back): (&Asked, Redeemed<'_>),
        now: Time,
    ) -> Result<Person, Failure> {
        let known = self.known(&client.issuer, now).await?;
        let described = &known.described;
        let named =
            back.issuer.is_some() || described.authorization_response_iss_parameter_supported;
        if named && back.issuer != Some(client.issuer.as_str()) {
            return Err(Failure::refused("the answer is another provider's"));
        }
        let sent = self.exchange(described, client, asked, back.code).await?;
        let read = tokens::person(&known.keys, client, (&sent.id_token, &asked.nonce), now);
        let mut person = match read {
            Err(tokens::Unread::UnknownKey) => {
                let known = self.with_new_keys(&client.issuer, now).await?;
                tokens::person(&known.keys, client, (&sent.id_token, &asked.nonce), now)?
            }
            read => read?,
        };
        // Providers may keep what they know of a person out of the ID token.
        if let Some(at) = &described.userinfo_endpoint
            && person.claim("email").is_none()
        {
            let more: Map<String, Value> = self.read(at, Some(&sent.access_token)).await?;
            if more.get("sub").and_then(Value::as_str) != Some(person.subject.as_str()) {
                return Err(Failure::refused("what it tells is of another person"));
            }
            person.learn(more);
        }
        Ok(person)
    }

    async fn exchange(
        &self,
        described: &Described,
        client: &Client,
        asked: &Asked,
        code: &str,
    ) -> Result<Sent, Failure> {
        let methods = &described.token_endpoint_auth_methods_supported;
        let has = |name: &str| methods.iter().any(|method| method == name);
        // Without a list the provider takes the secret in the header. In the body it is read the
        // same way by all: some do not decode what stands in the header.
        let in_body = has("client_secret_post");
        let mut pairs = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", asked.redirect_uri.as_str()),
            ("code_verifier", asked.verifier.as_str()),
        ];
        let mut headers = vec![
            ("content-type", "application/x-www-form-urlencoded".to_owned()),
            ("accept", "application/json".to_owned()),
        ];
        if in_body {
            pairs.push(("client_id", &client.id));
            pairs.push(("client_secret", client.secret.expose()));
        } else {
            headers.push(("authorization", basic(client)));
        }
        let at = &described.token_endpoint;
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let answer = self.outbound.post(at, &headers, body).await;
        let answer = answer.map_err(|why| Failure::down(format!("{}: {why}", host(at))))?;
        match answer.status {
            StatusCode::OK => parsed(at, &answer),
            StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED => {
                Err(Failure::refused(format!("{} refused the code", host(at))))
            }
            other => Err(Failure::down(format!("{} answered {}", host(at), other.as_u16()))),
        }
    }
}

/// What a provider gives for a code.
#[derive(Deserialize)]
struct Sent {
    access_token: String,
    id_token: String,
}

/// Name and secret are encoded as in a form before they are joined (RFC 6749, 2.3.1).
fn basic(client: &Client) -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(&client.id), encoded(client.secret.expose()));
    format!("Basic {}", STANDARD.encode(pair))
}
