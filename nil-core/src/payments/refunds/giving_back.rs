//! Gives an athlete back what an agent took of payments, after the contract with the agent was
//! cancelled in time.
//!
//! Each payment keeps as commission what refunds have already taken back from the agent; the rest
//! moves from the agent's wallet to the athlete's, and what the wallet lacks becomes the agent's
//! receivable. A payment under way simply carries no commission. What a refund under way has taken
//! back follows if the refund fails.

use super::refund::Refund;
use super::taking_back;
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, Cents, ContractId, PaymentId};
use crate::operation::Work;
use crate::payments::charges::payment::PaymentStatus;
use crate::payments::ledger::{Account, Book, Owner, Reason, Transfer};
use crate::payments::store::giving_back as store;
use crate::payments::store::refund::Refundable;
use crate::payments::taxes;

/// Gives back the commission on payments under these contracts, which the caller has locked: no
/// further payment can begin.
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
        if payment.status != PaymentStatus::Processing {
            let because_of = format!("payment:{}", payment.id);
            post(work, &mut book, (agent, athlete), (payment.id, because_of), back).await?;
        }
        store::keep_commission(work, payment.id, payment.refunded_cents, now).await?;
        work.note(payment.id, "commission_returned");
    }
    Ok(())
}

/// Passes on to the athlete what a failed refund has put back into the agent's wallet, if the
/// contract with the agent was cancelled while the refund was under way. The caller has locked the
/// payment, so that a cancellation either is seen here or sees that the refund has failed. The book
/// must contain the accounts of a refund.
pub(super) async fn pass_on(
    work: &mut Work,
    book: &mut Book,
    paid: &Refundable,
    refund: &Refund,
) -> Result<()> {
    let back = refund.commission_cents;
    let Some(agent) = paid.agent_id.filter(|_| back.is_positive()) else {
        return Ok(());
    };
    if !store::is_waived(work, paid.id).await? {
        return Ok(());
    }
    let owners = (Owner::Agent(agent), Owner::Athlete(paid.athlete_id));
    post(work, book, owners, (paid.id, refund.name()), back).await?;
    let now = work.now();
    store::keep_commission(work, paid.id, paid.agent_commission_cents - back, now).await?;
    work.note(paid.id, "commission_returned");
    Ok(())
}

/// Moves commission on a payment from the agent to the athlete: what of it is withheld goes back
/// from there, in the same year, and the rest comes from the agent's wallet.
async fn post(
    work: &mut Work,
    book: &mut Book,
    (agent, athlete): (Owner, Owner),
    (payment, refers_to): (PaymentId, String),
    back: Cents,
) -> Result<()> {
    let untaxed = taxes::going_back(work, payment, &[(agent, back)]).await?;
    let tax = untaxed.get(&agent).copied().unwrap_or_default();
    taxes::note_return(work, payment, agent, (back, tax)).await?;
    let mut entries = Vec::from(taking_back::source(work, book, agent, back - tax).await?);
    entries.push((Account::Withheld(agent), -tax));
    entries.extend(book.credit(athlete, back));
    let transfer = Transfer::new(Reason::CommissionReturned, refers_to, entries);
    let now = work.now();
    book.post(work, now, &[transfer]).await
}
