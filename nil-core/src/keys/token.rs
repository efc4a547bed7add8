//! The bearer tokens of Core and Compliance: HS256 with a session row behind every one.

use std::sync::LazyLock;

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

use super::vault::{Vault, unauthenticated};
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Secret, Time};

vocabulary! {
    /// The interface a session belongs to. A token for one is invalid at the others.
    Audience {
        /// Athletes, brands, agents, fans.
        Core = "core",
        /// Compliance officers.
        Compliance = "compliance",
        /// Operators (a cookie, not a token).
        Admin = "admin",
    }
}

const ISSUER: &str = "nil";

/// The rules for tokens of each interface that has any, built once: every request reads a token.
static CORE: LazyLock<Validation> = LazyLock::new(|| rules(Audience::Core));
static COMPLIANCE: LazyLock<Validation> = LazyLock::new(|| rules(Audience::Compliance));

fn rules(aud: Audience) -> Validation {
    let mut rules = Validation::new(Algorithm::HS256);
    rules.set_issuer(&[ISSUER]);
    rules.set_audience(&[aud.as_str()]);
    rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    rules.leeway = 0;
    // The platform's clock decides, not the machine's.
    rules.validate_exp = false;
    rules
}

/// The claims of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The issuer.
    pub iss: String,
    /// The interface it is for.
    pub aud: Audience,
    /// The account's id.
    pub sub: String,
    /// The account's kind (or the portal role at log-in).
    pub kind: String,
    /// The session's secret name; its SHA-256 is the session row's key.
    pub jti: String,
    /// Issued at (seconds since 1970).
    pub iat: i64,
    /// Valid until (seconds since 1970).
    pub exp: i64,
}

impl Vault {
    /// Signs a token.
    pub fn sign(
        &self,
        aud: Audience,
        sub: i64,
        kind: &str,
        jti: &Secret,
        now: Time,
        until: Time,
    ) -> Result<Secret> {
        let claims = Claims {
            iss: ISSUER.into(),
            aud,
            sub: sub.to_string(),
            kind: kind.into(),
            jti: jti.expose().into(),
            iat: now.timestamp(),
            exp: until.timestamp(),
        };
        let key = EncodingKey::from_secret(self.jwt_key());
        encode(&Header::new(Algorithm::HS256), &claims, &key)
            .map(Secret::new)
            .map_err(Error::internal)
    }

    /// Reads a token: algorithm, signature, issuer, audience and time must all be right. The caller
    /// checks that its session still exists.
    pub fn read_token(&self, token: &str, aud: Audience, now: Time) -> Result<Claims> {
        // Longer than any valid token; skip the signature check.
        if token.len() > 2_048 {
            return Err(unauthenticated());
        }
        let rules = match aud {
            Audience::Core => &CORE,
            Audience::Compliance => &COMPLIANCE,
            Audience::Admin => return Err(unauthenticated()),
        };
        let key = DecodingKey::from_secret(self.jwt_key());
        let claims: Claims =
            decode(token, &key, rules).map_err(|error| unauthenticated().because(error))?.claims;
        if claims.exp <= now.timestamp() { Err(unauthenticated()) } else { Ok(claims) }
    }
}
