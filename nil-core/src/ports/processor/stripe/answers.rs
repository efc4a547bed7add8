//! What the processor's objects mean here.

use chrono::{DateTime, TimeDelta};
use serde_json::Value;

use super::calls::{Refusal, number, text};
use crate::kernel::{Cents, Time, utc_day};
use crate::ports::processor::{
    Answer, ConnectedAccount, MoneyKind, Movement, Outcome, Request, Restriction, SavedCard,
};

/// The name of our key in an object's metadata.
pub(super) const KEY: &str = "metadata[nil_key]";
/// Where it is found again.
pub(super) const KEY_AT: &str = "/metadata/nil_key";
/// Where it is found in what caused a line of the statement.
pub(super) const KEY_OF_SOURCE: &str = "/source/metadata/nil_key";
/// Why we cancel an intent.
pub(super) const ABANDONED: &str = "abandoned";
/// How long a cardholder can confirm a charge. Less than a day: a call that waits for it is
/// answered while its key is known.
const CONFIRMED_WITHIN: TimeDelta = TimeDelta::hours(23);
/// What the bank says of a charge that the cardholder must confirm.
pub(super) const ASKS: &str = "authentication_required";
/// How long a debit of a bank account may take.
const DEBIT: TimeDelta = TimeDelta::days(5);

/// What a payment intent is.
pub(super) enum Intent {
    /// It has an outcome, or will have one by itself.
    Movement(Movement),
    /// It waits for us, and must be cancelled before it counts as failed.
    Waiting,
}

/// A payment intent, which is a charge here.
pub(super) fn intent(object: &Value) -> Intent {
    let id = text(object, "/id");
    let failed = |why: String| Outcome::Failed { id: Some(id.clone()), why };
    let outcome = match text(object, "/status").as_str() {
        "succeeded" => Outcome::Succeeded {
            id: id.clone(),
            fee: Cents(number(object, "/latest_charge/balance_transaction/fee")),
            available_at: instant(object, "/latest_charge/balance_transaction/available_on"),
        },
        "processing" => {
            Outcome::InTransit { id: id.clone(), until: utc_day(created(object) + DEBIT) }
        }
        // Nobody but us can go on with it.
        "requires_payment_method" if text(object, "/last_payment_error/code") != ASKS => {
            failed(reason(object.get("last_payment_error")))
        }
        "requires_action" | "requires_payment_method" => {
            Outcome::NeedsAction { id: id.clone(), until: created(object) + CONFIRMED_WITHIN }
        }
        // Ours is cancelled only when the cardholder has not confirmed it.
        "canceled" if text(object, "/cancellation_reason") == ABANDONED => failed(ASKS.into()),
        "canceled" => failed("canceled".into()),
        _ => return Intent::Waiting,
    };
    // Somebody can have captured a part of it in the processor's console: then it is another
    // movement than the one that was asked for.
    let captured = object.get("amount_received").and_then(Value::as_i64);
    let known = movement(object, MoneyKind::Charge, outcome);
    let amount = match (&known.outcome, captured) {
        (Outcome::Succeeded { .. }, Some(captured)) => Cents(captured),
        _ => known.amount,
    };
    Intent::Movement(Movement { amount, ..known })
}

/// A refund.
pub(super) fn refund(object: &Value) -> Movement {
    let id = text(object, "/id");
    let outcome = match text(object, "/status").as_str() {
        "succeeded" => Outcome::Succeeded { id, fee: Cents::ZERO, available_at: None },
        "failed" | "canceled" => {
            let why = text(object, "/failure_reason");
            let why = if why.is_empty() { "refund_failed".into() } else { why };
            Outcome::Failed { id: Some(id), why }
        }
        _ => Outcome::InTransit { id, until: utc_day(created(object) + DEBIT) },
    };
    movement(object, MoneyKind::Refund, outcome)
}

/// What a payout to a bank is. Its reference names the account, which every call about it needs.
pub(super) fn payout(account: &str, object: &Value) -> Movement {
    let id = format!("{account}/{}", text(object, "/id"));
    let outcome = match text(object, "/status").as_str() {
        "paid" => Outcome::Succeeded { id, fee: Cents::ZERO, available_at: None },
        "failed" | "canceled" => {
            let why = text(object, "/failure_code");
            let why = if why.is_empty() { "payout_failed".into() } else { why };
            Outcome::Failed { id: Some(id), why }
        }
        _ => Outcome::InTransit { id, until: utc_day(seconds(number(object, "/arrival_date"))) },
    };
    movement(object, MoneyKind::Payout, outcome)
}

fn movement(object: &Value, kind: MoneyKind, outcome: Outcome) -> Movement {
    Movement {
        key: text(object, KEY_AT),
        kind,
        amount: Cents(number(object, "/amount")),
        currency: text(object, "/currency"),
        outcome,
    }
}

/// A movement that the processor has refused for good.
pub(super) fn failed(request: &Request, id: Option<String>, why: String) -> Answer {
    Answer::Taken(Movement {
        key: request.key.clone(),
        kind: request.kind,
        amount: request.amount,
        currency: request.currency.clone(),
        outcome: Outcome::Failed { id, why },
    })
}

/// The answer to a request that moves money, if the processor refused it.
pub(super) fn refused(request: &Request, refusal: &Refusal) -> Answer {
    let words = || format!("{} {}: {}", refusal.status, refusal.code, refusal.message);
    match (refusal.status, refusal.code.as_str()) {
        (429, _) | (_, "balance_insufficient" | "lock_timeout" | "rate_limit") => {
            Answer::NotNow(words())
        }
        (401 | 403, _) => Answer::Refused(words()),
        (402, _) => {
            let id = text(&refusal.error, "/payment_intent/id");
            failed(request, Some(id).filter(|id| !id.is_empty()), reason(Some(&refusal.error)))
        }
        (_, "resource_missing") if text(&refusal.error, "/param") == "payment_method" => {
            failed(request, None, "no_such_card".into())
        }
        (_, "") => Answer::Refused(words()),
        (_, code) => failed(request, None, code.to_owned()),
    }
}

/// Whether a payout is refused only because it was to arrive within minutes.
pub(super) fn is_no_instant_payout(refusal: &Refusal) -> bool {
    refusal.code.starts_with("instant_payouts_")
}

/// The reason of a failed charge: what the bank says, or else what the processor says.
fn reason(error: Option<&Value>) -> String {
    let said = |path| error.map(|error| text(error, path)).filter(|text| !text.is_empty());
    said("/decline_code")
        .filter(|code| code != "generic_decline")
        .or_else(|| said("/code"))
        .unwrap_or_else(|| "card_declined".into())
}

/// A saved card: its reference names the customer, too, since a charge needs both.
pub(super) fn card(customer: &str, object: &Value) -> Option<SavedCard> {
    let id = text(object, "/id");
    let card = object.get("card")?;
    Some(SavedCard {
        reference: format!("{customer}/{id}"),
        fingerprint: Some(text(card, "/fingerprint")).filter(|mark| !mark.is_empty()),
        brand: text(card, "/brand"),
        last4: text(card, "/last4"),
        exp_month: number(card, "/exp_month"),
        exp_year: number(card, "/exp_year"),
    })
}

/// A connected account.
pub(super) fn account(object: &Value) -> ConnectedAccount {
    let enabled = |name: &str| object.get(name).and_then(Value::as_bool).unwrap_or_default();
    let listed = |path: &str| -> Vec<String> {
        let list = object.pointer(path).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    // What is overdue is due as well.
    let mut due = listed("/requirements/currently_due");
    due.extend(listed("/requirements/past_due"));
    due.sort_unstable();
    due.dedup();
    let reason = text(object, "/requirements/disabled_reason");
    let verified = listed("/requirements/pending_verification").is_empty();
    let stopped = !enabled("payouts_enabled");
    let restriction = stopped.then(|| restriction(&reason, due.is_empty(), verified));
    ConnectedAccount {
        reference: text(object, "/id"),
        charges_enabled: enabled("charges_enabled"),
        payouts_enabled: enabled("payouts_enabled"),
        requirements_due: due,
        requirements_due_by: instant(object, "/requirements/current_deadline"),
        restriction,
    }
}

/// Why an account receives no payouts. What its owner can do something about comes first.
fn restriction(reason: &str, nothing_due: bool, verified: bool) -> Restriction {
    match reason {
        "platform_paused" => Restriction::Paused,
        reason if reason.starts_with("rejected.") => Restriction::Rejected,
        _ if !nothing_due => Restriction::InformationDue,
        "requirements.pending_verification" | "under_review" | "listed" => {
            Restriction::BeingVerified
        }
        _ if !verified => Restriction::BeingVerified,
        _ => Restriction::Other,
    }
}

fn instant(object: &Value, path: &str) -> Option<Time> {
    let since = number(object, path);
    (since > 0).then(|| seconds(since))
}

pub(super) fn created(object: &Value) -> Time {
    seconds(number(object, "/created"))
}

/// An instant in whole seconds, rounded up.
pub(super) fn seconds_of(at: Time) -> i64 {
    at.timestamp() + i64::from(at.timestamp_subsec_nanos() > 0)
}

pub(super) fn seconds(since: i64) -> Time {
    DateTime::from_timestamp(since, 0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request() -> Request {
        Request {
            key: "m:charge:1:1".into(),
            kind: MoneyKind::Charge,
            amount: Cents(1_000),
            currency: "usd".into(),
            since: Time::UNIX_EPOCH,
            label: String::new(),
            instant: false,
        }
    }

    fn answer(status: u16, error: Value) -> Answer {
        let code = text(&error, "/code");
        refused(&request(), &Refusal { status, code, message: String::new(), error })
    }

    #[test]
    fn a_wrong_key_is_never_a_declined_card() {
        for status in [401, 403] {
            let said = answer(status, json!({ "code": "card_declined" }));
            assert!(matches!(said, Answer::Refused(_)), "{said:?}");
        }
        let said = answer(
            402,
            json!({ "code": "card_declined", "decline_code": "lost_card",
            "payment_intent": { "id": "pi_1" } }),
        );
        let Answer::Taken(taken) = said else { panic!("{said:?}") };
        let outcome = Outcome::Failed { id: Some("pi_1".into()), why: "lost_card".into() };
        assert!(taken.is_of(&request()));
        assert_eq!(taken.outcome, outcome);
    }

    #[test]
    fn too_early_and_too_often_are_not_failures() {
        for (status, code) in [(400, "balance_insufficient"), (429, ""), (400, "lock_timeout")] {
            let said = answer(status, json!({ "code": code }));
            assert!(matches!(said, Answer::NotNow(_)), "{said:?}");
        }
    }

    #[test]
    fn an_intent_that_waits_is_no_outcome() {
        for (status, waits) in [
            ("succeeded", false),
            ("processing", false),
            ("canceled", false),
            ("requires_payment_method", false),
            ("requires_action", false),
            ("requires_confirmation", true),
            ("requires_capture", true),
        ] {
            let said = intent(&json!({ "id": "pi_1", "status": status, "amount": 5 }));
            assert_eq!(matches!(said, Intent::Waiting), waits, "{status}");
        }
    }

    #[test]
    fn a_part_of_a_charge_is_not_the_charge() {
        for (received, amount) in [(json!(700), 700), (json!(1_000), 1_000), (json!(null), 1_000)] {
            let said = intent(&json!({ "id": "pi_1", "status": "succeeded", "amount": 1_000,
                "amount_received": received, "currency": "usd",
                "metadata": { "nil_key": "m:charge:1:1" } }));
            let Intent::Movement(said) = said else { panic!("it has an outcome") };
            assert_eq!((said.amount, said.is_of(&request())), (Cents(amount), amount == 1_000));
        }
    }

    #[test]
    fn a_restriction_says_who_can_do_something() {
        for (reason, due, checked, expected) in [
            ("", json!(["external_account"]), json!([]), Restriction::InformationDue),
            (
                "requirements.past_due",
                json!(["tos_acceptance"]),
                json!([]),
                Restriction::InformationDue,
            ),
            ("under_review", json!(["external_account"]), json!([]), Restriction::InformationDue),
            (
                "requirements.pending_verification",
                json!([]),
                json!(["id"]),
                Restriction::BeingVerified,
            ),
            ("under_review", json!([]), json!([]), Restriction::BeingVerified),
            ("", json!([]), json!(["individual.id_number"]), Restriction::BeingVerified),
            ("rejected.fraud", json!(["external_account"]), json!([]), Restriction::Rejected),
            ("platform_paused", json!([]), json!([]), Restriction::Paused),
            ("something_new", json!([]), json!([]), Restriction::Other),
        ] {
            let mut object = json!({ "id": "acct_1", "payouts_enabled": false, "requirements": {
                "currently_due": due, "past_due": due, "pending_verification": checked,
                "disabled_reason": reason, "current_deadline": 1_790_000_000 } });
            let said = account(&object);
            assert_eq!(said.restriction, Some(expected), "{reason}");
            assert_eq!(json!(said.requirements_due), due, "each once");
            assert_eq!(said.requirements_due_by, Some(seconds(1_790_000_000)));
            object["payouts_enabled"] = json!(true);
            assert_eq!(account(&object).restriction, None);
        }
    }
}
