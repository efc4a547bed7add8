//! The charge of a card: its row is written and committed, then the processor is asked.

use super::amount_owed::{Line, sums};
use super::payment::PaymentKind;
use crate::error::{Result, codes};
use crate::kernel::{ChargeId, PartnerId, ServiceOrderId};
use crate::operation::{Cx, Done, Work};
use crate::payments::ledger::Owner;
use crate::payments::movement;
use crate::payments::store::{self, payment::Charge, payment::NewCharge};

/// Writes the charge for a completed service order and commits.
pub(crate) async fn intend_order(
    work: Work,
    partner: PartnerId,
    line: Line,
    order: ServiceOrderId,
) -> Result<ChargeId> {
    intend(work, partner, PaymentKind::Card, &[line], Some(order)).await
}

/// Writes the charge and its payments as `processing` and claims the call's idempotency key. From
/// here on the processor decides the outcome. 409 `no_payment_method` if no card is saved.
pub(super) async fn intend(
    mut work: Work,
    partner: PartnerId,
    kind: PaymentKind,
    lines: &[Line],
    order: Option<ServiceOrderId>,
) -> Result<ChargeId> {
    let now = work.now();
    let owner = Owner::Partner(partner).to_string();
    let card =
        store::method::default_card(&mut work, &owner).await?.ok_or(codes::NO_PAYMENT_METHOD)?;
    let [amount, fee] = sums(lines);
    let new =
        NewCharge { partner_id: partner, method: card, kind, total: amount + fee, order, now };
    let (charge, payments) = store::payment::add_charge(&mut work, new, lines).await?;
    work.note(charge, "asked_for");
    for (payment, _) in &payments {
        work.note(*payment, "asked_for");
    }
    let label = payments.first().map(|(_, number)| label(number)).unwrap_or_default();
    movement::begin_as(&mut work, charge, amount + fee, (&label, false)).await?;
    work.intent(movement::name(charge)).await?;
    Ok(charge)
}

/// Asks the processor for a charge that was written, settles its outcome, and answers the call.
pub(crate) async fn charge_card<C, T, F, Fut>(
    cx: &Cx<C>,
    charge: ChargeId,
    answer: F,
) -> Result<Done<T>>
where
    F: Fn(Work) -> Fut,
    Fut: Future<Output = Result<Done<T>>>,
{
    let charge: Charge = movement::committed(cx.platform(), charge).await?;
    movement::ask_and_answer(cx, &charge, answer).await
}

/// What the cardholder's bank shows of a payment: its number without the year, because banks have
/// little room.
fn label(number: &str) -> String {
    match (number.split_once('-'), number.rsplit_once('-')) {
        (Some((prefix, _)), Some((_, count))) => format!("{prefix}-{count}"),
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_short() {
        assert_eq!(label("PAY-2026-000123"), "PAY-000123");
        assert_eq!(label("PAY-000123"), "PAY-000123");
        assert_eq!(label("123"), "123");
    }
}
