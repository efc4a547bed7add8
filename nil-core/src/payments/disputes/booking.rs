//! The ledger's side of disputes: what a bank has taken, what waits for it in wallets, and what
//! payees bear of it.

use std::collections::{BTreeMap, BTreeSet};

use super::dispute::{Dispute, DisputeEvent, DisputeShare};
use crate::error::{Result, codes};
use crate::kernel::{BasisPoints, Cents, weighted_split};
use crate::operation::Work;
use crate::payments::ledger::{Account, Book, Owner, Reason, Transfer};
use crate::payments::payouts::payout::PayoutStatus;
use crate::payments::refunds::refund::{Parts, RefundFee, parts};
use crate::payments::refunds::refunding::{self, Taken};
use crate::payments::store::dispute::{self as store, Disputed};
use crate::payments::store::refund::{self as refunds, Refundable};
use crate::payments::store::{account, payout};
use crate::ports::processor::{self, DisputeKind};
use crate::wording::dispute_reason;

/// A disputed payment: locked, with what went back of it before.
struct Payment {
    paid: Refundable,
    left: Parts,
}

/// Divides a dispute of payments over what is left of them, in proportion. The payments stay
/// locked, so that no refund of them begins meanwhile. A dispute of a subscription has no parts.
pub(super) async fn divide(
    work: &mut Work,
    of: Disputed,
    dispute: &Dispute,
    said: &processor::Dispute,
) -> Result<Vec<DisputeShare>> {
    let Disputed::Payments(charge, _) = of else { return Ok(Vec::new()) };
    let mut disputed = Vec::new();
    for id in store::payments_of(work, charge).await? {
        let paid = refunds::payment(work, id).await?;
        let before = refunds::arrived(work, id).await?;
        let left = Parts {
            amount: paid.amount_cents - before.all.amount,
            fee: paid.fee_cents - before.all.fee,
            commission: paid.agent_commission_cents - before.all.commission,
        };
        disputed.push(Payment { paid, left });
    }
    let weights: Vec<Cents> = disputed.iter().map(|one| one.left.amount + one.left.fee).collect();
    let mut shares = Vec::new();
    for (one, part) in disputed.iter().zip(weighted_split(said.amount, &weights)) {
        shares.push(share_of(one, part));
    }
    if said.kind != DisputeKind::EarlyWarning {
        let_wait(work, &mut shares).await?;
    }
    store::add_shares(work, dispute.id, &shares).await?;
    Ok(shares)
}

/// The part of a dispute that falls on a payment: of its amount and its fee in proportion.
fn share_of(payment: &Payment, part: Cents) -> DisputeShare {
    let Payment { paid, left } = payment;
    let fee = if (left.amount + left.fee).is_positive() {
        weighted_split(part, &[left.amount, left.fee]).pop().unwrap_or_default()
    } else {
        Cents::ZERO
    };
    let amount = part - fee;
    let commission = if left.amount.is_positive() {
        let split = weighted_split(amount, &[left.amount - left.commission, left.commission]);
        split.last().copied().unwrap_or_default()
    } else {
        Cents::ZERO
    };
    DisputeShare {
        payment_id: paid.id,
        payment_number: paid.number.clone(),
        athlete_id: paid.athlete_id,
        athlete_name: String::new(),
        agent_id: paid.agent_id,
        amount_cents: amount,
        fee_cents: fee,
        commission_cents: commission,
        athlete_waits_cents: Cents::ZERO,
        agent_waits_cents: Cents::ZERO,
    }
}

/// Whose wallets the parts are about.
fn payees(shares: &[DisputeShare]) -> BTreeSet<Owner> {
    shares.iter().flat_map(|share| Owner::payees(share.athlete_id, share.agent_id)).collect()
}

/// Lets the parts that are still in the wallets, or in payouts on hold, wait there. What was paid
/// out does not make other money wait.
async fn let_wait(work: &mut Work, shares: &mut [DisputeShare]) -> Result<()> {
    let all = payees(shares);
    let book = Book::open(work, all.iter().copied().map(Account::Wallet)).await?;
    let mut there = BTreeMap::new();
    for owner in all {
        let on_hold = payout::live(work, owner)
            .await?
            .filter(|live| live.status == PayoutStatus::OnHold)
            .map_or(Cents::ZERO, |live| live.amount_cents);
        let waits = store::waiting(work, owner).await?;
        there.insert(owner, book.balance(Account::Wallet(owner)) + on_hold - waits);
    }
    for share in shares {
        let mut part = |owner: Owner, part: Cents| {
            let left = there.entry(owner).or_default();
            let waits = part.min(*left).max(Cents::ZERO);
            *left = *left - waits;
            waits
        };
        share.athlete_waits_cents =
            part(Owner::Athlete(share.athlete_id), share.amount_cents - share.commission_cents);
        if let Some(agent) = share.agent_id {
            share.agent_waits_cents = part(Owner::Agent(agent), share.commission_cents);
        }
    }
    Ok(())
}

/// The bank has taken the money. The platform advances it until the dispute is decided.
pub(super) async fn take(
    work: &mut Work,
    dispute: &mut Dispute,
    said: &processor::Dispute,
) -> Result<()> {
    let mut book = Book::open(work, PLATFORM).await?;
    let amount = dispute.amount_cents;
    let mut transfers = vec![Transfer::new(
        Reason::DisputeOpened,
        dispute.name(),
        [(Account::DisputeCosts, -amount), (Account::Disputed, amount)],
    )];
    if said.fee != Cents::ZERO {
        transfers.push(fee(Reason::DisputeFee, dispute, said.fee));
    }
    dispute.fee_cents = said.fee;
    let now = work.now();
    book.post(work, now, &transfers).await
}

/// The accounts of a dispute that are the platform's or the processor's.
const PLATFORM: [Account; 3] = [Account::DisputeCosts, Account::Disputed, Account::KeptByProcessor];

fn fee(reason: Reason, dispute: &Dispute, more: Cents) -> Transfer {
    let entries = [(Account::DisputeCosts, -more), (Account::KeptByProcessor, more)];
    Transfer::new(reason, dispute.name(), entries)
}

/// Writes what an event moves, before the status changes.
pub(super) async fn book(
    work: &mut Work,
    of: Disputed,
    (dispute, shares): (&mut Dispute, &[DisputeShare]),
    event: DisputeEvent,
    said: &processor::Dispute,
) -> Result<()> {
    match event {
        DisputeEvent::Escalate => take(work, dispute, said).await,
        DisputeEvent::Answer => Ok(()),
        DisputeEvent::Withdraw if !dispute.status.has_taken() => Ok(()),
        DisputeEvent::Win | DisputeEvent::Withdraw => {
            let mut book = Book::open(work, PLATFORM).await?;
            let transfers = given_back(dispute, said);
            let now = work.now();
            book.post(work, now, &transfers).await
        }
        DisputeEvent::Lose => lose(work, of, (dispute, shares), said).await,
        DisputeEvent::Overturn => overturn(work, of, dispute, said).await,
    }
}

/// The bank gives the money back, and the processor perhaps its fee.
fn given_back(dispute: &mut Dispute, said: &processor::Dispute) -> Vec<Transfer> {
    let mut transfers = vec![returned(dispute)];
    transfers.extend(fee_changed(dispute, said));
    transfers
}

fn returned(dispute: &Dispute) -> Transfer {
    let amount = dispute.amount_cents;
    let entries = [(Account::Disputed, -amount), (Account::DisputeCosts, amount)];
    Transfer::new(Reason::DisputeReturned, dispute.name(), entries)
}

fn fee_changed(dispute: &mut Dispute, said: &processor::Dispute) -> Option<Transfer> {
    let more = said.fee - dispute.fee_cents;
    dispute.fee_cents = said.fee;
    (more != Cents::ZERO).then(|| fee(Reason::DisputeFeeChanged, dispute, more))
}

/// Opens the accounts of a decision that payees bear a part of, or that gives it back to them.
async fn open<'a>(
    work: &mut Work,
    of: Disputed,
    bearing: impl Iterator<Item = &'a Refundable>,
) -> Result<Book> {
    let mut accounts = PLATFORM.to_vec();
    accounts.push(Account::Card(of.payer()));
    accounts.extend(bearing.flat_map(refunding::accounts));
    Book::open(work, accounts).await
}

/// What payees give back of a payment whose dispute is lost, by the rate of its day; never more
/// than is left of the payment.
pub(super) fn borne(rate: BasisPoints, share: &DisputeShare, left: Cents) -> Cents {
    rate.of(share.amount_cents).min(left).max(Cents::ZERO)
}

/// The card keeps the money. Payees give back what the terms say that were in force when they were
/// paid; never more than is left of the payment.
async fn lose(
    work: &mut Work,
    of: Disputed,
    (dispute, shares): (&mut Dispute, &[DisputeShare]),
    said: &processor::Dispute,
) -> Result<()> {
    let mut bearing = Vec::new();
    for share in shares {
        let paid = refunds::payment(work, share.payment_id).await?;
        let before = refunds::so_far(work, share.payment_id).await?;
        let rate = store::borne_at(work, paid.paid_at.ok_or(codes::INTERNAL)?).await?;
        let left = paid.amount_cents - before.all.amount;
        let amount = borne(rate, share, left);
        let back = parts(paid.paid(), before, amount, RefundFee::None);
        if amount.is_positive() {
            bearing.push((paid, back));
        }
    }
    let mut book = open(work, of, bearing.iter().map(|(paid, _)| paid)).await?;
    let mut borne = Cents::ZERO;
    for (paid, back) in &bearing {
        let taken =
            Taken { dispute: dispute.id, reason: dispute_reason(&dispute.reason), back: *back };
        refunding::take_for_dispute(work, &mut book, paid, taken).await?;
        borne += back.amount;
    }
    let amount = dispute.amount_cents;
    let mut transfers = vec![Transfer::new(
        Reason::DisputeLost,
        dispute.name(),
        [
            (Account::Disputed, -amount),
            (Account::Card(of.payer()), amount - borne),
            (Account::DisputeCosts, borne),
        ],
    )];
    transfers.extend(fee_changed(dispute, said));
    let now = work.now();
    book.post(work, now, &transfers).await
}

/// A lost dispute is decided anew: the card gives everything back, and payees get back what they
/// bore.
async fn overturn(
    work: &mut Work,
    of: Disputed,
    dispute: &mut Dispute,
    said: &processor::Dispute,
) -> Result<()> {
    let found = refunds::of_dispute(work, dispute.id).await?;
    let mut bearing = Vec::new();
    for refund in found {
        let paid = refunds::payment(work, refund.payment_id).await?;
        bearing.push((paid, refunds::locked(work, refund.id).await?));
    }
    let mut book = open(work, of, bearing.iter().map(|(paid, _)| paid)).await?;
    let mut borne = Cents::ZERO;
    for (paid, refund) in &bearing {
        refunding::fall_back(work, &mut book, paid, refund, "dispute_overturned").await?;
        borne += refund.total();
    }
    let amount = dispute.amount_cents;
    // Its fee may have changed when it was lost: this change has no transfer of its own.
    let more = said.fee - dispute.fee_cents;
    dispute.fee_cents = said.fee;
    let entries = [
        (Account::Card(of.payer()), borne - amount),
        (Account::DisputeCosts, -borne - more),
        (Account::KeptByProcessor, more),
        (Account::Disputed, amount),
    ];
    let overturned = Transfer::new(Reason::DisputeOverturned, dispute.name(), entries);
    let now = work.now();
    book.post(work, now, &[overturned, returned(dispute)]).await
}

/// What waited in wallets can be paid out now.
pub(super) async fn wake(work: &mut Work, shares: &[DisputeShare]) -> Result<()> {
    let now = work.now();
    for owner in payees(shares) {
        account::wake(work, owner.to_string(), now).await?;
    }
    Ok(())
}
