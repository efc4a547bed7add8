//! What a provider says of itself, and the keys that it signs with.

use std::sync::Arc;

use chrono::TimeDelta;
use jsonwebtoken::jwk::Jwk;
use reqwest::{StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Failure, LARGEST, Providers};
use crate::kernel::Time;
use crate::ports::outbound::Answer;

/// How long a description counts.
const COUNTS_FOR: TimeDelta = TimeDelta::hours(1);
/// How long keys are not fetched again for a name that is not among them.
const KEYS_REST: TimeDelta = TimeDelta::seconds(30);
/// The number of keys that are kept of a provider.
const MOST_KEYS: usize = 100;

/// A provider's description of itself.
#[derive(Clone, Debug, Deserialize)]
pub struct Described {
    issuer: String,
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    jwks_uri: String,
    pub(super) userinfo_endpoint: Option<String>,
    #[serde(default)]
    pub(super) token_endpoint_auth_methods_supported: Vec<String>,
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
}

/// What is kept of a provider.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) described: Described,
    read_at: Time,
    pub(super) keys: Vec<Jwk>,
    keys_at: Time,
}

impl Known {
    fn counts(&self, now: Time) -> bool {
        self.read_at <= now && now - self.read_at < COUNTS_FOR
    }
}

impl Providers {
    /// What a provider says of itself, at most an hour old.
    pub async fn described(&self, issuer: &str, now: Time) -> Result<Described, Failure> {
        Ok(self.known(issuer, now).await?.described.clone())
    }

    pub(super) async fn known(&self, issuer: &str, now: Time) -> Result<Arc<Known>, Failure> {
        if let Some(known) = self.kept(issuer).filter(|known| known.counts(now)) {
            return Ok(known);
        }
        let at = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let described: Described = self.read(&at, None).await?;
        if described.issuer != issuer {
            let why = format!("it names itself {}, not {issuer}", described.issuer);
            return Err(Failure::refused(why));
        }
        let named = [&described.authorization_endpoint, &described.token_endpoint];
        let named = named.into_iter().chain([&described.jwks_uri]);
        for address in named.chain(&described.userinfo_endpoint) {
            let accepted = self.outbound.accepts(address);
            accepted.map_err(|why| Failure::refused(format!("{address}: {why}")))?;
        }
        let keys = self.keys(&described).await?;
        Ok(self.keep(issuer, Known { described, read_at: now, keys, keys_at: now }))
    }

    /// What is known of a provider, with its keys fetched again: once in a while at most.
    pub(super) async fn with_new_keys(
        &self,
        issuer: &str,
        now: Time,
    ) -> Result<Arc<Known>, Failure> {
        let known = self.known(issuer, now).await?;
        if known.keys_at <= now && now - known.keys_at < KEYS_REST {
            return Ok(known);
        }
        let keys = self.keys(&known.described).await?;
        Ok(self.keep(issuer, Known { keys, keys_at: now, ..(*known).clone() }))
    }

    async fn keys(&self, described: &Described) -> Result<Vec<Jwk>, Failure> {
        #[derive(Deserialize)]
        struct Keys {
            keys: Vec<Value>,
        }
        let found: Keys = self.read(&described.jwks_uri, None).await?;
        // A key of a kind that is not known here does not spoil the others.
        let known = found.keys.into_iter().take(MOST_KEYS);
        Ok(known.filter_map(|key| serde_json::from_value(key).ok()).collect())
    }

    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        address: &str,
        bearer: Option<&str>,
    ) -> Result<T, Failure> {
        let answer = self.outbound.get_here(address, bearer).await;
        let answer = answer.map_err(|why| Failure::down(format!("{}: {why}", host(address))))?;
        if answer.status != StatusCode::OK {
            let why = format!("{} answered {}", host(address), answer.status.as_u16());
            return Err(Failure::down(why));
        }
        parsed(address, &answer)
    }
}

/// The JSON of an answer.
pub(super) fn parsed<T: DeserializeOwned>(address: &str, answer: &Answer) -> Result<T, Failure> {
    if answer.body.len() >= LARGEST {
        return Err(Failure::down(format!("{} answered too much", host(address))));
    }
    serde_json::from_slice(&answer.body)
        .map_err(|error| Failure::down(format!("{} answered no such JSON: {error}", host(address))))
}

/// The host of an address, for messages.
pub(super) fn host(address: &str) -> String {
    let url = Url::parse(address).ok();
    let host = url.as_ref().and_then(Url::host_str);
    host.unwrap_or("the provider").to_owned()
}
