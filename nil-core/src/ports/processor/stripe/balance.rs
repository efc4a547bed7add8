//! The statement: the balance transactions of the platform's own account, each with the object that
//! caused it.

use serde_json::Value;

use super::Stripe;
use super::answers::{KEY_OF_SOURCE, created, seconds_of};
use super::calls::{number, text};
use crate::kernel::{Cents, Time};
use crate::ports::processor::statement::PAGE;
use crate::ports::processor::{LineKind, Outage, StatementLine, StatementPage};

impl Stripe {
    /// A page of the statement, newest lines first.
    pub(super) async fn lines(
        &self,
        (from, until): (Time, Time),
        after: Option<String>,
    ) -> Result<StatementPage, Outage> {
        let query = [
            ("created[gte]", from.timestamp().to_string()),
            // The processor counts whole seconds.
            ("created[lt]", seconds_of(until).to_string()),
            ("expand[]", "data.source".into()),
        ];
        let (rows, next) = self.calls.page("balance_transactions", &query, None, after).await?;
        let lines = rows.iter().take(PAGE).map(line).collect();
        Ok(StatementPage { lines, next })
    }
}

fn line(object: &Value) -> StatementLine {
    let kind = kind(object);
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    let charge = match kind {
        LineKind::Charge | LineKind::ChargeFailed => text(object, "/source/payment_intent"),
        _ => String::new(),
    };
    StatementLine {
        id: text(object, "/id"),
        at: created(object),
        kind,
        key: some(text(object, KEY_OF_SOURCE)),
        source: some(charge)
            .or_else(|| some(text(object, "/source/id")))
            .or_else(|| some(text(object, "/source"))),
        amount: Cents(number(object, "/amount")),
        fee: Cents(number(object, "/fee")),
        currency: text(object, "/currency"),
    }
}

fn kind(object: &Value) -> LineKind {
    let gained = number(object, "/amount") > 0;
    match text(object, "/type").as_str() {
        "charge" | "payment" => LineKind::Charge,
        "payment_failure_refund" | "payment_reversal" => LineKind::ChargeFailed,
        "refund" | "payment_refund" => LineKind::Refund,
        "refund_failure" => LineKind::RefundFailed,
        "transfer" => LineKind::Payout,
        "transfer_refund" | "transfer_cancel" | "transfer_failure" => LineKind::PayoutReturned,
        "adjustment" if text(object, "/reporting_category").starts_with("dispute") => {
            if gained {
                LineKind::DisputeReturned
            } else {
                LineKind::Dispute
            }
        }
        "stripe_fee" | "stripe_fx_fee" | "tax_fee" | "network_cost" => LineKind::Fee,
        "payout" | "payout_cancel" | "payout_failure" => LineKind::OwnPayout,
        _ => LineKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_names_our_request_and_what_its_outcome_named() {
        let charge = json!({ "id": "txn_1", "type": "charge", "amount": 10_000, "fee": 320,
            "currency": "usd", "created": 1_795_000_000, "source": { "id": "ch_1",
            "object": "charge", "payment_intent": "pi_1", "metadata": { "nil_key": "m:charge:1:1" } } });
        let expected = StatementLine {
            id: "txn_1".into(),
            at: "2026-11-18T11:06:40Z".parse().unwrap(),
            kind: LineKind::Charge,
            key: Some("m:charge:1:1".into()),
            source: Some("pi_1".into()),
            amount: Cents(10_000),
            fee: Cents(320),
            currency: "usd".into(),
        };
        assert_eq!(line(&charge), expected);
        let back = json!({ "id": "txn_2", "type": "transfer_refund", "amount": 500,
            "source": { "id": "trr_1", "metadata": {} } });
        let back = line(&back);
        assert_eq!((back.kind, back.key), (LineKind::PayoutReturned, None));
        assert_eq!(back.source.as_deref(), Some("trr_1"));
        let own = line(&json!({ "id": "txn_3", "type": "payout", "source": "po_1" }));
        assert_eq!((own.kind, own.source.as_deref()), (LineKind::OwnPayout, Some("po_1")));
        // A refund names its charge's intent, too, and is not the charge.
        let refund = json!({ "id": "txn_4", "type": "refund", "amount": -500,
            "source": { "id": "re_1", "payment_intent": "pi_1" } });
        assert_eq!(line(&refund).source.as_deref(), Some("re_1"));
    }

    #[test]
    fn a_dispute_takes_and_gives_back() {
        for (amount, category, expected) in [
            (-10_000, "dispute", LineKind::Dispute),
            (10_000, "dispute_reversal", LineKind::DisputeReturned),
            (-5, "other_adjustment", LineKind::Other),
        ] {
            let object = json!({ "type": "adjustment", "amount": amount,
                "reporting_category": category });
            assert_eq!(kind(&object), expected, "{category}");
        }
        assert_eq!(kind(&json!({ "type": "issuing_authorization_hold" })), LineKind::Other);
    }
}
