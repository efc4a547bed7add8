//! Charges the commission on sales to the brand's saved card, per contract, once a day.
//!
//! A reported sale is owed like approved work, and the brand can pay it in the same way at any
//! time. The worker charges what remains from earlier days. It claims the day in the transaction
//! that writes the charge, so nothing is charged twice; a declined card is tried again the next
//! day. Only a successful payment credits a wallet.

use super::amount_owed::{Owed, WantedPayment};
use super::charging::intend;
use super::payment::PaymentKind;
use crate::auth::Service;
use crate::error::{Result, codes};
use crate::institutions::checking;
use crate::kernel::{Cents, Date, Time, midnight, utc_day};
use crate::operation::{Cx, Done};
use crate::payments::movement;
use crate::payments::store::{self, commission::Due, payment::Charge};
use crate::platform::Platform;
use crate::ports::processor::Outcome;
use crate::schedule::due::Failed;

/// Smaller amounts are left to add up, because each charge costs the platform a fee.
const LEAST: Cents = Cents(100);

/// Charges what brands owe for sales of the days before today (UTC). What an institution's rule
/// forbids to pay stays owed. Returns the number of contracts charged. For the worker.
pub async fn settle_commission(platform: &Platform) -> Result<usize> {
    let day = utc_day(platform.now());
    let before = midnight(day);
    let mut session = platform.db().read().await?;
    let due = store::commission::due(&mut session, before, day, LEAST).await?;
    drop(session);
    let mut failed = Failed::default();
    let mut settled = 0;
    for due in due {
        let contract = due.contract;
        let worker = Service::ourselves();
        match platform.call(worker, settle, (due, day, before)).await {
            Ok(done) => settled += usize::from(done.into_inner()),
            // The card was removed in the meantime.
            Err(error) if error.code() == codes::NO_PAYMENT_METHOD.name => {}
            Err(error) => failed.note("commission of a contract", contract, error)?,
        }
    }
    failed.or(settled)
}

async fn settle(cx: Cx<Service>, (due, day, before): (Due, Date, Time)) -> Result<Done<bool>> {
    let wanted = WantedPayment {
        athlete_id: due.athlete,
        contract_id: Some(due.contract),
        job_id: None,
        deliverable_ids: None,
        amount_cents: None,
    };
    let mut work = cx.begin().await?;
    let named = std::slice::from_ref(&wanted);
    let contracts = store::owed::contracts(&mut work, due.partner, named, true).await?;
    if !store::commission::claim(&mut work, due.contract, day, cx.now()).await? {
        return work.done(false).await;
    }
    let ids = [due.contract];
    let owing = store::commission::owing(&mut work, &ids, Some(before)).await?;
    let refused = checking::of_payments(&mut work, &ids, cx.now()).await?;
    let paid = store::owed::paid(&mut work, &ids).await?;
    let Ok(line) = Owed::new(contracts, owing, paid, refused).plan(&wanted) else {
        return work.done(false).await;
    };
    let charge = intend(work, due.partner, PaymentKind::Card, &[line], None).await?;
    let charge: Charge = movement::committed(cx.platform(), charge).await?;
    let heard = movement::ask(cx.platform(), &charge).await?;
    let charged = matches!(heard.outcome, Some(Outcome::Succeeded { .. }));
    movement::settle_and_answer(&cx, &charge, &heard, |work| work.done(charged)).await
}
