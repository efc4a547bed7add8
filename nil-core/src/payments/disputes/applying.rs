//! What the processor says of a dispute is applied to ours, in any order and any number of times.

use super::booking;
use super::dispute::{Dispute, DisputeEvent, DisputeKind, DisputeShare, DisputeStatus};
use crate::error::{Error, Result, codes};
use crate::kernel::Machine as _;
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Work, patiently};
use crate::payments::movement;
use crate::payments::store::dispute::{self as store, Disputed};
use crate::payments::store::{account, payment};
use crate::platform::Platform;
use crate::ports::processor::{self, DisputeState};
use crate::wording::label;

/// Applies what the processor says of a dispute. Returns whether it is one of ours.
pub(crate) async fn apply(platform: &Platform, said: &processor::Dispute) -> Result<bool> {
    let Some(of) = charge(platform, said).await? else {
        tracing::error!(
            dispute = said.reference,
            charge = said.charge,
            "a dispute is of a charge that is not on record"
        );
        return Ok(false);
    };
    let known = store::named(&mut platform.db().read().await?, &said.reference).await?;
    if known.is_none() {
        patiently(platform, || async {
            let mut work = Work::resume(platform, "admin.dispute.answer", None).await?;
            begin(&mut work, of, said).await?;
            work.done(()).await
        })
        .await?;
    }
    patiently(platform, || async {
        let mut work = Work::resume(platform, "admin.dispute.answer", None).await?;
        go_on(&mut work, of, said).await?;
        work.done(()).await
    })
    .await?;
    Ok(true)
}

/// The charge that is disputed. An event can be here before the answer to the charge.
async fn charge(platform: &Platform, said: &processor::Dispute) -> Result<Option<Disputed>> {
    let mut session = platform.db().read().await?;
    let known = store::charged(&mut session, &said.charge).await?;
    drop(session);
    if known.is_some() {
        return Ok(known);
    }
    if let Ok(Some(found)) = platform.processor().look_up(&said.charge).await {
        movement::apply_outcome(platform, &found).await?;
    }
    let mut session = platform.db().read().await?;
    store::charged(&mut session, &said.charge).await
}

/// Writes a dispute that is new here, as it began. What has become of it since follows in another
/// transaction, because each opens the ledger's accounts once.
async fn begin(work: &mut Work, of: Disputed, said: &processor::Dispute) -> Result<()> {
    if said.currency != "usd" || !said.amount.is_positive() {
        return Err(Error::internal(format!("{} is of no amount in dollars", said.reference)));
    }
    let began = if said.kind == DisputeKind::Chargeback {
        DisputeStatus::NeedsResponse
    } else {
        DisputeStatus::Warning
    };
    let now = work.now();
    if !store::add(work, of, said, began, now).await? {
        // Another caller has just written it.
        return Ok(());
    }
    let mut dispute = store::locked(work, &said.reference).await?.ok_or(codes::INTERNAL)?;
    let shares = booking::divide(work, of, &dispute, said).await?;
    if began.has_taken() {
        booking::take(work, &mut dispute, said).await?;
    }
    store::note(work, dispute.id, said, dispute.fee_cents, now).await?;
    mark(work, of).await?;
    work.note(dispute.id, "opened");
    tell(work, of, (&dispute, &shares), Event::DisputeOpened).await
}

/// Applies what the processor says of a dispute that is on record.
async fn go_on(work: &mut Work, of: Disputed, said: &processor::Dispute) -> Result<()> {
    let now = work.now();
    let mut dispute = store::locked(work, &said.reference).await?.ok_or(codes::INTERNAL)?;
    let steps = steps(dispute.status, said.state);
    let shares =
        if steps.is_empty() { Vec::new() } else { store::shares(work, dispute.id).await? };
    for event in steps {
        let moved = dispute.status.on(*event)?;
        booking::book(work, of, (&mut dispute, &shares), *event, said).await?;
        store::change(work, dispute.id, moved, now).await?;
        dispute.status = moved.to();
        work.note(dispute.id, action(*event));
        if !dispute.status.is_open() {
            booking::wake(work, &shares).await?;
            tell(work, of, (&dispute, &shares), Event::DisputeClosed).await?;
        }
    }
    store::note(work, dispute.id, said, dispute.fee_cents, now).await?;
    if !steps.is_empty() {
        mark(work, of).await?;
    }
    Ok(())
}

async fn mark(work: &mut Work, of: Disputed) -> Result<()> {
    let now = work.now();
    match of {
        Disputed::Payments(charge, _) => store::mark_payments(work, charge, now).await,
        Disputed::Subscription(..) => Ok(()),
    }
}

/// The events that the processor's state means for a dispute with this status.
fn steps(status: DisputeStatus, said: DisputeState) -> &'static [DisputeEvent] {
    use DisputeEvent::{Answer, Escalate, Lose, Overturn, Win, Withdraw};
    use DisputeStatus as Status;
    match (status, said) {
        (Status::Warning, DisputeState::NeedsResponse) => &[Escalate],
        (Status::Warning, DisputeState::UnderReview) => &[Escalate, Answer],
        (Status::Warning, DisputeState::Won) => &[Escalate, Win],
        (Status::Warning, DisputeState::Lost) => &[Escalate, Lose],
        (Status::NeedsResponse, DisputeState::UnderReview) => &[Answer],
        (Status::NeedsResponse | Status::UnderReview, DisputeState::Won) => &[Win],
        (Status::NeedsResponse | Status::UnderReview, DisputeState::Lost) => &[Lose],
        (
            Status::Warning | Status::NeedsResponse | Status::UnderReview,
            DisputeState::Withdrawn,
        ) => &[Withdraw],
        (Status::Lost, DisputeState::Won) => &[Overturn],
        _ => &[],
    }
}

/// The word of an event in the audit trail.
const fn action(event: DisputeEvent) -> &'static str {
    match event {
        DisputeEvent::Escalate => "escalated",
        DisputeEvent::Answer => "answered",
        DisputeEvent::Win => "won",
        DisputeEvent::Lose => "lost",
        DisputeEvent::Withdraw => "withdrawn",
        DisputeEvent::Overturn => "overturned",
    }
}

/// Tells the payer, and the athletes whose payments are disputed. Nobody is told of early warnings.
async fn tell(
    work: &mut Work,
    of: Disputed,
    (dispute, shares): (&Dispute, &[DisputeShare]),
    event: Event,
) -> Result<()> {
    if dispute.kind == DisputeKind::EarlyWarning {
        return Ok(());
    }
    let message = |amount: String, to| {
        Message::new(event, to)
            .with("amount", amount)
            .with("company_name", dispute.payer_name.clone())
            .with("outcome", label(dispute.status.as_str()))
            .with("dispute_id", dispute.id.get())
    };
    if let Some(user) = account::user_of(work, of.payer()).await? {
        let to = Recipient::User(user);
        work.send(message(dispute.amount_cents.to_string(), to).with("payment_number", ""));
    }
    let Disputed::Payments(charge, _) = of else { return Ok(()) };
    for paid in payment::of_charge(work, charge).await? {
        let share = shares.iter().find(|share| share.payment_id == paid.id);
        let Some(share) = share else { continue };
        let to = Recipient::User(paid.athlete_user_id);
        work.send(message(share.amount_cents.to_string(), to).with("payment_number", paid.number));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: [DisputeState; 6] = [
        DisputeState::Warning,
        DisputeState::NeedsResponse,
        DisputeState::UnderReview,
        DisputeState::Won,
        DisputeState::Lost,
        DisputeState::Withdrawn,
    ];

    #[test]
    fn what_is_said_leads_forward_only() {
        for status in DisputeStatus::ALL {
            for said in SAID {
                let mut at = *status;
                for event in steps(*status, said) {
                    at = at.on(*event).unwrap().to();
                }
                // Said again, it changes nothing; nor does what was said before.
                assert!(steps(at, said).is_empty(), "{status} {said:?}");
                assert!(steps(at, DisputeState::Warning).is_empty(), "{status} {said:?}");
            }
        }
    }
}
