//! Gives an athlete back what an agent took of payments, after the contract with the agent was cancelled in time.
//!
//! Each payment keeps as commission what refunds have already taken back from the agent; the rest moves from the agent's
//! wallet to the athlete's, and what the wallet lacks becomes the agent's receivable. A payment under way simply carries no
//! commission.

use super::ledger::{Account, Book, Owner, Reason, Transfer};
use super::payment::PaymentStatus;
use super::refunding;
use super::store::giving_back as store;
use super::taxes;
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, Cents, ContractId};
use crate::operation::Work;

/// Gives back the commission on payments under these contracts, which the caller has locked: no further payment can
/// begin.
pub(crate) async fn give_commission_back(
    work: &mut Work,
    (agent, athlete): (AgentId, AthleteId),
    contracts: &[ContractId],
) -> Result<()> {
    if contracts.is_empty() {
        return Ok(());
    }
    let taken = store::commission_of(work, contracts).await?;
    if taken.is_empty() {
        return Ok(());
    }
    let (agent, athlete) = (Owner::Agent(agent), Owner::Athlete(athlete));
    let accounts = [
        Account::Wallet(agent),
        Account::Receivable(agent),
        Account::Withheld(agent),
        Account::Wallet(athlete),
        Account::Receivable(athlete),
        Account::Clearing,
    ];
    let mut book = Book::open(work, accounts).await?;
    let now = work.now();
    for payment in taken {
        let back = payment.commission_cents - payment.refunded_cents;
        if back == Cents::ZERO {
            continue;
        }
        let untaxed = taxes::going_back(work, payment.id, &[(agent, back)]).await?;
        let tax = untaxed.get(&agent).copied().unwrap_or_default();
        store::keep_commission(work, payment.id, payment.refunded_cents, now).await?;
        work.note(payment.id, "commission_returned");
        if payment.status == PaymentStatus::Processing {
            continue;
        }
        taxes::note_return(work, payment.id, agent, (back, tax)).await?;
        let mut entries = Vec::from(refunding::source(work, &mut book, agent, back - tax).await?);
        entries.push((Account::Withheld(agent), -tax));
        entries.extend(book.credit(athlete, back));
        let refers_to = format!("payment:{}", payment.id);
        let transfer = Transfer::new(Reason::CommissionReturned, refers_to, entries);
        book.post(work, now, &[transfer]).await?;
    }
    Ok(())
}
