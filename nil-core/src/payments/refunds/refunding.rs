//! Operators refund payments.
//!
//! A refund is a `movement`. The transaction that writes it sets the money aside: it takes it from
//! the wallets or, if they no longer hold it and the operator allows, books it as owed by the
//! athlete and the agent. The processor's outcome sends the money to the card or puts it back.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::giving_back;
use super::refund::{Parts, Refund, RefundEvent, RefundFee, RefundStatus, parts};
use super::taking_back::source;
use crate::auth::Operator;
use crate::disclosures::threshold;
use crate::error::{Error, Result, codes};
use crate::kernel::{Amount, Cents, Machine as _, PaymentId, RefundId, Text};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::payments::charges::payment::{PaymentEvent, PaymentStatus};
use crate::payments::ledger::{Account, Book, Owner, Reason, Transfer};
use crate::payments::movement::{self, Movement};
use crate::payments::store::{self, refund::OpenRefund, refund::Refundable};
use crate::payments::taxes;
use crate::platform::Platform;
use crate::ports::processor::{Answer, MoneyKind, Outage, Outcome, Request};
use crate::storage::Session;

/// A payment to refund.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RefundPayment {
    /// The payment.
    pub payment_id: PaymentId,
    /// How much of the payment's amount; default: all that is left.
    pub amount_cents: Option<Amount>,
    /// The reason.
    pub reason: Text<1, 500>,
    /// Whether the platform's fee is refunded too (default `none`). The fee left by a refund with
    /// `none` is also left by a later one with `proportional`.
    pub refund_fee: Option<RefundFee>,
    /// Whether the athlete may end up owing money that is no longer in the wallet (default false).
    pub allow_negative_balance: Option<bool>,
}

/// Refunds a payment, in part or in full (model: *refund*). The money comes from the first source
/// that has it: the wallet; a payout on hold, which is cancelled; a receivable, with
/// `allow_negative_balance`. Otherwise 409 `payout_in_progress` while the money is on its way to
/// the bank, or `already_paid_out`. 404 for an unknown payment, 409 `payment_in_progress` or
/// `not_refundable` for one that was not charged or has nothing left, 422 `refund_exceeds_payment`.
pub async fn refund(cx: Cx<Operator>, input: RefundPayment) -> Result<Done<Refund>> {
    let mut work = cx.begin().await?;
    let allowed = input.allow_negative_balance.unwrap_or(false);
    let wanted = (input.payment_id, input.amount_cents, input.refund_fee);
    let Plan { paid, back, fee, mut book, sources, untaxed, .. } =
        plan(&mut work, wanted, allowed).await?;
    let now = cx.now();
    let actor = cx.facts().actor.clone();
    let refund =
        store::refund::add(&mut work, paid.id, (back, fee), &input.reason, actor, now).await?;
    taxes::note_refund(&mut work, refund.id, &untaxed).await?;
    let entries = sources
        .into_iter()
        .chain([(Account::Fees, -back.fee), (Account::Refunding, refund.total())]);
    let transfer = Transfer::new(Reason::Refund, refund.name(), entries);
    book.post(&mut work, now, &[transfer]).await?;
    work.note(refund.id, "asked_for");
    movement::begin(&mut work, refund.id, refund.total()).await?;
    work.intent(refund.name()).await?;
    let open = OpenRefund::of(&refund, paid);
    movement::ask_and_answer(&cx, &open, |work| answer(work, refund.id)).await
}

/// What a refund gives back, and where it comes from.
pub(super) struct Plan {
    pub(super) paid: Refundable,
    /// What was left of the amount before.
    pub(super) left: Cents,
    pub(super) back: Parts,
    fee: RefundFee,
    pub(super) book: Book,
    /// What the wallets held before a payout on hold was cancelled for the refund.
    pub(super) wallets: Cents,
    pub(super) sources: Vec<(Account, Cents)>,
    untaxed: BTreeMap<Owner, Cents>,
}

impl Plan {
    /// What the owners' wallets hold.
    pub(super) fn wallets_now(&self) -> Cents {
        held(&self.book, &self.paid)
    }
}

/// Plans a refund in its transaction, and cancels a payout on hold if the refund needs its money.
pub(super) async fn plan(
    work: &mut Work,
    (payment, wanted, fee): (PaymentId, Option<Amount>, Option<RefundFee>),
    allowed: bool,
) -> Result<Plan> {
    let paid = store::refund::payment(work, payment).await?;
    let before = store::refund::so_far(work, paid.id).await?;
    let amount = refundable(&paid, before.all, wanted)?;
    let fee = fee.unwrap_or(RefundFee::None);
    let back = parts(paid.paid(), before, amount, fee);
    let mut book = open(work, &paid).await?;
    let wallets = held(&book, &paid);
    let (sources, untaxed) = sources(work, &mut book, &paid, back, allowed).await?;
    let left = paid.amount_cents - before.all.amount;
    Ok(Plan { paid, left, back, fee, book, wallets, sources, untaxed })
}

/// What the wallets of a payment's owners hold.
fn held(book: &Book, paid: &Refundable) -> Cents {
    owners(paid).map(|owner| book.balance(Account::Wallet(owner))).sum()
}

/// The amount to refund, if the payment's status and what is left of it allow that.
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
        let message = format!("must be at most {}, the amount left", left.get());
        return Err(Error::from(codes::REFUND_EXCEEDS_PAYMENT).at("amount_cents", message));
    }
    Ok(amount)
}

fn owners(paid: &Refundable) -> impl Iterator<Item = Owner> {
    let agent = paid.agent_id.map(Owner::Agent);
    std::iter::once(Owner::Athlete(paid.athlete_id)).chain(agent)
}

/// Opens the ledger accounts of a refund.
async fn open(work: &mut Work, paid: &Refundable) -> Result<Book> {
    let mut accounts = vec![
        Account::Card(Owner::Partner(paid.partner_id)),
        Account::Fees,
        Account::Refunding,
        Account::Clearing,
    ];
    for owner in owners(paid) {
        accounts.extend([
            Account::Wallet(owner),
            Account::Receivable(owner),
            Account::Withheld(owner),
        ]);
    }
    Book::open(work, accounts).await
}

/// Where the money of a refund is taken from: each owner's share from the tax that was withheld
/// from it, if it goes back, from their wallet, and the rest from their receivable, if that is
/// allowed. A payout on hold is cancelled first. Returns the tax that goes back, too.
async fn sources(
    work: &mut Work,
    book: &mut Book,
    paid: &Refundable,
    back: Parts,
    allowed: bool,
) -> Result<(Vec<(Account, Cents)>, BTreeMap<Owner, Cents>)> {
    let parts: Vec<_> = owners(paid).zip([back.amount, back.commission]).collect();
    let mut untaxed = taxes::going_back(work, paid.id, &parts).await?;
    let mut shares = vec![(Owner::Athlete(paid.athlete_id), back.amount - back.commission)];
    shares.extend(paid.agent_id.map(|agent| (Owner::Agent(agent), back.commission)));
    let mut sources = Vec::new();
    let mut short = Vec::new();
    for (owner, share) in shares {
        let tax = untaxed.entry(owner).or_default();
        *tax = share.min(*tax);
        sources.push((Account::Withheld(owner), -*tax));
        let share = share - *tax;
        let [wallet, receivable] = source(work, book, owner, share).await?;
        if receivable.1 != Cents::ZERO {
            short.push(owner);
        }
        sources.extend([wallet, receivable]);
    }
    for owner in &short {
        if store::payout::live(work, *owner).await?.is_some() {
            return Err(codes::PAYOUT_IN_PROGRESS.into());
        }
    }
    if !short.is_empty() && !allowed {
        return Err(codes::ALREADY_PAID_OUT.into());
    }
    Ok((sources, untaxed))
}

async fn answer(mut work: Work, id: RefundId) -> Result<Done<Refund>> {
    let refund = store::refund::find(&mut work, id).await?;
    work.done(refund).await
}

impl Movement for OpenRefund {
    type Id = RefundId;

    const MOVES: MoneyKind = MoneyKind::Refund;

    fn id(&self) -> RefundId {
        self.id
    }

    fn operation(&self) -> &'static str {
        "admin.payment.refund"
    }

    async fn find(session: &mut Session, id: RefundId) -> Result<Option<Self>> {
        store::refund::open(session, id).await
    }

    async fn send(&self, platform: &Platform, request: &Request) -> Option<Result<Answer, Outage>> {
        let charge = self.processor_charge_id.as_deref()?;
        Some(platform.processor().refund(request, charge).await)
    }

    async fn settle(&self, work: &mut Work, said: &Outcome) -> Result<()> {
        let found = store::refund::find(work, self.id).await?;
        // Locks the payment before the refund, in the same order as a new refund does.
        let paid = store::refund::payment(work, found.payment_id).await?;
        let refund = store::refund::locked(work, self.id).await?;
        if refund.status != RefundStatus::Pending {
            return Ok(());
        }
        match said {
            Outcome::InTransit { .. } => Ok(()),
            Outcome::Succeeded { .. } => succeed(work, &paid, &refund).await,
            Outcome::Failed { why, .. } => fail(work, &paid, &refund, why).await,
        }
    }

    async fn answer(&self, work: Work) -> Result<bool> {
        answer(work, self.id).await.map(|_| true)
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
            .with("reason", refund.reason.clone());
        work.send(message);
    }
    if paid.compensation.is_share_of_sales() {
        threshold::of_receipt(work, paid.athlete_id).await?;
    }
    Ok(())
}

/// Puts back what was set aside. Like any credit it first settles what is owed back, because a
/// receivable made for this refund may have been netted in the meantime. The agent's part goes on
/// to the athlete if their contract was cancelled in the meantime.
async fn fail(work: &mut Work, paid: &Refundable, refund: &Refund, why: &str) -> Result<()> {
    let now = work.now();
    let moved = refund.status.on(RefundEvent::Fail)?;
    store::refund::change(work, refund.id, moved, Some(why), now).await?;
    let mut book = open(work, paid).await?;
    let mut entries =
        vec![(Account::Refunding, -refund.total()), (Account::Fees, refund.fee_cents)];
    let taxed = taxes::of_refund(work, refund.id).await?;
    let shares = [refund.amount_cents - refund.commission_cents, refund.commission_cents];
    for (owner, share) in owners(paid).zip(shares) {
        let tax = taxed.get(&owner).copied().unwrap_or_default();
        entries.push((Account::Withheld(owner), tax));
        entries.extend(book.credit(owner, share - tax));
    }
    let transfer = Transfer::new(Reason::RefundFailed, refund.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(refund.id, "failed");
    giving_back::pass_on(work, &mut book, paid, refund).await?;
    Ok(())
}
