//! Signed requests over HTTP: the headers of the request's signature, and the signature of the
//! answer.

use std::sync::OnceLock;

use ::http::request::Parts;
use ::http::{HeaderMap, HeaderName, Response};

use super::admission::text;
use super::response::{Outgoing, put};
use crate::auth::signing::{SignedRequest, answer_text, sign};
use crate::auth::{Principal, api_key};
use crate::error::{Error, Result, codes};
use crate::kernel::{Secret, Time};
use crate::platform::Platform;

/// The token of the athlete on whose behalf a model host works.
pub(super) const ATHLETE_TOKEN: &str = "x-athlete-token";
const TIMESTAMP: HeaderName = HeaderName::from_static("x-timestamp");
const NONCE: HeaderName = HeaderName::from_static("x-nonce");
const SIGNATURE: HeaderName = HeaderName::from_static("x-signature");

/// The data for signing the answer to a request with a known key.
#[derive(Debug)]
pub(super) struct Countersign {
    /// The secrets that the service may have, the newest first.
    secrets: Vec<Secret>,
    /// The place of the one that it has signed with.
    used: OnceLock<usize>,
    nonce: String,
}

impl Countersign {
    /// For an answer to the service with this key.
    pub(super) fn new(platform: &Platform, key: &str, headers: &HeaderMap) -> Self {
        Self {
            secrets: api_key::signing_secrets(platform, &Secret::new(key)),
            used: OnceLock::new(),
            nonce: text(headers, NONCE).unwrap_or_default().to_owned(),
        }
    }

    /// Checks that the request is signed by the service and not replayed: 401 otherwise.
    pub(super) async fn check(
        &self,
        platform: &Platform,
        principal: &Principal,
        parts: &Parts,
        body: &[u8],
    ) -> Result<()> {
        let Principal::ModelHost { key, .. } = principal else {
            return Err(codes::FORBIDDEN.into());
        };
        let header = |name: &str| text(&parts.headers, name).unwrap_or_default();
        let target = parts.uri.path_and_query();
        let target = target.ok_or_else(|| Error::from(codes::SIGNATURE_INVALID))?;
        let request = SignedRequest {
            method: parts.method.as_str(),
            target: target.as_str(),
            timestamp: header(TIMESTAMP.as_str()),
            nonce: &self.nonce,
            token: header(ATHLETE_TOKEN),
            body,
        };
        let signature = header(SIGNATURE.as_str());
        let (at, place) = request.made_at(&self.secrets, signature, platform.now())?;
        let _ = self.used.set(place);
        platform.take_signed(*key, &self.nonce, at).await
    }

    /// Signs an answer.
    pub(super) fn sign(&self, response: &mut Response<Outgoing>, now: Time) {
        let Outgoing::Whole(body) = response.body() else {
            return;
        };
        let (status, at) = (response.status().as_u16(), now.timestamp());
        let used = self.used.get().copied().unwrap_or_default();
        let Some(secret) = self.secrets.get(used) else {
            return;
        };
        let signature = sign(secret, &answer_text(status, at, &self.nonce, body));
        let headers = response.headers_mut();
        put(headers, TIMESTAMP, &at.to_string());
        put(headers, NONCE, &self.nonce);
        put(headers, SIGNATURE, &signature);
    }
}
