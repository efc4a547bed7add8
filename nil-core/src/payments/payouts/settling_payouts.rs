//! Payouts as movements: what the processor's outcome changes of the payout and the ledger, and
//! which messages it sends.

use super::payout::{Payout, PayoutEvent, PayoutStatus};
use super::payout_account::PayoutAccount;
use super::payout_settings::refreshed;
use crate::error::{Result, codes};
use crate::kernel::{Machine as _, PayoutId, Rested, Time, day_in, utc_day};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Done, Work};
use crate::payments::charges::answering::reason_in_words;
use crate::payments::ledger::{Account, Book, Reason, Transfer};
use crate::payments::movement::{Movement, ask_again, name_of, verdict};
use crate::payments::store::{self, payout::Facts};
use crate::platform::Platform;
use crate::ports::processor::Outcome;
use crate::storage::Session;

/// A payout on its way to the bank.
#[derive(Debug)]
pub(crate) struct BankTransfer {
    payout: Payout,
    /// The processor's id of the account that receives it; none if there is no account, or if only
    /// an outcome is applied.
    destination: Option<String>,
}

impl BankTransfer {
    /// A payout to be sent to its owner's account.
    pub(crate) fn to(payout: Payout, account: &PayoutAccount) -> Self {
        Self { payout, destination: account.processor_account_id.clone() }
    }
}

impl From<Payout> for BankTransfer {
    /// A payout that is not sent now: an outcome is applied to it.
    fn from(payout: Payout) -> Self {
        Self { payout, destination: None }
    }
}

impl Movement for BankTransfer {
    type Id = PayoutId;

    fn id(&self) -> PayoutId {
        self.payout.id
    }

    fn operation(&self) -> &'static str {
        match self.payout.retry_of {
            None => "admin.payout.trigger",
            Some(_) => "admin.payout.retry",
        }
    }

    async fn find(session: &mut Session, id: PayoutId) -> Result<Option<Self>> {
        Ok(store::payout::find(session, id).await?.map(Self::from))
    }

    /// Lists pending payouts, and those that should have arrived.
    async fn unsettled(session: &mut Session, rested: Rested, now: Time) -> Result<Vec<Self>> {
        let open = store::payout::unsettled(session, rested, utc_day(now)).await?;
        Ok(open.into_iter().map(Self::from).collect())
    }

    async fn ask(&self, platform: &Platform) -> Option<Outcome> {
        let account = self.destination.as_deref()?;
        let processor = platform.processor();
        verdict(processor.pay_out(&self.key(), account, self.payout.amount_cents).await)
    }

    /// Looks up a payout that the processor has accepted; asks again about any other one, with the
    /// account of today.
    async fn ask_again(&self, platform: &Platform) -> Result<Option<Outcome>> {
        let payout = &self.payout;
        let said = match &payout.processor_transfer_id {
            None => sent_again(platform, payout).await?,
            Some(transfer) => match platform.processor().look_up(transfer).await {
                Ok(Some(movement)) => Some(movement.outcome),
                _ => None,
            },
        };
        Ok(said.filter(|said| !steps(payout.status, said).is_empty()))
    }

    /// A payout can be in transit for days.
    fn is_final(_: &Outcome) -> bool {
        true
    }

    async fn settle(&self, work: &mut Work, said: &Outcome) -> Result<()> {
        let mut payout = store::payout::locked(work, self.payout.id).await?;
        for event in steps(payout.status, said) {
            step(work, &mut payout, *event, said).await?;
        }
        Ok(())
    }

    async fn answer(&self, work: Work) -> Result<bool> {
        let settled = answer(work, self.payout.id).await?.into_inner();
        Ok(settled.status != self.payout.status)
    }

    async fn touch(&self, work: &mut Work, now: Time) -> Result<()> {
        store::payout::touch(work, self.payout.id, now).await
    }
}

/// The outcome of a payout without news; it is sent again if it never arrived.
async fn sent_again(platform: &Platform, payout: &Payout) -> Result<Option<Outcome>> {
    let account = refreshed(platform, payout.owner()?).await?;
    let mut session = platform.db().read().await?;
    let since = store::payout::pending_since(&mut session, payout.id).await?;
    drop(session);
    let transfer = BankTransfer::to(payout.clone(), &account);
    Ok(ask_again(platform, &transfer, since).await)
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
    let mut book = Book::of_payouts(work, owner).await?;
    if event == PayoutEvent::Arrive {
        let entries = [(from, -amount), (Account::Bank(owner), amount)];
        let transfer = Transfer::new(reason, payout.name(), entries);
        return book.post(work, now, &[transfer]).await;
    }
    let transfer = put_back(&mut book, payout, (reason, from))?;
    book.post(work, now, &[transfer]).await
}

/// The transfer that puts a payout's money back into the wallet. The book must contain the accounts
/// of [`open`]. Tax that was withheld from the payments stays where it is.
pub(super) fn put_back(
    book: &mut Book,
    payout: &Payout,
    (reason, from): (Reason, Account),
) -> Result<Transfer> {
    let amount = payout.amount_cents;
    let credit = book.credit(payout.owner()?, amount);
    Ok(Transfer::new(reason, payout.name(), [(from, -amount)].into_iter().chain(credit)))
}

pub(crate) async fn answer(mut work: Work, id: PayoutId) -> Result<Done<Payout>> {
    let payout = store::payout::find(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
    work.done(payout).await
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
