//! What must be settled before a person can leave.

use super::departure::{Leaving, Left, Unsettled};
use super::store::remaining as store;
use super::store::remaining::Remaining;
use crate::error::{Error, Result, codes};
use crate::kernel::Cents;
use crate::operation::Work;
use crate::wording;

/// 409 `account_not_settled` if anything is left. It is read by one statement, as of one instant: a
/// payment that succeeds meanwhile is found either under way or in the wallet.
pub(super) async fn check(work: &mut Work, person: &Leaving) -> Result<()> {
    let Some(owner) = person.owner() else {
        return Ok(());
    };
    let left = listed(&store::of(work, owner).await?);
    if left.is_empty() { Ok(()) } else { Err(refusal(&left)) }
}

fn listed(found: &Remaining) -> Vec<Left> {
    let number = |what, count: i64| {
        (count > 0).then_some(Left { what, count: Some(count), amount_cents: None })
    };
    let amount = |what, cents: Cents| {
        (cents > Cents::ZERO).then_some(Left { what, count: None, amount_cents: Some(cents) })
    };
    let all = [
        number(Unsettled::Contracts, found.contracts),
        number(Unsettled::Orders, found.orders),
        amount(Unsettled::Owed, found.owed_cents),
        number(Unsettled::Payments, found.payments),
        number(Unsettled::Refunds, found.refunds),
        number(Unsettled::Disputes, found.disputes),
        number(Unsettled::Subscription, found.subscription),
        number(Unsettled::Payouts, found.payouts),
        amount(Unsettled::Wallet, found.wallet_cents),
        amount(Unsettled::OwedBack, found.owed_back_cents),
    ];
    all.into_iter().flatten().collect()
}

fn refusal(left: &[Left]) -> Error {
    let words: Vec<String> = left.iter().map(in_words).collect();
    let sentence = format!("The account cannot be closed yet: {}.", words.join("; "));
    codes::ACCOUNT_NOT_SETTLED.saying(sentence).with_data(serde_json::json!({ "left": left }))
}

fn in_words(left: &Left) -> String {
    let what = match left.what {
        Unsettled::Contracts => "contracts under way",
        Unsettled::Orders => "open orders",
        Unsettled::Owed => "approved work that is not paid",
        Unsettled::Payments => "payments being processed",
        Unsettled::Refunds => "refunds being processed",
        Unsettled::Disputes => "disputed charges that the bank has not decided about",
        Unsettled::Subscription => "a subscription's charge or refund being processed",
        Unsettled::Payouts => "payouts on hold or on their way",
        Unsettled::Wallet => "money in the wallet",
        Unsettled::OwedBack => "money owed back after a refund",
    };
    match (left.count, left.amount_cents) {
        (Some(count), _) => format!("{what} ({count})"),
        (None, Some(cents)) => format!("{what} ({})", wording::money("usd", cents.get())),
        (None, None) => what.to_owned(),
    }
}
