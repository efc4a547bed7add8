//! Signed requests of services, and our signed answers: each side authenticates the other, and
//! recorded messages cannot be replayed.
//!
//! Both sides have the signing secret of the API key, which is derived and never stored. A
//! request's signature covers its method, address, time, nonce, token and body; an answer's covers
//! its status, its time, the request's nonce and its body. A nonce is valid once, across all
//! servers of the database.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac;
use chrono::TimeDelta;

use crate::error::{Result, codes};
use crate::kernel::{Secret, Time};

/// The maximum difference between a request's time and the server's, in either direction.
pub const TOLERANCE: TimeDelta = TimeDelta::seconds(300);

/// A received request, with the contents of its signature headers.
#[derive(Clone, Copy, Debug)]
pub struct SignedRequest<'a> {
    /// The method, such as `POST`.
    pub method: &'a str,
    /// Path and query as sent, such as `/api/ai-tools/deals`.
    pub target: &'a str,
    /// Seconds since 1970, as text: `X-Timestamp`.
    pub timestamp: &'a str,
    /// 16 to 64 letters, digits, `-` or `_`, never used before with this key: `X-Nonce`.
    pub nonce: &'a str,
    /// `X-Athlete-Token`.
    pub token: &'a str,
    /// The body.
    pub body: &'a [u8],
}

impl SignedRequest<'_> {
    /// The signed text: seven lines, the last of which is the SHA-256 of the body in hexadecimal.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { method, target, timestamp, nonce, token, body } = self;
        let body = hash(body);
        format!("nil-request-1\n{method}\n{target}\n{timestamp}\n{nonce}\n{token}\n{body}")
    }

    /// The request's time, and the place of the secret that it is signed with; otherwise 401
    /// `request_stale` or `signature_invalid`.
    pub fn made_at(&self, secrets: &[Secret], signature: &str, now: Time) -> Result<(Time, usize)> {
        if !is_nonce(self.nonce) {
            return Err(codes::SIGNATURE_INVALID.saying(
                "X-Nonce is missing, or is not 16 to 64 letters, digits, hyphens and underscores.",
            ));
        }
        let at = fresh(self.timestamp, now).ok_or(codes::REQUEST_STALE)?;
        let text = self.text();
        let place = secrets.iter().position(|secret| is_signature(secret, &text, signature));
        Ok((at, place.ok_or(codes::SIGNATURE_INVALID)?))
    }
}

/// The signed text of an answer: five lines.
#[must_use]
pub fn answer_text(status: u16, timestamp: i64, nonce: &str, body: &[u8]) -> String {
    let body = hash(body);
    format!("nil-answer-1\n{status}\n{timestamp}\n{nonce}\n{body}")
}

/// The signature of a text: HMAC-SHA256 with the secret's characters as the key, in hexadecimal.
#[must_use]
pub fn sign(secret: &Secret, text: &str) -> String {
    hex::encode(hmac::sign(&key(secret), text.as_bytes()))
}

fn key(secret: &Secret) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, secret.expose().as_bytes())
}

fn hash(body: &[u8]) -> String {
    hex::encode(digest(&SHA256, body))
}

/// Whether it is the signature of the text; compares in constant time.
fn is_signature(secret: &Secret, text: &str, signature: &str) -> bool {
    hex::decode(signature)
        .is_ok_and(|mark| hmac::verify(&key(secret), text.as_bytes(), &mark).is_ok())
}

fn is_nonce(text: &str) -> bool {
    (16..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
}

/// The instant of a request, if it is within the tolerance.
fn fresh(timestamp: &str, now: Time) -> Option<Time> {
    let at = Time::from_timestamp(timestamp.parse().ok()?, 0)?;
    ((now - at).abs() <= TOLERANCE).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: SignedRequest<'static> = SignedRequest {
        method: "POST",
        target: "/api/ai-tools/deals",
        timestamp: "1795176000",
        nonce: "0123456789abcdef",
        token: "7.1795176600.mark",
        body: br#"{"job_id":12}"#,
    };

    fn secret() -> Secret {
        Secret::new("4f1c0f6d3f6b0a1e5a3c1a2b7d9e8f00112233445566778899aabbccddeeff00")
    }

    /// The test vector in `docs/ai-tools.md`; created with openssl.
    #[test]
    fn signatures_are_those_of_the_documentation() {
        let page = include_str!("../../../docs/ai-tools.md");
        let request = sign(&secret(), &REQUEST.text());
        let answer = answer_text(200, 1_795_176_001, REQUEST.nonce, br#"{"status":"success"}"#);
        let answer = sign(&secret(), &answer);
        for told in [secret().expose(), &request, &answer, REQUEST.token] {
            assert!(page.contains(told), "the page does not say {told}");
        }
    }

    #[test]
    fn everything_that_is_signed_counts() {
        let right = sign(&secret(), &REQUEST.text());
        assert!(is_signature(&secret(), &REQUEST.text(), &right));
        let changed = [
            SignedRequest { method: "PUT", ..REQUEST },
            SignedRequest { target: "/api/ai-tools/payments", ..REQUEST },
            SignedRequest { timestamp: "1795176001", ..REQUEST },
            SignedRequest { nonce: "0123456789abcdeF", ..REQUEST },
            SignedRequest { token: "8.1795176600.mark", ..REQUEST },
            SignedRequest { body: br#"{"job_id":13}"#, ..REQUEST },
        ];
        for request in changed {
            assert!(!is_signature(&secret(), &request.text(), &right), "{request:?}");
        }
        for wrong in ["", "00", &right.to_uppercase()[1..], "zz"] {
            assert!(!is_signature(&secret(), &REQUEST.text(), wrong), "{wrong}");
        }
        assert!(!is_signature(&Secret::new("other"), &REQUEST.text(), &right));
        // A signed answer is not a valid signed request.
        let answer = answer_text(200, 1_795_176_000, REQUEST.nonce, REQUEST.body);
        assert!(!is_signature(&secret(), &answer, &right));
    }

    #[test]
    fn five_minutes_either_way_are_near_enough() {
        let now: Time = "2026-11-20T12:00:00Z".parse().unwrap();
        let near = |seconds: i64| fresh(&(now.timestamp() + seconds).to_string(), now).is_some();
        for (seconds, is) in [(0, true), (300, true), (-300, true), (301, false), (-301, false)] {
            assert_eq!(near(seconds), is, "{seconds}");
        }
        for wrong in ["", "now", "1795176000.5", "99999999999999999999", "-9223372036854775808"] {
            assert!(fresh(wrong, now).is_none(), "{wrong}");
        }
    }

    #[test]
    fn nonces_are_long_enough_to_be_nobody_elses() {
        for (text, is) in [
            ("0123456789abcdef", true),
            ("0123456789abcde", false),
            ("0123456789abcde ", false),
            ("0123456789abcde\u{e9}", false),
            ("", false),
        ] {
            assert_eq!(is_nonce(text), is, "{text:?}");
        }
        assert!(is_nonce(&"x".repeat(64)) && !is_nonce(&"x".repeat(65)));
    }
}
