//! Pays wallets out to banks.
//!
//! Creating a payout takes its money out of the wallet in the same transaction, before the processor is
//! asked; a failure or a late return puts it back. A wallet has at most one payout under way, so a repeated
//! request never sends twice.

use schemars::JsonSchema;
use serde::Deserialize;

use super::bank_return;
use super::hold;
use super::inquiry::{ask_again, name_of};
use super::ledger::{Account, Book, Owner, Reason, Transfer};
use super::payout::{HoldReason, Payout, PayoutEvent, PayoutStatus};
use super::payout_account::PayoutAccount;
use super::payout_settings::refreshed;
use super::settling::{counted, patiently, reason_in_words, verdict};
use super::store::{self, payout::Facts, payout::NewPayout};
use super::taxes;
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::{AthleteId, Cents, Machine as _, PayoutId, Rested, Time, day_in, utc_day};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::platform::Platform;
use crate::ports::processor::Outcome;

/// Selects the athlete whose wallet to pay out.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Trigger {
    /// The athlete.
    pub id: AthleteId,
}

/// Selects the payout to retry.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Retry {
    /// The failed payout.
    pub id: PayoutId,
}

/// Pays out an athlete's wallet. If a payout of the wallet is already under way, returns that one. 404 for an
/// unknown athlete, 409 `nothing_to_pay_out` for an empty wallet. The payout is `on_hold` with its reasons if
/// the athlete's account cannot receive money.
pub async fn trigger(cx: Cx<Operator>, input: Trigger) -> Result<Done<Payout>> {
    let owner = Owner::Athlete(input.id);
    let mut session = cx.read().await?;
    let known = store::account::user_of(&mut session, owner).await?;
    drop(session);
    known.ok_or(codes::NOT_FOUND)?;
    let account = refreshed(cx.platform(), owner).await?;
    let mut work = cx.begin().await?;
    let payout = make(&mut work, owner, &account).await?;
    go_on(&cx, work, payout, &account).await
}

/// Retries a failed payout with a new payout of the same amount; repeating the request returns that one. 404
/// for an unknown payout, 409 `illegal_transition` for one that has not failed, `payout_in_progress` while
/// another payout of the wallet is under way, `nothing_to_pay_out` if the wallet no longer holds the money.
pub async fn retry(cx: Cx<Operator>, input: Retry) -> Result<Done<Payout>> {
    let mut session = cx.read().await?;
    let failed = store::payout::find(&mut session, input.id).await?;
    drop(session);
    let owner = failed.ok_or(codes::NOT_FOUND)?.owner()?;
    let account = refreshed(cx.platform(), owner).await?;
    let mut work = cx.begin().await?;
    let payout = make_again(&mut work, input.id, owner, &account).await?;
    go_on(&cx, work, payout, &account).await
}

/// The wallet's payout under way, released if possible, or a new one of the balance without the commission that waits.
pub(super) async fn make(work: &mut Work, owner: Owner, account: &PayoutAccount) -> Result<Payout> {
    let mut book = open(work, owner).await?;
    let balance = book.balance(Account::Wallet(owner));
    if let Some(live) = store::payout::live(work, owner).await? {
        return match live.status {
            PayoutStatus::OnHold if holds(work, owner, account, balance).await?.is_empty() => {
                release(work, live).await
            }
            _ => Ok(live),
        };
    }
    let now = work.now();
    let amount = balance - hold::held(work, owner, now).await?;
    if !amount.is_positive() {
        return Err(codes::NOTHING_TO_PAY_OUT.into());
    }
    add(work, &mut book, owner, amount, account, None).await
}

pub(super) async fn make_again(
    work: &mut Work,
    id: PayoutId,
    owner: Owner,
    account: &PayoutAccount,
) -> Result<Payout> {
    let mut book = open(work, owner).await?;
    if let Some(made) = store::payout::retry_of(work, id).await? {
        return Ok(made);
    }
    let failed = store::payout::find(work, id).await?.ok_or(codes::NOT_FOUND)?;
    if failed.status != PayoutStatus::Failed {
        let message = format!("A payout with status `{}` cannot be retried.", failed.status);
        return Err(codes::ILLEGAL_TRANSITION.saying(message));
    }
    if store::payout::live(work, owner).await?.is_some() {
        return Err(codes::PAYOUT_IN_PROGRESS.into());
    }
    if book.balance(Account::Wallet(owner)) < failed.amount_cents {
        return Err(codes::NOTHING_TO_PAY_OUT.saying("The wallet no longer holds this amount."));
    }
    let amount = failed.amount_cents;
    add(work, &mut book, owner, amount, account, Some(&failed)).await
}

/// Why a payout cannot be sent that leaves so much in the wallet: the reasons that hold every payout, and an agent's wallet
/// that would lack what athletes can still take back.
async fn holds(
    work: &mut Work,
    owner: Owner,
    account: &PayoutAccount,
    left: Cents,
) -> Result<Vec<HoldReason>> {
    let now = work.now();
    let mut reasons = hold::reasons(work, owner, account, now).await?;
    let waits = hold::held(work, owner, now).await?;
    if waits.is_positive() && left < waits {
        reasons.push(HoldReason::CancellationWindow);
    }
    Ok(reasons)
}

/// Opens the ledger accounts of a payout; their locks keep other requests off the wallet.
pub(super) async fn open(work: &mut Work, owner: Owner) -> Result<Book> {
    let accounts = [
        Account::Wallet(owner),
        Account::Receivable(owner),
        Account::Bank(owner),
        Account::Clearing,
    ];
    Book::open(work, accounts).await
}

/// Writes a payout of this amount and takes its money out of the wallet.
async fn add(
    work: &mut Work,
    book: &mut Book,
    owner: Owner,
    amount: Cents,
    account: &PayoutAccount,
    again: Option<&Payout>,
) -> Result<Payout> {
    let now = work.now();
    let left = book.balance(Account::Wallet(owner)) - amount;
    let holds = holds(work, owner, account, left).await?;
    let lacks_form = taxes::lacks_form(&holds);
    let new = NewPayout { owner, amount, holds, again, now };
    let payout = store::payout::add(work, new).await?;
    let entries = [(Account::Wallet(owner), -amount), (Account::Clearing, amount)];
    let transfer = Transfer::new(Reason::Payout, payout.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(payout.id, "made");
    if lacks_form {
        taxes::ask_for_hold(work, owner).await?;
    }
    Ok(payout)
}

async fn release(work: &mut Work, mut payout: Payout) -> Result<Payout> {
    let moved = payout.status.on(PayoutEvent::Release)?;
    let now = work.now();
    store::payout::change(work, payout.id, moved, Facts::default(), now).await?;
    work.note(payout.id, "released");
    payout.status = moved.to();
    payout.hold_reasons = serde_json::json!([]);
    payout.updated_at = now;
    Ok(payout)
}

/// Sends a pending payout and returns the result; a payout in any other status is returned as it is.
async fn go_on(
    cx: &Cx<Operator>,
    mut work: Work,
    payout: Payout,
    account: &PayoutAccount,
) -> Result<Done<Payout>> {
    // Another call may be ending it. The lock keeps it open until this call's key waits for it too.
    let payout = store::payout::locked(&mut work, payout.id).await?;
    if payout.status != PayoutStatus::Pending {
        return work.done(payout).await;
    }
    work.intent(payout.name()).await?;
    let said = send(cx.platform(), &payout, account).await;
    patiently(cx.platform(), || async {
        let mut work = cx.begin().await?;
        settle(&mut work, payout.id, said.as_ref()).await?;
        answer(work, payout.id).await
    })
    .await
}

pub(super) async fn answer(mut work: Work, id: PayoutId) -> Result<Done<Payout>> {
    let payout = store::payout::find(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
    work.done(payout).await
}

/// Asks the processor, outside any transaction, to send a payout that was already written.
pub(super) async fn send(
    platform: &Platform,
    payout: &Payout,
    account: &PayoutAccount,
) -> Option<Outcome> {
    let reference = account.processor_account_id.as_deref()?;
    let processor = platform.processor();
    verdict(processor.pay_out(&payout.name(), reference, payout.amount_cents).await)
}

/// The events that the processor's outcome means for a payout with this status.
fn steps(status: PayoutStatus, said: &Outcome) -> &'static [PayoutEvent] {
    use PayoutEvent::{Arrive, Fail, Return, Send};
    match (status, said) {
        (PayoutStatus::Pending, Outcome::InTransit(..)) => &[Send],
        (PayoutStatus::Pending, Outcome::Succeeded(_)) => &[Send, Arrive],
        (PayoutStatus::Pending, Outcome::Failed(..)) => &[Send, Fail],
        (PayoutStatus::InTransit, Outcome::Succeeded(_)) => &[Arrive],
        (PayoutStatus::InTransit, Outcome::Failed(..)) => &[Fail],
        (PayoutStatus::Paid, Outcome::Failed(..)) => &[Return],
        _ => &[],
    }
}

/// Saves the processor's outcome of a payout. Repeating it changes nothing.
async fn settle(work: &mut Work, id: PayoutId, said: Option<&Outcome>) -> Result<()> {
    let Some(said) = said else { return Ok(()) };
    let mut payout = store::payout::locked(work, id).await?;
    for event in steps(payout.status, said) {
        step(work, &mut payout, *event, said).await?;
    }
    Ok(())
}

async fn step(
    work: &mut Work,
    payout: &mut Payout,
    event: PayoutEvent,
    said: &Outcome,
) -> Result<()> {
    let now = work.now();
    let moved = payout.status.on(event)?;
    let (transfer, arrives_on, failure) = match said {
        Outcome::Succeeded(name) => (name, None, None),
        Outcome::InTransit(name, date) => (name, Some(*date), None),
        Outcome::Failed(name, why) => (name, None, Some(why.as_str())),
    };
    let facts = Facts {
        transfer: name_of(transfer),
        arrives_on,
        failure: failure.filter(|_| moved.to() == PayoutStatus::Failed),
    };
    store::payout::change(work, payout.id, moved, facts, now).await?;
    payout.status = moved.to();
    book(work, payout, event, now).await?;
    if event == PayoutEvent::Arrive {
        // Money that arrived in the meantime can be paid out now.
        store::account::wake(work, payout.owner()?.to_string(), now).await?;
    }
    let (action, message) = match event {
        PayoutEvent::Release => ("released", None),
        PayoutEvent::Cancel => ("cancelled", None),
        PayoutEvent::Send => ("sent", None),
        PayoutEvent::Arrive => ("arrived", Some(Event::PayoutPaid)),
        PayoutEvent::Fail => ("failed", Some(Event::PayoutFailed)),
        PayoutEvent::Return => ("returned", Some(Event::PayoutFailed)),
    };
    work.note(payout.id, action);
    let user = store::account::user_of(work, payout.owner()?).await?;
    if let (Some(event), Some(user)) = (message, user) {
        let zone = store::account::zone_of(work, payout.owner()?).await?;
        let paid_on = zone.map_or_else(|| utc_day(now), |zone| day_in(now, zone));
        let message = Message::new(event, Recipient::User(user))
            .with("amount", payout.amount_cents.to_string())
            .with("paid_on", paid_on.to_string())
            .with("reason", reason_in_words(failure.unwrap_or_default()))
            .with("payout_id", payout.id.get());
        work.send(message);
    }
    Ok(())
}

/// Writes the ledger transfer of a payout event.
async fn book(work: &mut Work, payout: &Payout, event: PayoutEvent, now: Time) -> Result<()> {
    let owner = payout.owner()?;
    let amount = payout.amount_cents;
    let (reason, from) = match event {
        PayoutEvent::Release | PayoutEvent::Send => return Ok(()),
        PayoutEvent::Arrive => (Reason::PayoutArrived, Account::Clearing),
        PayoutEvent::Fail | PayoutEvent::Cancel => (Reason::PayoutFailed, Account::Clearing),
        PayoutEvent::Return => (Reason::PayoutReturned, Account::Bank(owner)),
    };
    let mut book = open(work, owner).await?;
    if event == PayoutEvent::Arrive {
        let entries = [(from, -amount), (Account::Bank(owner), amount)];
        let transfer = Transfer::new(reason, payout.name(), entries);
        return book.post(work, now, &[transfer]).await;
    }
    let transfer = put_back(&mut book, payout, (reason, from))?;
    book.post(work, now, &[transfer]).await
}

/// The transfer that puts a payout's money back into the wallet. The book must contain the accounts of [`open`]. Tax that was
/// withheld from the payments stays where it is.
pub(super) fn put_back(
    book: &mut Book,
    payout: &Payout,
    (reason, from): (Reason, Account),
) -> Result<Transfer> {
    let amount = payout.amount_cents;
    let credit = book.credit(payout.owner()?, amount);
    Ok(Transfer::new(reason, payout.name(), [(from, -amount)].into_iter().chain(credit)))
}

/// Applies the processor's outcome to a payout outside any call.
pub(super) async fn end(
    platform: &Platform,
    payout: &Payout,
    said: Option<&Outcome>,
) -> Result<bool> {
    let operation = match payout.retry_of {
        None => "admin.payout.trigger",
        Some(_) => "admin.payout.retry",
    };
    patiently(platform, || async {
        let Some(said) = said else {
            let mut work = Work::resume(platform, operation, None).await?;
            let now = work.now();
            store::payout::touch(&mut work, payout.id, now).await?;
            work.done(()).await?;
            return Ok(false);
        };
        let mut work = Work::resume(platform, operation, Some(payout.name())).await?;
        settle(&mut work, payout.id, Some(said)).await?;
        let settled = answer(work, payout.id).await?.into_inner();
        Ok(settled.status != payout.status)
    })
    .await
}

/// Settles a payout that a webhook reported.
pub(super) async fn hear(platform: &Platform, id: PayoutId, said: &Outcome) -> Result<()> {
    let mut session = platform.db().read().await?;
    let payout = store::payout::find(&mut session, id).await?;
    drop(session);
    match payout {
        Some(payout) => end(platform, &payout, Some(said)).await.map(|_| ()),
        None => Ok(()),
    }
}

/// Asks about payouts without news: sends pending ones again under their own key, and looks up those that
/// should have arrived. Returns how many moved on.
pub(super) async fn reconcile(platform: &Platform, rested: Rested) -> Result<usize> {
    let today = utc_day(platform.now());
    let mut session = platform.db().read().await?;
    let open = store::payout::unsettled(&mut session, rested, today).await?;
    drop(session);
    let mut moved = 0;
    for payout in open {
        moved += counted(reconcile_one(platform, &payout).await);
    }
    Ok(moved + bank_return::reconcile(platform).await?)
}

/// The outcome of a payout without news; it is sent again if it never arrived.
async fn asked_again(platform: &Platform, payout: &Payout) -> Result<Option<Outcome>> {
    let account = refreshed(platform, payout.owner()?).await?;
    let mut session = platform.db().read().await?;
    let since = store::payout::pending_since(&mut session, payout.id).await?;
    drop(session);
    let sent = send(platform, payout, &account);
    Ok(ask_again(platform, &payout.name(), since, sent).await)
}

async fn reconcile_one(platform: &Platform, payout: &Payout) -> Result<bool> {
    let said = match &payout.processor_transfer_id {
        None => asked_again(platform, payout).await?,
        Some(transfer) => match platform.processor().look_up(transfer).await {
            Ok(Some(movement)) => Some(movement.outcome),
            _ => None,
        },
    };
    let still = said.as_ref().is_none_or(|said| steps(payout.status, said).is_empty());
    let said = said.filter(|_| !still);
    end(platform, payout, said.as_ref()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_forward_only() {
        let name = || "tr_1".to_owned();
        let on_its_way = Outcome::InTransit(name(), platform_day());
        let arrived = Outcome::Succeeded(name());
        let failed = Outcome::Failed(name(), "bank_account_closed".into());
        for status in PayoutStatus::ALL {
            for said in [&on_its_way, &arrived, &failed] {
                let mut at = *status;
                for event in steps(*status, said) {
                    at = at.on(*event).unwrap().to();
                }
                // A repeated or outdated outcome has no effect.
                assert!(steps(at, said).is_empty(), "{status} {said:?}");
                assert!(steps(at, &on_its_way).is_empty() || at == PayoutStatus::Pending);
            }
        }
        assert!(steps(PayoutStatus::Failed, &arrived).is_empty());
    }

    fn platform_day() -> crate::kernel::Date {
        "2026-11-22".parse().unwrap()
    }
}
