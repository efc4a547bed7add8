//! Pays wallets out to banks.
//!
//! A payout is a `movement`. Creating it takes its money out of the wallet in the same transaction,
//! before the processor is asked; a failure or a late return puts it back. A wallet has at most one
//! payout under way, so a repeated request never sends twice.

use schemars::JsonSchema;
use serde::Deserialize;

use super::hold;
use super::payout::{HoldReason, Payout, PayoutEvent, PayoutStatus};
use super::payout_account::{PayoutAccount, PayoutPreference};
use super::payout_settings::refreshed;
use super::settling_payouts::{BankTransfer, answer};
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::{AthleteId, Cents, Machine as _, PayoutId};
use crate::operation::{Cx, Done, Work};
use crate::payments::ledger::{Account, Book, Owner, Reason, Transfer};
use crate::payments::store::{self, payout::Facts, payout::NewPayout};
use crate::payments::{movement, taxes};

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

/// Pays out an athlete's wallet. If a payout of the wallet is already under way, returns that one.
/// 404 for an unknown athlete, 409 `nothing_to_pay_out` for an empty wallet. The payout is
/// `on_hold` with its reasons if the athlete's account cannot receive money.
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

/// Retries a failed payout with a new payout of the same amount; repeating the request returns that
/// one. 404 for an unknown payout, 409 `illegal_transition` for one that has not failed,
/// `payout_in_progress` while another payout of the wallet is under way, `nothing_to_pay_out` if
/// the wallet no longer holds the money.
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

/// The wallet's payout under way, released if possible, or a new one of the balance without what
/// waits.
pub(crate) async fn make(work: &mut Work, owner: Owner, account: &PayoutAccount) -> Result<Payout> {
    let mut book = Book::of_payouts(work, owner).await?;
    let balance = book.balance(Account::Wallet(owner));
    if let Some(live) = store::payout::live(work, owner).await? {
        return match live.status {
            PayoutStatus::OnHold if holds(work, owner, account, balance).await?.is_empty() => {
                release(work, live, account).await
            }
            _ => Ok(live),
        };
    }
    let now = work.now();
    let amount = balance - hold::waiting(work, owner, now).await?.all();
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
    let mut book = Book::of_payouts(work, owner).await?;
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

/// Why a payout cannot be sent that leaves so much in the wallet: the reasons that hold every
/// payout, and a wallet that would lack what athletes or cardholders' banks can still take back, or
/// what the processor cannot pay out yet.
async fn holds(
    work: &mut Work,
    owner: Owner,
    account: &PayoutAccount,
    left: Cents,
) -> Result<Vec<HoldReason>> {
    let now = work.now();
    let mut reasons = hold::reasons(work, owner, account, now).await?;
    let waits = hold::waiting(work, owner, now).await?;
    let lacking = [
        (waits.commission, HoldReason::CancellationWindow),
        (waits.disputed, HoldReason::Dispute),
        (waits.funds, HoldReason::FundsPending),
    ];
    let lacking = lacking.into_iter().filter(|(part, _)| part.is_positive() && left < waits.all());
    reasons.extend(lacking.map(|(_, reason)| reason));
    Ok(reasons)
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
    if payout.status == PayoutStatus::Pending {
        begin(work, &payout, account).await?;
    }
    work.note(payout.id, "made");
    if lacks_form {
        taxes::ask_for_hold(work, owner).await?;
    }
    Ok(payout)
}

/// Writes the request of a payout. Whoever wants to be paid as soon as possible gets it within
/// minutes, where that works.
async fn begin(work: &mut Work, payout: &Payout, account: &PayoutAccount) -> Result<()> {
    let label = format!("Payout {}", payout.id);
    let instant = account.preference == PayoutPreference::Instant;
    movement::begin_as(work, payout.id, payout.amount_cents, (&label, instant)).await
}

async fn release(work: &mut Work, mut payout: Payout, account: &PayoutAccount) -> Result<Payout> {
    let moved = payout.status.on(PayoutEvent::Release)?;
    let now = work.now();
    store::payout::change(work, payout.id, moved, Facts::default(), now).await?;
    begin(work, &payout, account).await?;
    work.note(payout.id, "released");
    payout.status = moved.to();
    payout.hold_reasons = serde_json::json!([]);
    payout.updated_at = now;
    Ok(payout)
}

/// Sends a pending payout and returns the result; a payout in any other status is returned as it
/// is.
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
    let id = payout.id;
    let transfer = BankTransfer::to(payout, account);
    movement::ask_and_answer(cx, &transfer, |work| answer(work, id)).await
}
