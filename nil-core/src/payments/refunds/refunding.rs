//! Operators refund payments.
//!
//! A refund is a `movement`. The transaction that writes it sets the money aside: it takes it from
//! the wallets or, if they no longer hold it and the operator allows, books it as owed by the
//! athlete and the agent. The processor's outcome sends the money to the card or puts it back; a
//! refund can still fail days after it had succeeded. What payees bear of a lost dispute is taken
//! back in the same way, without a request to the processor.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::giving_back;
use super::refund::{Parts, Refund, RefundEvent, RefundFee, RefundStatus, parts};
use super::taking_back::source;
use crate::auth::Operator;
use crate::disclosures::threshold;
use crate::error::{Error, Result, codes};
use crate::feed::{Concerned, Published};
use crate::kernel::{Amount, Cents, DisputeId, Machine as _, PaymentId, RefundId, Text};
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
/// `not_refundable` for one that was not charged or has nothing left, `charge_disputed` while its
/// cardholder's bank has taken the charge back, 422 `refund_exceeds_payment`.
pub async fn refund(cx: Cx<Operator>, input: RefundPayment) -> Result<Done<Refund>> {
    let mut work = cx.begin().await?;
    let allowed = input.allow_negative_balance.unwrap_or(false);
    let wanted = (input.payment_id, input.amount_cents, input.refund_fee);
    let Plan { paid, back, fee, mut book, sources, untaxed, .. } =
        plan(&mut work, wanted, allowed).await?;
    let now = cx.now();
    let actor = cx.facts().actor.clone();
    let refund =
        store::refund::add(&mut work, paid.id, (back, fee, None), &input.reason, actor, now)
            .await?;
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
    if store::dispute::is_taken(work, paid.id).await? {
        return Err(codes::CHARGE_DISPUTED.into());
    }
    let before = store::refund::so_far(work, paid.id).await?;
    let amount = refundable(&paid, before.all, wanted)?;
    let fee = fee.unwrap_or(RefundFee::None);
    let back = parts(paid.paid(), before, amount, fee);
    let mut book = open(work, &paid).await?;
    let wallets = held(&book, &paid);
    let Sources { entries: sources, untaxed, short } =
        sources(work, &mut book, &paid, back).await?;
    for owner in &short {
        if store::payout::live(work, *owner).await?.is_some() {
            return Err(codes::PAYOUT_IN_PROGRESS.into());
        }
    }
    if !short.is_empty() && !allowed {
        return Err(codes::ALREADY_PAID_OUT.into());
    }
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
    Owner::payees(paid.athlete_id, paid.agent_id)
}

/// The ledger accounts of a refund.
pub(in crate::payments) fn accounts(paid: &Refundable) -> Vec<Account> {
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
    accounts
}

async fn open(work: &mut Work, paid: &Refundable) -> Result<Book> {
    Book::open(work, accounts(paid)).await
}

/// Where the money of a refund comes from.
struct Sources {
    entries: Vec<(Account, Cents)>,
    /// The withheld tax that goes back, too.
    untaxed: BTreeMap<Owner, Cents>,
    /// Whose wallets lack their part.
    short: Vec<Owner>,
}

/// Where the money of a refund is taken from: each owner's share from the tax that was withheld
/// from it, if it goes back, from their wallet, and the rest from their receivable. A payout on
/// hold is cancelled first.
async fn sources(
    work: &mut Work,
    book: &mut Book,
    paid: &Refundable,
    back: Parts,
) -> Result<Sources> {
    let parts: Vec<_> = owners(paid).zip([back.amount, back.commission]).collect();
    let mut untaxed = taxes::going_back(work, paid.id, &parts).await?;
    let mut shares = vec![(Owner::Athlete(paid.athlete_id), back.amount - back.commission)];
    shares.extend(paid.agent_id.map(|agent| (Owner::Agent(agent), back.commission)));
    let mut entries = Vec::new();
    let mut short = Vec::new();
    for (owner, share) in shares {
        let tax = untaxed.entry(owner).or_default();
        *tax = share.min(*tax);
        entries.push((Account::Withheld(owner), -*tax));
        let share = share - *tax;
        let [wallet, receivable] = source(work, book, owner, share).await?;
        if receivable.1 != Cents::ZERO {
            short.push(owner);
        }
        entries.extend([wallet, receivable]);
    }
    Ok(Sources { entries, untaxed, short })
}

/// What payees bear of a lost dispute of one payment.
pub(in crate::payments) struct Taken<'a> {
    /// The dispute.
    pub dispute: DisputeId,
    /// The bank's reason.
    pub reason: &'a str,
    /// What goes back.
    pub back: Parts,
}

/// Takes back what payees bear of a lost dispute: from the wallets and payouts on hold, and what
/// they lack is owed. The caller has locked the payment, and the book holds its accounts.
pub(in crate::payments) async fn take_for_dispute(
    work: &mut Work,
    book: &mut Book,
    paid: &Refundable,
    taken: Taken<'_>,
) -> Result<()> {
    let Taken { dispute, reason, back } = taken;
    let now = work.now();
    let Sources { entries, untaxed, .. } = sources(work, book, paid, back).await?;
    let of = (back, RefundFee::None, Some(dispute));
    let refund = store::refund::add(work, paid.id, of, reason, BANK.into(), now).await?;
    taxes::note_refund(work, refund.id, &untaxed).await?;
    let entries = entries.into_iter().chain([(Account::Refunding, refund.total())]);
    let transfer = Transfer::new(Reason::Refund, refund.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(refund.id, "taken_for_dispute");
    reach_card(work, book, paid, &refund).await
}

/// Who asks for what a lost dispute takes back.
const BANK: &str = "processor";

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
        match (refund.status, said) {
            (RefundStatus::Pending, Outcome::Succeeded { .. }) => {
                succeed(work, &paid, &refund).await
            }
            (RefundStatus::Pending | RefundStatus::Succeeded, Outcome::Failed { why, .. }) => {
                let mut book = open(work, &paid).await?;
                fall_back(work, &mut book, &paid, &refund, why).await
            }
            (_, Outcome::InTransit { .. } | Outcome::NeedsAction { .. })
            | (RefundStatus::Succeeded, Outcome::Succeeded { .. })
            | (RefundStatus::Failed, _) => Ok(()),
        }
    }

    async fn answer(&self, work: Work) -> Result<bool> {
        answer(work, self.id).await.map(|_| true)
    }
}

async fn succeed(work: &mut Work, paid: &Refundable, refund: &Refund) -> Result<()> {
    let mut book = open(work, paid).await?;
    reach_card(work, &mut book, paid, refund).await?;
    tell(work, Event::RefundIssued, paid, refund);
    Ok(())
}

/// Tells the brand and the athlete of a refund.
fn tell(work: &mut Work, event: Event, paid: &Refundable, refund: &Refund) {
    let status = match event {
        Event::RefundFailed => RefundStatus::Failed,
        _ => RefundStatus::Succeeded,
    };
    work.publish(
        Published::new(event, Concerned::Payment(paid.id))
            .with(refund.id)
            .with(paid.id)
            .saying("status", status.as_str())
            .worth("amount_cents", refund.amount_cents),
    );
    for user in [paid.partner_user_id, paid.athlete_user_id] {
        let message = Message::new(event, Recipient::User(user))
            .with("amount", refund.amount_cents.to_string())
            .with("company_name", paid.company_name.clone())
            .with("job_title", paid.job_title.clone())
            .with("payment_number", paid.number.clone())
            .with("reason", refund.reason.clone());
        work.send(message);
    }
}

/// The money that was set aside has reached the card.
async fn reach_card(
    work: &mut Work,
    book: &mut Book,
    paid: &Refundable,
    refund: &Refund,
) -> Result<()> {
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
    let gone = (refund.amount_cents, refund.fee_cents);
    store::refund::add_to_payment(work, refund.payment_id, gone, moved, now).await?;
    let total = refund.total();
    let entries =
        [(Account::Refunding, -total), (Account::Card(Owner::Partner(paid.partner_id)), total)];
    let transfer = Transfer::new(Reason::RefundSucceeded, refund.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(refund.id, "succeeded");
    work.note(paid.id, "refunded");
    weigh_again(work, paid).await
}

/// What the athlete has of sales counts for the institution's threshold.
async fn weigh_again(work: &mut Work, paid: &Refundable) -> Result<()> {
    if paid.compensation.is_share_of_sales() {
        threshold::of_receipt(work, paid.athlete_id).await?;
    }
    Ok(())
}

/// Puts back what was set aside, or what had reached the card. Like any credit it first settles
/// what is owed back, because a receivable made for this refund may have been netted in the
/// meantime. The agent's part goes on to the athlete if their contract was cancelled in the
/// meantime.
pub(in crate::payments) async fn fall_back(
    work: &mut Work,
    book: &mut Book,
    paid: &Refundable,
    refund: &Refund,
    why: &str,
) -> Result<()> {
    let now = work.now();
    let moved = refund.status.on(RefundEvent::Fail)?;
    store::refund::change(work, refund.id, moved, Some(why), now).await?;
    let (reason, from) = if refund.status == RefundStatus::Succeeded {
        let left = paid.refunded_cents - refund.amount_cents;
        let moved = match paid.status {
            _ if left == Cents::ZERO => Some(paid.status.on(PaymentEvent::Restore)?),
            PaymentStatus::Refunded => Some(paid.status.on(PaymentEvent::RestorePart)?),
            _ => None,
        };
        let back = (-refund.amount_cents, -refund.fee_cents);
        store::refund::add_to_payment(work, refund.payment_id, back, moved, now).await?;
        (Reason::RefundReturned, Account::Card(Owner::Partner(paid.partner_id)))
    } else {
        (Reason::RefundFailed, Account::Refunding)
    };
    let mut entries = vec![(from, -refund.total()), (Account::Fees, refund.fee_cents)];
    let taxed = taxes::of_refund(work, refund.id).await?;
    let shares = [refund.amount_cents - refund.commission_cents, refund.commission_cents];
    for (owner, share) in owners(paid).zip(shares) {
        let tax = taxed.get(&owner).copied().unwrap_or_default();
        entries.push((Account::Withheld(owner), tax));
        entries.extend(book.credit(owner, share - tax));
    }
    let transfer = Transfer::new(reason, refund.name(), entries);
    book.post(work, now, &[transfer]).await?;
    work.note(refund.id, "failed");
    if refund.status == RefundStatus::Succeeded {
        weigh_again(work, paid).await?;
        // Of a dispute that is decided anew, its own message tells.
        if refund.dispute_id.is_none() {
            tell(work, Event::RefundFailed, paid, refund);
        }
    }
    giving_back::pass_on(work, book, paid, refund).await
}
