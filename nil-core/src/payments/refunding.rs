//! Operators give payments back.
//!
//! The money is set aside first, in the transaction that writes the refund: from the wallets, and where
//! they no longer hold it and the operator allows, as something the athlete and the agent owe. Then the
//! processor is asked; its word sends the money to the card or puts it back where it was.

use schemars::JsonSchema;
use serde::Deserialize;

use super::asking_again::ask_again;
use super::ledger::{Account, Book, Owner, Reason, Transfer};
use super::payment::{PaymentEvent, PaymentStatus};
use super::payout::PayoutStatus;
use super::refund::{Parts, Refund, RefundEvent, RefundFee, RefundStatus, parts};
use super::settling::{counted, patiently, verdict};
use super::store::refund::{Open, Refundable};
use super::{cancelling, store};
use crate::auth::Operator;
use crate::error::{Error, Result, codes};
use crate::kernel::{Amount, Cents, Machine as _, PaymentId, RefundId, Text, Time};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::platform::Platform;
use crate::ports::processor::Outcome;

/// A payment to give back.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RefundPayment {
    /// The payment.
    pub payment_id: PaymentId,
    /// How much of the payment's amount; all that is left of it where it is left out.
    pub amount_cents: Option<Amount>,
    /// Why.
    pub reason: Text<1, 500>,
    /// Whether the platform's fee goes back too (default `none`). What a refund with `none` leaves, a later
    /// one with `proportional` leaves as well.
    pub refund_fee: Option<RefundFee>,
    /// Whether the athlete may end up owing what is no longer in the wallet (default false).
    pub allow_negative_balance: Option<bool>,
}

/// Refunds a payment, in part or in full (model: *refund*). The money is taken from the wallet; else
/// from a payout that is on hold, which is cancelled; else 409 `payout_in_progress` while it is on its way
/// out; else, with `allow_negative_balance`, it becomes
/// a receivable; else 409 `already_paid_out`. 404 for an unknown payment, 409 `payment_in_progress` or
/// `not_refundable` for one that was not charged or has nothing left, 422 `refund_exceeds_payment`.
pub async fn refund(cx: Cx<Operator>, input: RefundPayment) -> Result<Done<Refund>> {
    let mut work = cx.begin().await?;
    let paid =
        store::refund::payment(&mut work, input.payment_id).await?.ok_or(codes::NOT_FOUND)?;
    let before = store::refund::so_far(&mut work, paid.id).await?;
    let amount = refundable(&paid, before.all, input.amount_cents)?;
    let fee = input.refund_fee.unwrap_or(RefundFee::None);
    let back = parts(paid.paid(), before, amount, fee);
    let mut book = open(&mut work, &paid).await?;
    let allowed = input.allow_negative_balance.unwrap_or(false);
    let sources = sources(&mut work, &mut book, &paid, back, allowed).await?;
    let now = cx.now();
    let actor = cx.facts().actor.clone();
    let refund =
        store::refund::add(&mut work, paid.id, (back, fee), &input.reason, actor, now).await?;
    let entries = sources
        .into_iter()
        .chain([(Account::Fees, -back.fee), (Account::Refunding, refund.total())]);
    let transfer = Transfer::new(Reason::Refund, refund.name(), entries);
    book.post(&mut work, now, &[transfer]).await?;
    work.note(refund.id, "asked_for");
    work.intent(refund.name()).await?;
    let said = ask(cx.platform(), &refund, paid.processor_charge_id.as_deref()).await;
    patiently(cx.platform(), || async {
        let mut work = cx.begin().await?;
        settle(&mut work, refund.id, said.as_ref()).await?;
        answer(work, refund.id).await
    })
    .await
}

/// How much is to be refunded, if the payment's state and what is left of it allow that.
fn refundable(paid: &Refundable, before: Parts, wanted: Option<Amount>) -> Result<Cents> {
    match paid.status {
        PaymentStatus::Pending | PaymentStatus::Processing => {
            return Err(codes::PAYMENT_IN_PROGRESS.into());
        }
        PaymentStatus::Failed | PaymentStatus::Refunded => {
            return Err(codes::NOT_REFUNDABLE.into());
        }
        PaymentStatus::Succeeded | PaymentStatus::PartiallyRefunded => {}
    }
    let left = paid.amount_cents - before.amount;
    if !left.is_positive() {
        return Err(codes::NOT_REFUNDABLE.into());
    }
    let amount = wanted.map_or(left, Amount::cents);
    if amount > left {
        let message = format!("must be at most {}, which is what is left", left.get());
        return Err(Error::from(codes::REFUND_EXCEEDS_PAYMENT).at("amount_cents", message));
    }
    Ok(amount)
}

fn owners(paid: &Refundable) -> impl Iterator<Item = Owner> {
    let agent = paid.agent_id.map(Owner::Agent);
    std::iter::once(Owner::Athlete(paid.athlete_id)).chain(agent)
}

/// Opens the books of a refund.
async fn open(work: &mut Work, paid: &Refundable) -> Result<Book> {
    let mut accounts = vec![
        Account::Card(Owner::Partner(paid.partner_id)),
        Account::Fees,
        Account::Refunding,
        Account::Clearing,
    ];
    for owner in owners(paid) {
        accounts.extend([Account::Wallet(owner), Account::Receivable(owner)]);
    }
    Book::open(work, accounts).await
}

/// Where the money of a refund is taken from: each one's share from their wallet, and what is missing
/// there from their receivable, if that is allowed. A payout that is on hold gives its money back first.
async fn sources(
    work: &mut Work,
    book: &mut Book,
    paid: &Refundable,
    back: Parts,
    allowed: bool,
) -> Result<Vec<(Account, Cents)>> {
    let mut shares = vec![(Owner::Athlete(paid.athlete_id), back.amount - back.commission)];
    shares.extend(paid.agent_id.map(|agent| (Owner::Agent(agent), back.commission)));
    let mut sources = Vec::new();
    let mut short = Vec::new();
    for (owner, share) in shares {
        if share > book.balance(Account::Wallet(owner))
            && let Some(held) = store::payout::live(work, owner).await?
            && held.status == PayoutStatus::OnHold
        {
            cancelling::for_refund(work, book, &held).await?;
        }
        let taken = share.min(book.balance(Account::Wallet(owner)));
        sources.push((Account::Wallet(owner), -taken));
        sources.push((Account::Receivable(owner), taken - share));
        if taken < share {
            short.push(owner);
        }
    }
    for owner in &short {
        if store::payout::live(work, *owner).await?.is_some() {
            return Err(codes::PAYOUT_IN_PROGRESS.into());
        }
    }
    if !short.is_empty() && !allowed {
        return Err(codes::ALREADY_PAID_OUT.into());
    }
    Ok(sources)
}

/// Asks the processor, outside any transaction, under a key made of our own row.
async fn ask(platform: &Platform, refund: &Refund, charge: Option<&str>) -> Option<Outcome> {
    let processor = platform.processor();
    verdict(processor.refund(&refund.name(), charge?, refund.total()).await)
}

async fn answer(mut work: Work, id: RefundId) -> Result<Done<Refund>> {
    let refund = store::refund::find(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
    work.done(refund).await
}

/// Writes what the processor said of a refund. The same word again changes nothing.
async fn settle(work: &mut Work, id: RefundId, said: Option<&Outcome>) -> Result<()> {
    let Some(said) = said else { return Ok(()) };
    let found = store::refund::find(work, id).await?.ok_or(codes::NOT_FOUND)?;
    // The payment before the refund, as whoever makes a refund does.
    let paid = store::refund::payment(work, found.payment_id).await?.ok_or(codes::NOT_FOUND)?;
    let refund = store::refund::locked(work, id).await?.ok_or(codes::NOT_FOUND)?;
    if refund.status != RefundStatus::Pending {
        return Ok(());
    }
    match said {
        Outcome::InTransit(..) => Ok(()),
        Outcome::Succeeded(_) => succeed(work, &paid, &refund).await,
        Outcome::Failed(_, why) => fail(work, &paid, &refund, why).await,
    }
}

async fn succeed(work: &mut Work, paid: &Refundable, refund: &Refund) -> Result<()> {
    let now = work.now();
    let moved = refund.status.on(RefundEvent::Succeed)?;
    store::refund::change(work, refund.id, moved, None, now).await?;
    let moved = if paid.refunded_cents + refund.amount_cents == paid.amount_cents {
        Some(paid.status.on(PaymentEvent::RefundAll)?)
    } else if paid.status == PaymentStatus::PartiallyRefunded {
        None
    } else {
        Some(paid.status.on(PaymentEvent::RefundPart)?)
    };
    store::refund::add_to_payment(work, refund, moved, now).await?;
    let mut book = open(work, paid).await?;
    let total = refund.total();
    let entries =
        [(Account::Refunding, -total), (Account::Card(Owner::Partner(paid.partner_id)), total)];
    let transfer = Transfer::new(Reason::RefundSucceeded, refund.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(refund.id, "succeeded");
    work.note(paid.id, "refunded");
    for user in [paid.partner_user_id, paid.athlete_user_id] {
        let message = Message::new(Event::RefundIssued, Recipient::User(user))
            .with("amount", refund.amount_cents.to_string())
            .with("company_name", paid.company_name.clone())
            .with("job_title", paid.job_title.clone())
            .with("payment_number", paid.number.clone())
            .with("reason", refund.reason.clone())
            .with("url", work.platform().config().public_url.clone());
        work.send(message);
    }
    Ok(())
}

/// Puts back what was set aside. Like any credit it settles first what is owed back: a receivable made
/// for this refund may have been netted meanwhile.
async fn fail(work: &mut Work, paid: &Refundable, refund: &Refund, why: &str) -> Result<()> {
    let now = work.now();
    let moved = refund.status.on(RefundEvent::Fail)?;
    store::refund::change(work, refund.id, moved, Some(why), now).await?;
    let mut book = open(work, paid).await?;
    let mut entries =
        vec![(Account::Refunding, -refund.total()), (Account::Fees, refund.fee_cents)];
    let athlete = refund.amount_cents - refund.commission_cents;
    entries.extend(book.credit(Owner::Athlete(paid.athlete_id), athlete));
    if let Some(agent) = paid.agent_id {
        entries.extend(book.credit(Owner::Agent(agent), refund.commission_cents));
    }
    let transfer = Transfer::new(Reason::RefundFailed, refund.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(refund.id, "failed");
    Ok(())
}

/// Ends a refund outside its call, with the processor's word; answers whether it is settled now.
async fn end(platform: &Platform, open: &Open, said: Option<&Outcome>) -> Result<bool> {
    let operation = "admin.payment.refund";
    let said = said.filter(|said| !matches!(said, Outcome::InTransit(..)));
    patiently(platform, || async {
        let Some(said) = said else {
            let mut work = Work::resume(platform, operation, None).await?;
            let now = work.now();
            store::refund::touch(&mut work, open.id, now).await?;
            work.done(()).await?;
            return Ok(false);
        };
        let mut work = Work::resume(platform, operation, Some(open.key())).await?;
        settle(&mut work, open.id, Some(said)).await?;
        answer(work, open.id).await.map(|_| true)
    })
    .await
}

/// Settles a refund that the processor tells of.
pub(super) async fn hear(platform: &Platform, id: RefundId, said: &Outcome) -> Result<()> {
    let mut session = platform.db().read().await?;
    let open = store::refund::open(&mut session, id).await?;
    drop(session);
    match open {
        Some(open) => end(platform, &open, Some(said)).await.map(|_| ()),
        None => Ok(()),
    }
}

/// Asks again about refunds whose outcome is not known; answers how many were settled.
pub(super) async fn reconcile(platform: &Platform, before: Time) -> Result<usize> {
    let mut session = platform.db().read().await?;
    let pending = store::refund::unsettled(&mut session, before).await?;
    drop(session);
    let mut settled = 0;
    for open in pending {
        let processor = platform.processor();
        let key = open.key();
        let send = async {
            let charge = open.processor_charge_id.as_deref()?;
            let total = open.amount_cents + open.fee_cents;
            verdict(processor.refund(&key, charge, total).await)
        };
        let said = ask_again(platform, &key, open.created_at, send).await;
        settled += counted(end(platform, &open, said.as_ref()).await);
    }
    Ok(settled)
}
