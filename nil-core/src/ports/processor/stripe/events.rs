//! Events, and what they concern.

use serde_json::Value;

use super::calls::text;
use crate::ports::processor::{Concern, ProcessorEvent};

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
        Some(("charge", change)) if change.starts_with("dispute.") => Concern::Dispute(object),
        Some(("radar", change)) if change.starts_with("early_fraud_warning.") => {
            Concern::Dispute(object)
        }
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
        let dispute = Concern::Dispute("x_1".into());
        assert_eq!(of("charge.dispute.funds_withdrawn", None), dispute);
        assert_eq!(of("radar.early_fraud_warning.created", None), dispute);
        assert_eq!(of("charge.succeeded", None), Concern::Nothing);
        assert!(event(b"{}").is_none() && event(b"no").is_none());
    }

    fn event_of(value: &Value) -> ProcessorEvent {
        event(value.to_string().as_bytes()).unwrap()
    }
}
