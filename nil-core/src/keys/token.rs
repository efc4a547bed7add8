//! The bearer tokens of Core and Compliance: HS256, or `EdDSA` by configuration, with a session row
//! behind every one.

use std::sync::LazyLock;

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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

vocabulary! {
    /// How tokens are signed.
    TokenAlgorithm {
        /// With a secret: only servers of this platform can check them.
        Hs256 = "HS256",
        /// With a private key: whoever knows the public one can check them.
        EdDsa = "EdDSA",
    }
}

const ISSUER: &str = "nil";

/// The rules for tokens of each interface that has any, built once: every request reads a token.
static CORE: LazyLock<[Validation; 2]> = LazyLock::new(|| rules(Audience::Core));
static COMPLIANCE: LazyLock<[Validation; 2]> = LazyLock::new(|| rules(Audience::Compliance));

/// The rules for each algorithm.
fn rules(aud: Audience) -> [Validation; 2] {
    [Algorithm::HS256, Algorithm::EdDSA].map(|algorithm| {
        let mut rules = Validation::new(algorithm);
        rules.set_issuer(&[ISSUER]);
        rules.set_audience(&[aud.as_str()]);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        rules.leeway = 0;
        // The platform's clock decides, not the machine's.
        rules.validate_exp = false;
        rules
    })
}

/// The keys of tokens that belong to one master key.
pub(super) struct TokenKeys {
    secret: (EncodingKey, DecodingKey),
    pair: (EncodingKey, DecodingKey),
    /// The public key, in base 64.
    public: String,
    /// The name of the public key: the beginning of its SHA-256.
    name: String,
}

impl TokenKeys {
    pub(super) fn new(secret: [u8; 32], seed: &[u8; 32]) -> Result<Self> {
        let refused = || Error::internal("the key of tokens was refused");
        let pair = Ed25519KeyPair::from_seed_unchecked(seed).map_err(|_| refused())?;
        let private = pair.to_pkcs8v1().map_err(|_| refused())?;
        let public = pair.public_key().as_ref();
        Ok(Self {
            secret: (EncodingKey::from_secret(&secret), DecodingKey::from_secret(&secret)),
            pair: (EncodingKey::from_ed_der(private.as_ref()), DecodingKey::from_ed_der(public)),
            public: URL_SAFE_NO_PAD.encode(public),
            name: hex::encode(digest(&SHA256, public)).chars().take(16).collect(),
        })
    }
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
        let keys = self.token_keys().next().ok_or_else(|| Error::internal("no key of tokens"))?;
        let (header, key) = match self.signs_by {
            TokenAlgorithm::Hs256 => (Header::new(Algorithm::HS256), &keys.secret.0),
            TokenAlgorithm::EdDsa => {
                let header = Header::new(Algorithm::EdDSA);
                (Header { kid: Some(keys.name.clone()), ..header }, &keys.pair.0)
            }
        };
        encode(&header, &claims, key).map(Secret::new).map_err(Error::internal)
    }

    /// Reads a token: algorithm, signature, issuer, audience and time must all be right. The caller
    /// checks that its session still exists. Tokens of both algorithms are read, and those that
    /// were signed under an earlier secret key.
    pub fn read_token(&self, token: &str, aud: Audience, now: Time) -> Result<Claims> {
        // Longer than any valid token; skip the signature check.
        if token.len() > 2_048 {
            return Err(unauthenticated());
        }
        let [by_secret, by_pair] = match aud {
            Audience::Core => &*CORE,
            Audience::Compliance => &*COMPLIANCE,
            Audience::Admin => return Err(unauthenticated()),
        };
        let mut refused = unauthenticated();
        // Each key has its own algorithm, whatever the token says of itself.
        let keys = self.token_keys();
        for (key, rules) in
            keys.flat_map(|keys| [(&keys.secret.1, by_secret), (&keys.pair.1, by_pair)])
        {
            match decode::<Claims>(token, key, rules) {
                Ok(read) if read.claims.exp <= now.timestamp() => return Err(unauthenticated()),
                Ok(read) => return Ok(read.claims),
                Err(error) => refused = unauthenticated().because(error),
            }
        }
        Err(refused)
    }

    /// The public keys of tokens as a JWK set (RFC 7517); empty if tokens are signed with a secret.
    #[must_use]
    pub fn public_keys(&self) -> Value {
        let keys: Vec<Value> = match self.signs_by {
            TokenAlgorithm::Hs256 => Vec::new(),
            TokenAlgorithm::EdDsa => self.token_keys().map(TokenKeys::to_jwk).collect(),
        };
        json!({ "keys": keys })
    }
}

impl TokenKeys {
    fn to_jwk(&self) -> Value {
        json!({
            "kty": "OKP",
            "crv": "Ed25519",
            "use": "sig",
            "alg": TokenAlgorithm::EdDsa.as_str(),
            "kid": self.name,
            "x": self.public,
        })
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use jsonwebtoken::decode_header;

    use super::*;
    use crate::kernel::SystemRandom;
    use crate::keys::{MasterKey, new_token};

    fn noon() -> Time {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    fn signed(vault: &Vault) -> Secret {
        let now = noon();
        let name = new_token(&SystemRandom);
        vault.sign(Audience::Core, 7, "athlete", &name, now, now + TimeDelta::hours(1)).unwrap()
    }

    fn reads(vault: &Vault, token: &Secret) -> bool {
        vault.read_token(token.expose(), Audience::Core, noon()).is_ok()
    }

    #[test]
    fn tokens_of_both_algorithms_and_of_earlier_keys_are_read() {
        let first = MasterKey::generate(&SystemRandom);
        let second = first.rotated(&SystemRandom).unwrap();
        for algorithm in [TokenAlgorithm::Hs256, TokenAlgorithm::EdDsa] {
            let before = Vault::new(&first).unwrap().signing_by(algorithm);
            let token = signed(&before);
            assert!(reads(&before, &token));
            assert!(reads(&Vault::new(&second).unwrap(), &token), "{algorithm}");
            assert!(!reads(&Vault::new(&second.alone()).unwrap(), &token), "{algorithm}");
            let claims = before.read_token(token.expose(), Audience::Compliance, noon());
            assert!(claims.is_err(), "for another interface");
        }
    }

    /// A stranger checks a token with the published key alone.
    #[test]
    fn published_keys_check_tokens() {
        let key = MasterKey::generate(&SystemRandom).rotated(&SystemRandom).unwrap();
        let vault = Vault::new(&key).unwrap().signing_by(TokenAlgorithm::EdDsa);
        let set: jsonwebtoken::jwk::JwkSet = serde_json::from_value(vault.public_keys()).unwrap();
        assert_eq!(set.keys.len(), 2);
        let token = signed(&vault);
        let name = decode_header(token.expose()).unwrap().kid.unwrap();
        let jwk = set.find(&name).unwrap();
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_audience(&["core"]);
        // The day of the test is over.
        rules.validate_exp = false;
        let read = decode::<Claims>(token.expose(), &DecodingKey::from_jwk(jwk).unwrap(), &rules);
        assert_eq!(read.unwrap().claims.sub, "7");
        let secret = Vault::new(&key).unwrap();
        assert_eq!(secret.public_keys(), json!({ "keys": [] }));
    }

    /// The public key is known to everybody: it must not do as the secret of another algorithm.
    #[test]
    fn a_public_key_is_no_secret() {
        let key = MasterKey::generate(&SystemRandom);
        let vault = Vault::new(&key).unwrap().signing_by(TokenAlgorithm::EdDsa);
        let public = vault.public_keys()["keys"][0]["x"].as_str().unwrap().to_owned();
        let claims = decode::<Claims>(
            signed(&vault).expose(),
            &DecodingKey::from_ed_components(&public).unwrap(),
            &rules(Audience::Core)[1],
        );
        let claims = claims.unwrap().claims;
        for secret in [public.as_bytes().to_vec(), URL_SAFE_NO_PAD.decode(&public).unwrap()] {
            let forged =
                encode(&Header::new(Algorithm::HS256), &claims, &EncodingKey::from_secret(&secret));
            assert!(!reads(&vault, &Secret::new(forged.unwrap())));
        }
    }
}
