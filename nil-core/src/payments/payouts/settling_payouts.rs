//! Payouts as movements: what the processor's outcome changes of the payout and the ledger, and
//! which messages it sends.

use super::payout::{Payout, PayoutEvent, PayoutStatus};
use super::payout_account::PayoutAccount;
use super::payout_settings::refreshed;
use crate::error::{Result, codes};
use crate::kernel::{Machine as _, PayoutId, Time, day_in, utc_day};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Done, Work};
use crate::payments::charges::answering::reason_in_words;
use crate::payments::ledger::{Account, Book, Reason, Transfer};
use crate::payments::movement::Movement;
use crate::payments::store::{self, payout::Facts};
use crate::platform::Platform;
use crate::ports::processor::{Answer, MoneyKind, Outage, Outcome, Request};
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

    const MOVES: MoneyKind = MoneyKind::Payout;

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

    /// Sends a payout that is sent again to its owner's account of today.
    async fn send(&self, platform: &Platform, request: &Request) -> Option<Result<Answer, Outage>> {
        let account = match &self.destination {
            Some(account) => account.clone(),
            None => account_today(platform, &self.payout).await?,
        };
        Some(platform.processor().pay_out(request, &account).await)
    }

    fn reference(&self) -> Option<&str> {
        self.payout.processor_transfer_id.as_deref()
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
}

/// The account that receives an owner's payouts today; none if that is not known.
async fn account_today(platform: &Platform, payout: &Payout) -> Option<String> {
    let account = match payout.owner() {
        Ok(owner) => refreshed(platform, owner).await,
        Err(error) => Err(error),
    };
    match account {
        Ok(account) => account.processor_account_id,
        Err(error) => {
            tracing::error!(%error, payout = %payout.id, "a payout has no account");
            None
        }
    }
}

/// The events that the processor's outcome means for a payout with this status.
fn steps(status: PayoutStatus, said: &Outcome) -> &'static [PayoutEvent] {
    use PayoutEvent::{Arrive, Fail, Return, Send};
    match (status, said) {
        (PayoutStatus::Pending, Outcome::InTransit { .. }) => &[Send],
        (PayoutStatus::Pending, Outcome::Succeeded { .. }) => &[Send, Arrive],
        (PayoutStatus::Pending, Outcome::Failed { .. }) => &[Send, Fail],
        (PayoutStatus::InTransit, Outcome::Succeeded { .. }) => &[Arrive],
        (PayoutStatus::InTransit, Outcome::Failed { .. }) => &[Fail],
        (PayoutStatus::Paid, Outcome::Failed { .. }) => &[Return],
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
        Outcome::Succeeded { id, .. } | Outcome::NeedsAction { id, .. } => (Some(id), None, None),
        Outcome::InTransit { id, until } => (Some(id), Some(*until), None),
        Outcome::Failed { id, why } => (id.as_ref(), None, Some(why.as_str())),
    };
    let facts = Facts {
        transfer: transfer.map(String::as_str),
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
    use crate::kernel::Cents;

    #[test]
    fn words_lead_forward_only() {
        let name = || "tr_1".to_owned();
        let on_its_way = Outcome::InTransit { id: name(), until: platform_day() };
        let arrived = Outcome::Succeeded { id: name(), fee: Cents::ZERO, available_at: None };
        let why = "bank_account_closed".into();
        let failed = Outcome::Failed { id: Some(name()), why };
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
