//! Events: their signatures, and what they concern.

use aws_lc_rs::hmac;
use serde_json::Value;

use super::calls::text;
use crate::kernel::{Secret, Time};
use crate::ports::processor::{Concern, ProcessorEvent};

/// Older and newer signatures are refused, in seconds.
const TOLERANCE: i64 = 300;

/// Whether one of the secrets has signed the body lately. Several signatures come while a secret is
/// replaced at the processor, and several secrets are ours if it has several endpoints.
pub(super) fn is_signed(header: &str, body: &[u8], secrets: &[Secret], now: Time) -> bool {
    let parts = || header.split(',').filter_map(|part| part.trim().split_once('='));
    let Some(at) = parts().find(|(name, _)| *name == "t").map(|(_, at)| at) else {
        return false;
    };
    let fresh = at.parse::<i64>().is_ok_and(|at| (now.timestamp() - at).abs() <= TOLERANCE);
    let signed = [at.as_bytes(), b".", body].concat();
    let marks: Vec<Vec<u8>> = parts()
        .filter(|(name, _)| *name == "v1")
        .filter_map(|(_, mark)| hex::decode(mark).ok())
        .collect();
    fresh
        && secrets.iter().any(|secret| {
            let key = hmac::Key::new(hmac::HMAC_SHA256, secret.expose().as_bytes());
            marks.iter().any(|mark| hmac::verify(&key, &signed, mark).is_ok())
        })
}

/// An event; `None` if the body is none.
pub(super) fn event(body: &[u8]) -> Option<ProcessorEvent> {
    let event: Value = serde_json::from_slice(body).ok()?;
    let (id, kind) = (text(&event, "/id"), text(&event, "/type"));
    (!id.is_empty()).then(|| ProcessorEvent { concern: concern(&event, &kind), id, kind })
}

fn concern(event: &Value, kind: &str) -> Concern {
    let object = text(event, "/data/object/id");
    let account = text(event, "/account");
    match kind.split_once('.') {
        Some(("account", "updated")) => Concern::Account(object),
        // A bank account that was added or replaced may let payouts go.
        Some(("account" | "capability" | "person", _)) if !account.is_empty() => {
            Concern::Account(account)
        }
        Some(("payment_intent" | "refund", _)) => Concern::Movement(object),
        Some(("charge", change)) if change.starts_with("refund.") => Concern::Movement(object),
        Some(("payout", _)) if !account.is_empty() => {
            Concern::Movement(format!("{account}/{object}"))
        }
        _ => Concern::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mark(secret: &str, at: i64, body: &[u8]) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let signed = [format!("{at}.").as_bytes(), body].concat();
        hex::encode(hmac::sign(&key, &signed))
    }

    #[test]
    fn any_secret_of_ours_and_any_signature_of_theirs_will_do() {
        let now = Time::UNIX_EPOCH + chrono::TimeDelta::seconds(1_000_000);
        let secrets = [Secret::new("whsec_one"), Secret::new("whsec_two")];
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
        assert!(!is_signed(&format!("t={at},v1={two}"), body, &[], now));
    }

    #[test]
    fn an_event_concerns_the_object_that_we_can_read_again() {
        let of = |kind: &str, account: Option<&str>| {
            let event = json!({ "id": "evt_1", "type": kind, "account": account,
                "data": { "object": { "id": "x_1" } } });
            event_of(&event).concern
        };
        let movement = |id: &str| Concern::Movement(id.into());
        let account = |id: &str| Concern::Account(id.into());
        assert_eq!(of("payment_intent.succeeded", None), movement("x_1"));
        assert_eq!(of("charge.refund.updated", None), movement("x_1"));
        assert_eq!(of("refund.failed", None), movement("x_1"));
        assert_eq!(of("payout.failed", Some("acct_1")), movement("acct_1/x_1"));
        assert_eq!(of("payout.paid", None), Concern::Nothing, "the platform's own payout");
        assert_eq!(of("account.updated", Some("acct_1")), account("x_1"));
        assert_eq!(of("account.external_account.updated", Some("acct_1")), account("acct_1"));
        assert_eq!(of("charge.succeeded", None), Concern::Nothing);
        assert!(event(b"{}").is_none() && event(b"no").is_none());
    }

    fn event_of(value: &Value) -> ProcessorEvent {
        event(value.to_string().as_bytes()).unwrap()
    }
}
