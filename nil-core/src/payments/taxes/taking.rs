//! Writes what each payee got by a payment, and withholds tax from it.
//!
//! The tax belongs to the payment: it is taken when the payment succeeds, in the payer's year. It
//! follows the law's line: the payment that brings what a payer paid the payee in the year to the
//! amount to report is withheld from whole, and so is every later one. A payer who had to report,
//! or withheld, in the year before withholds from the first. A refund in the same year gives back
//! its part; once the year is over, the tax stays with the tax office.

use std::collections::{BTreeMap, BTreeSet};

use super::year::{self, Lines};
use crate::error::Result;
use crate::kernel::{Cents, PartnerId, PaymentId, RefundId, proportion};
use crate::operation::Work;
use crate::payments::ledger::{Account, Book, Owner, Reason, Transfer};
use crate::payments::store::payment::Booked;
use crate::payments::store::tax_payment as store;
use crate::payments::store::tax_return::{self, Movement};
use crate::payments::taxes::ReturnForm;

/// Writes what the payees of payments got that have just been booked, and takes what must be
/// withheld out of the wallets. The book holds the wallets, the receivables and what was withheld.
pub(in crate::payments) async fn take(
    work: &mut Work,
    book: &mut Book,
    partner: PartnerId,
    payments: &[Booked],
) -> Result<()> {
    let now = work.now();
    let mut got = Vec::new();
    for payment in payments {
        got.push((payment.id, Owner::Athlete(payment.athlete_id), payment.amount_cents));
        if let Some(agent) = payment.agent_id
            && payment.agent_commission_cents.is_positive()
        {
            got.push((payment.id, Owner::Agent(agent), payment.agent_commission_cents));
        }
    }
    store::add(work, partner, &got, now).await?;
    let owners: BTreeSet<Owner> = got.iter().map(|(_, owner, _)| *owner).collect();
    let mut transfers: BTreeMap<PaymentId, Vec<(Account, Cents)>> = BTreeMap::new();
    for owner in store::withheld_from(work, owners).await? {
        let ours: Vec<PaymentId> =
            got.iter().filter(|(_, whose, _)| *whose == owner).map(|(id, ..)| *id).collect();
        let mut left = book.balance(Account::Wallet(owner));
        for (payment, tax) in due(work, partner, owner, &ours).await? {
            store::withhold(work, payment, owner, tax).await?;
            // What the wallet lacks, because it settled what was owed back, is owed back again.
            let taken = tax.min(left);
            left = left - taken;
            transfers.entry(payment).or_default().extend([
                (Account::Wallet(owner), -taken),
                (Account::Receivable(owner), taken - tax),
                (Account::Withheld(owner), tax),
            ]);
        }
    }
    let transfers: Vec<Transfer> = transfers
        .into_iter()
        .map(|(payment, entries)| {
            Transfer::new(Reason::PaymentWithheld, format!("payment:{payment}"), entries)
        })
        .collect();
    if transfers.is_empty() {
        return Ok(());
    }
    book.post(work, now, &transfers).await
}

/// The tax due on new payments of a payer to a payee who has a notice, in their order.
async fn due(
    work: &mut Work,
    partner: PartnerId,
    owner: Owner,
    new: &[PaymentId],
) -> Result<Vec<(PaymentId, Cents)>> {
    let now = work.now();
    let Some((from, _)) = year::anywhere(year::year_of(now) - 2) else {
        return Ok(Vec::new());
    };
    let until = now + chrono::TimeDelta::days(2);
    let mut all = tax_return::movements(work, owner, (from, until)).await?;
    all.retain(|movement| movement.partner_id == partner && movement.counts());
    let Some(year) = all.iter().find(|one| is_new(one, new)).map(Movement::year) else {
        return Ok(Vec::new());
    };
    let lines = Lines::of(work, year).await?;
    let before = Lines::of(work, year - 1).await?;
    let sum = |year: i64, form: ReturnForm| -> (Cents, Cents) {
        let of = all.iter().filter(|one| one.year() == year && one.form == form);
        let of: Vec<&Movement> = of.filter(|one| !is_new(one, new)).collect();
        (of.iter().map(|one| one.amount_cents).sum(), of.iter().map(|one| one.withheld_cents).sum())
    };
    let reported = ReturnForm::ALL.iter().any(|form| {
        let (amount, withheld) = sum(year - 1, *form);
        withheld.is_positive() || amount >= before.on(*form)
    });
    let rate = year::withholding_rate(year)?;
    let mut paid: BTreeMap<&'static str, Cents> = BTreeMap::new();
    let mut due = Vec::new();
    for payment in new {
        let Some(one) = all.iter().find(|one| one.payment_id == Some(*payment)) else {
            continue;
        };
        let so_far = paid.entry(one.form.as_str()).or_insert_with(|| sum(year, one.form).0);
        *so_far += one.amount_cents;
        let tax = rate.of(one.amount_cents);
        if tax.is_positive() && (reported || *so_far >= lines.on(one.form)) {
            due.push((*payment, tax));
        }
    }
    Ok(due)
}

fn is_new(one: &Movement, new: &[PaymentId]) -> bool {
    one.payment_id.is_some_and(|id| new.contains(&id))
}

/// The withheld tax that goes back with parts of a payment, by owner; nothing once the payer's year
/// is over.
pub(in crate::payments) async fn going_back(
    work: &mut Work,
    payment: PaymentId,
    parts: &[(Owner, Cents)],
) -> Result<BTreeMap<Owner, Cents>> {
    let now = work.now();
    let mut back = BTreeMap::new();
    for row in store::withheld(work, payment).await? {
        let owner = row.owner()?;
        let zone = year::zone_of(row.state.as_deref());
        let part = parts.iter().find(|(whose, _)| *whose == owner).map(|(_, part)| *part);
        let Some(part) = part.filter(|part| part.is_positive()) else {
            continue;
        };
        if year::year_in(row.paid_at, zone) == year::year_in(now, zone) {
            let tax = proportion(row.withheld_cents, part.get(), row.left_cents.get());
            back.insert(owner, tax.min(row.withheld_cents));
        }
    }
    Ok(back)
}

/// Keeps what of the withheld tax went back with a refund.
pub(in crate::payments) async fn note_refund(
    work: &mut Work,
    refund: RefundId,
    back: &BTreeMap<Owner, Cents>,
) -> Result<()> {
    for (owner, cents) in back.iter().filter(|(_, cents)| cents.is_positive()) {
        store::add_to_refund(work, refund, *owner, *cents).await?;
    }
    Ok(())
}

/// What of the withheld tax went back with a refund, by owner.
pub(in crate::payments) async fn of_refund(
    work: &mut Work,
    refund: RefundId,
) -> Result<BTreeMap<Owner, Cents>> {
    store::of_refund(work, refund).await
}

/// Keeps the commission that went back to the athlete, and the tax within it.
pub(in crate::payments) async fn note_return(
    work: &mut Work,
    payment: PaymentId,
    agent: Owner,
    cents: (Cents, Cents),
) -> Result<()> {
    let now = work.now();
    store::give_back(work, payment, agent, cents, now).await
}
