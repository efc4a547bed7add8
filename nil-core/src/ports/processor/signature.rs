//! Signatures of events: `t=SECONDS,v1=HMAC-SHA256` of the instant, a full stop and the body.

use aws_lc_rs::hmac;

use crate::kernel::Time;

/// Older and newer signatures are refused, in seconds, so that a recorded one cannot be replayed.
const TOLERANCE: i64 = 300;

/// Whether one of the keys has signed the body lately. Several signatures come while a secret is
/// replaced at the processor, and several keys are ours if it has several endpoints.
pub(super) fn is_signed<'a>(
    header: &str,
    body: &[u8],
    keys: impl IntoIterator<Item = &'a hmac::Key>,
    now: Time,
) -> bool {
    let parts = || header.split(',').filter_map(|part| part.trim().split_once('='));
    let Some(at) = parts().find(|(name, _)| *name == "t").map(|(_, at)| at) else {
        return false;
    };
    let fresh = at.parse::<i64>().is_ok_and(|at| (now.timestamp() - at).abs() <= TOLERANCE);
    let signed = signed(at, body);
    let marks: Vec<Vec<u8>> = parts()
        .filter(|(name, _)| *name == "v1")
        .filter_map(|(_, mark)| hex::decode(mark).ok())
        .collect();
    let verifies = |key| marks.iter().any(|mark| hmac::verify(key, &signed, mark).is_ok());
    fresh && keys.into_iter().any(verifies)
}

/// The header that signs a body at an instant.
pub(super) fn sign(key: &hmac::Key, at: Time, body: &[u8]) -> String {
    let at = at.timestamp().to_string();
    let mark = hmac::sign(key, &signed(&at, body));
    format!("t={at},v1={}", hex::encode(mark))
}

fn signed(at: &str, body: &[u8]) -> Vec<u8> {
    [at.as_bytes(), b".", body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(secret: &str) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes())
    }

    fn mark(secret: &str, at: i64, body: &[u8]) -> String {
        let signed = [format!("{at}.").as_bytes(), body].concat();
        hex::encode(hmac::sign(&key(secret), &signed))
    }

    #[test]
    fn any_secret_of_ours_and_any_signature_of_theirs_will_do() {
        let now = Time::UNIX_EPOCH + chrono::TimeDelta::seconds(1_000_000);
        let secrets = [key("whsec_one"), key("whsec_two")];
        let none: [hmac::Key; 0] = [];
        let body = "{\"name\":\"Zoë\"}".as_bytes();
        let (at, old) = (1_000_000, 1_000_000 - 301);
        let two = mark("whsec_two", at, body);
        let good = [
            format!("t={at},v1={two}"),
            format!("t={at},v1={},v1={two},v0=ab", mark("whsec_gone", at, body)),
            format!("t={at}, v1={two}"),
        ];
        for header in good {
            assert!(is_signed(&header, body, &secrets, now), "{header}");
        }
        let bad = [
            format!("t={old},v1={}", mark("whsec_two", old, body)),
            format!("t={},v1={two}", at + 1),
            format!("t={at},v1={}", mark("whsec_gone", at, body)),
            format!("t={at},v0={two}"),
            format!("v1={two}"),
            format!("t={at},v1=zz"),
            String::new(),
        ];
        for header in bad {
            assert!(!is_signed(&header, body, &secrets, now), "{header}");
        }
        assert!(!is_signed(&format!("t={at},v1={two}"), b"{}", &secrets, now));
        assert!(!is_signed(&format!("t={at},v1={two}"), body, &none, now));
    }
}
