//! What the processor says of a dispute is applied to ours, in any order and any number of times.

use super::booking;
use super::dispute::{Dispute, DisputeEvent, DisputeKind, DisputeShare, DisputeStatus};
use crate::error::{Result, codes};
use crate::feed::{Concerned, Published};
use crate::kernel::{Cents, Machine as _};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Work, patiently};
use crate::payments::methods::unavailable;
use crate::payments::movement;
use crate::payments::store::dispute::{self as store, Disputed};
use crate::payments::store::{account, payment, refund};
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
        if said.currency != "usd" || !said.amount.is_positive() {
            tracing::error!(dispute = said.reference, "a dispute is of no amount in dollars");
            return Ok(false);
        }
        renew_refunds(platform, of, said).await?;
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

/// A dispute is divided by what is left of its payments, and a refund of one of them can have
/// failed late without our knowing. Each is asked about before. 503 if that is impossible, and the
/// dispute is of more than what is left: then one of them must have failed.
async fn renew_refunds(platform: &Platform, of: Disputed, said: &processor::Dispute) -> Result<()> {
    let Disputed::Payments(charge, _) = of else { return Ok(()) };
    let mut session = platform.db().read().await?;
    let requests = refund::requests_of(&mut session, charge).await?;
    drop(session);
    let mut unanswered = None;
    for request in requests {
        match platform.processor().find(&request).await {
            Ok(Some(found)) => movement::apply_outcome(platform, &found).await?,
            Ok(None) => {}
            Err(outage) => unanswered = Some(outage),
        }
    }
    let Some(outage) = unanswered else { return Ok(()) };
    let mut session = platform.db().read().await?;
    if said.amount > refund::left_of(&mut session, charge).await? {
        return Err(unavailable(outage));
    }
    tracing::warn!(why = outage.why, "refunds of a disputed charge could not be asked about");
    Ok(())
}

/// Writes a dispute that is new here, as it began. What has become of it since follows in another
/// transaction, because each opens the ledger's accounts once.
async fn begin(work: &mut Work, of: Disputed, said: &processor::Dispute) -> Result<()> {
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
    let steps = steps(dispute.status, said);
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
fn steps(status: DisputeStatus, said: &processor::Dispute) -> &'static [DisputeEvent] {
    use DisputeEvent::{Answer, Escalate, Lose, Overturn, Win, Withdraw};
    use DisputeStatus as Status;
    match (status, said.state) {
        // Its money was taken and given back without our knowing, and the processor has kept a fee.
        (Status::Warning, DisputeState::Withdrawn) if said.fee != Cents::ZERO => {
            &[Escalate, Withdraw]
        }
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
    if let Some(brand) = dispute.partner_id {
        work.publish(
            Published::new(event, Concerned::Brand(brand))
                .with(dispute.id)
                .saying("status", dispute.status.as_str())
                .worth("amount_cents", dispute.amount_cents),
        );
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
    use crate::kernel::Time;

    const SAID: [DisputeState; 6] = [
        DisputeState::Warning,
        DisputeState::NeedsResponse,
        DisputeState::UnderReview,
        DisputeState::Won,
        DisputeState::Lost,
        DisputeState::Withdrawn,
    ];

    fn said(state: DisputeState, fee: Cents) -> processor::Dispute {
        processor::Dispute {
            reference: "du_1".into(),
            charge: "pi_1".into(),
            kind: DisputeKind::Chargeback,
            state,
            reason: "fraudulent".into(),
            amount: Cents(500),
            currency: "usd".into(),
            fee,
            evidence_due_at: None,
            opened_at: Time::UNIX_EPOCH,
        }
    }

    #[test]
    fn what_is_said_leads_forward_only() {
        for (status, state) in
            DisputeStatus::ALL.iter().flat_map(|status| SAID.map(|said| (status, said)))
        {
            for fee in [Cents::ZERO, Cents(1_500)] {
                let mut at = *status;
                for event in steps(*status, &said(state, fee)) {
                    at = at.on(*event).unwrap().to();
                }
                // Said again, it changes nothing; nor does what was said before.
                assert!(steps(at, &said(state, fee)).is_empty(), "{status} {state:?}");
                let before = said(DisputeState::Warning, Cents::ZERO);
                assert!(steps(at, &before).is_empty(), "{status} {state:?}");
            }
        }
    }

    #[test]
    fn what_was_taken_and_given_back_unheard_is_booked_if_it_cost_something() {
        let withdrawn = |fee| steps(DisputeStatus::Warning, &said(DisputeState::Withdrawn, fee));
        assert_eq!(withdrawn(Cents::ZERO), [DisputeEvent::Withdraw]);
        assert_eq!(withdrawn(Cents(1_500)), [DisputeEvent::Escalate, DisputeEvent::Withdraw]);
    }
}
