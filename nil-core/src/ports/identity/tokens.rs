//! What a provider has signed: ID tokens, and log-out tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Client, Failure, Providers};
use crate::kernel::Time;

/// The longest token, in bytes.
const LONGEST: usize = 32 * 1024;
/// How far the clocks of a provider and of the platform may be apart.
const APART: TimeDelta = TimeDelta::seconds(60);
/// How old a log-out token may be that does not say when it ends.
const LOG_OUT_LIVES: TimeDelta = TimeDelta::minutes(5);
/// The event of a log-out token.
const LOGGED_OUT: &str = "http://schemas.openid.net/event/backchannel-logout";
/// The longest name of a person, of a session and of a token, in bytes.
const LONGEST_NAME: usize = 255;

/// Why a token is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// Its key is not among those that are known.
    UnknownKey,
    /// It is not to be trusted.
    Wrong(&'static str),
}

impl From<Unread> for Failure {
    fn from(unread: Unread) -> Self {
        Self::refused(match unread {
            Unread::UnknownKey => "the token's key is not among the provider's",
            Unread::Wrong(why) => why,
        })
    }
}

/// Who signed on.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// The name under which the provider knows the person.
    pub subject: String,
    /// The name of the provider's session.
    pub sid: Option<String>,
    claims: Map<String, Value>,
}

impl Person {
    /// A claim about the person: by its name, or by a JSON pointer that begins with a slash.
    #[must_use]
    pub fn claim(&self, name: &str) -> Option<&Value> {
        let Some(path) = name.strip_prefix('/') else { return self.claims.get(name) };
        let mut steps = path.split('/').map(|step| step.replace("~1", "/").replace("~0", "~"));
        let first = self.claims.get(&steps.next()?)?;
        steps.try_fold(first, |value, step| value.get(step))
    }

    /// The texts of a claim, which is one or a list.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<&str> {
        match self.claim(name) {
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(one)) => vec![one],
            _ => Vec::new(),
        }
    }

    /// The person's e-mail, if the provider has verified it.
    #[must_use]
    pub fn verified_email(&self) -> Option<&str> {
        let is_verified = self.claim("email_verified") == Some(&Value::Bool(true));
        self.claim("email").and_then(Value::as_str).filter(|_| is_verified)
    }

    /// Adds what the provider tells besides the token, which counts more.
    pub(super) fn learn(&mut self, more: Map<String, Value>) {
        for (name, value) in more {
            self.claims.entry(name).or_insert(value);
        }
    }
}

/// A session that a provider has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedOut {
    /// The provider's session; without it all of the person's.
    pub sid: Option<String>,
    /// The person.
    pub subject: Option<String>,
    /// The name of the message, which counts once.
    pub jti: String,
    /// Until when the message could count.
    pub until: Time,
}

/// The claims that every token has.
#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: Value,
    iat: i64,
    exp: Option<i64>,
    nbf: Option<i64>,
    azp: Option<String>,
    sub: Option<String>,
    sid: Option<String>,
    nonce: Option<String>,
    jti: Option<String>,
    events: Option<Map<String, Value>>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl Claims {
    /// Whether the token is of this provider, for this client, and of now.
    fn check(&self, client: &Client, now: Time) -> Result<(), Unread> {
        if self.iss != client.issuer {
            return Err(Unread::Wrong("the token is another provider's"));
        }
        let (mine, others) = match &self.aud {
            Value::String(one) => (*one == client.id, false),
            Value::Array(all) => (all.iter().any(|aud| *aud == *client.id), all.len() > 1),
            _ => (false, false),
        };
        // A token for several names the one that it was made for.
        let made_for = self.azp.as_deref();
        let made_for_another = made_for.is_some_and(|azp| azp != client.id);
        if !mine || made_for_another || (others && made_for.is_none()) {
            return Err(Unread::Wrong("the token is for another client"));
        }
        let (early, late) = ((now - APART).timestamp(), (now + APART).timestamp());
        if self.exp.is_some_and(|exp| exp <= early) {
            return Err(Unread::Wrong("the token has expired"));
        }
        if self.iat > late || self.nbf.is_some_and(|nbf| nbf > late) {
            return Err(Unread::Wrong("the token is of a later time"));
        }
        let names = [&self.sub, &self.sid, &self.jti];
        if names.into_iter().flatten().any(|it| it.is_empty() || it.len() > LONGEST_NAME) {
            return Err(Unread::Wrong("a name in the token is empty or too long"));
        }
        Ok(())
    }
}

/// Reads an ID token, which must repeat the nonce.
pub(super) fn person(
    keys: &[Jwk],
    client: &Client,
    (token, nonce): (&str, &str),
    now: Time,
) -> Result<Person, Unread> {
    let claims = verified(keys, token)?;
    claims.check(client, now)?;
    if claims.exp.is_none() {
        return Err(Unread::Wrong("the ID token never ends"));
    }
    if claims.nonce.as_deref() != Some(nonce) || claims.events.is_some() {
        return Err(Unread::Wrong("the ID token is of another sign-on"));
    }
    let subject = claims.sub.ok_or(Unread::Wrong("the ID token names nobody"))?;
    Ok(Person { subject, sid: claims.sid, claims: claims.others })
}

fn logged_out(keys: &[Jwk], client: &Client, token: &str, now: Time) -> Result<LoggedOut, Unread> {
    let claims = verified(keys, token)?;
    claims.check(client, now)?;
    let issued = Time::from_timestamp(claims.iat, 0).ok_or(Unread::Wrong("no such time"))?;
    let ends = match claims.exp {
        Some(exp) => Time::from_timestamp(exp, 0).ok_or(Unread::Wrong("no such time"))?,
        None => issued + LOG_OUT_LIVES,
    };
    let until = ends.min(issued + TimeDelta::days(1)) + APART;
    if until <= now {
        return Err(Unread::Wrong("the log-out token has expired"));
    }
    let told = claims.events.as_ref().and_then(|events| events.get(LOGGED_OUT));
    if !told.is_some_and(Value::is_object) || claims.nonce.is_some() {
        return Err(Unread::Wrong("this is no log-out token"));
    }
    if claims.sid.is_none() && claims.sub.is_none() {
        return Err(Unread::Wrong("the log-out token names nobody"));
    }
    let jti = claims.jti.ok_or(Unread::Wrong("the log-out token has no name"))?;
    Ok(LoggedOut { sid: claims.sid, subject: claims.sub, jti, until })
}

impl Providers {
    /// Reads a message that ends sessions.
    pub async fn log_out(
        &self,
        client: &Client,
        token: &str,
        now: Time,
    ) -> Result<LoggedOut, Failure> {
        let known = self.known(&client.issuer, now).await?;
        match logged_out(&known.keys, client, token, now) {
            Err(Unread::UnknownKey) => {
                let known = self.with_new_keys(&client.issuer, now).await?;
                Ok(logged_out(&known.keys, client, token, now)?)
            }
            read => Ok(read?),
        }
    }
}

/// The issuer that a log-out token claims, and whom it claims to be for, before anything of it is
/// checked.
#[must_use]
pub fn log_out_issuer(token: &str) -> Option<(String, Vec<String>)> {
    #[derive(Deserialize)]
    struct Claimed {
        iss: String,
        aud: Value,
    }
    let body = Some(token).filter(|it| it.len() <= LONGEST)?.split('.').nth(1)?;
    let claimed: Claimed = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).ok()?).ok()?;
    let clients = match claimed.aud {
        Value::String(one) => vec![one],
        Value::Array(all) => {
            all.iter().take(10).filter_map(|aud| aud.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    };
    Some((claimed.iss, clients))
}

/// The claims of a token whose signature is right.
fn verified(keys: &[Jwk], token: &str) -> Result<Claims, Unread> {
    if token.len() > LONGEST {
        return Err(Unread::Wrong("the token is too long"));
    }
    let header = decode_header(token).map_err(|_| Unread::Wrong("this is no signed token"))?;
    let fits = |key: &&Jwk| {
        let use_of = key.common.public_key_use.as_ref();
        let signs = use_of.is_none_or(|it| *it == PublicKeyUse::Signature);
        let named = header.kid.is_none() || key.common.key_id == header.kid;
        signs && named && algorithms(key).contains(&header.alg)
    };
    let mut fitting = keys.iter().filter(fits);
    let key = fitting.next().ok_or(Unread::UnknownKey)?;
    if fitting.next().is_some() {
        return Err(Unread::Wrong("the token does not name its key"));
    }
    let mut rules = Validation::new(header.alg);
    rules.algorithms = algorithms(key);
    // The platform's clock decides, and the rest is checked by `Claims::check`.
    rules.validate_exp = false;
    rules.validate_aud = false;
    rules.required_spec_claims.clear();
    let wrong = Unread::Wrong("the token's signature is wrong");
    let decoding = DecodingKey::from_jwk(key).map_err(|_| wrong.clone())?;
    decode::<Claims>(token, &decoding, &rules).map(|read| read.claims).map_err(|_| wrong)
}

/// The algorithms that a key may sign with: none with a secret that both sides have.
fn algorithms(key: &Jwk) -> Vec<Algorithm> {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    let all: &[Algorithm] = match &key.algorithm {
        AlgorithmParameters::RSA(_) => &[RS256, RS384, RS512, PS256, PS384, PS512],
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => &[ES256],
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P384 => &[ES384],
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => &[EdDSA],
        _ => &[],
    };
    let own = key.common.key_algorithm;
    let named = |it: &&Algorithm| own.is_none_or(|own| own == KeyAlgorithm::from(**it));
    all.iter().filter(named).copied().collect()
}
