//! Payees are asked for a tax form: when a payout waits for it, when tax is withheld, when their
//! earnings come close to the amount that payers must report, and in January if a return lacks it.
//! Once for each reason and year; whoever asks holds the payee's wallet, as whoever hands in a form
//! does, so that nobody is asked for a form that is there.

use std::collections::BTreeSet;

use super::payee::{self, Earned, is_reported};
use super::request::{AskReason, ListTaxRequests, TaxFormRequest};
use super::year::{self, Lines};
use crate::auth::{Operator, Service};
use crate::error::{Result, codes};
use crate::kernel::{Combined, Listing, PartnerId, Sifted, TaxFormRequestId};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::payments::HoldReason;
use crate::payments::ledger::{Book, Owner};
use crate::payments::store::{account, tax_form, tax_request as store, tax_return};
use crate::platform::Platform;
use crate::schedule::due;

/// The part of an amount to report, in percent, from which payees are asked.
const NEAR: i64 = 80;

/// Asks a payee for a form because of a year's earnings, unless it is there or they were asked for
/// this reason. The caller holds the wallet. Brands are not asked.
pub(super) async fn ask(work: &mut Work, owner: Owner, reason: AskReason, year: i64) -> Result<()> {
    if tax_form::has_form(work, owner).await? {
        return Ok(());
    }
    let now = work.now();
    let over = year::anywhere(year).map(|span| span.1);
    let look_at = over.filter(|_| reason != AskReason::ReturnsDue);
    let Some(id) = store::ask(work, owner, year, reason, (look_at, now)).await? else {
        return Ok(());
    };
    work.note(id, "asked");
    let Some(user) = account::user_of(work, owner).await? else {
        return Ok(());
    };
    let foreign = match owner {
        Owner::Athlete(athlete) => tax_form::is_foreign(work, athlete).await?,
        _ => false,
    };
    let page = work.platform().config().page_of_the_front_end("/tax-form");
    let message = Message::new(Event::TaxFormRequested, Recipient::User(user))
        .with("reason", reason.as_str())
        .with("year", year)
        .with("foreign", foreign);
    work.send(match page {
        Some(page) => message.with("url", page),
        None => message,
    });
    Ok(())
}

/// Asks the payees of payments that have just succeeded and whose earnings come close to the amount
/// that payers report.
pub(in crate::payments) async fn ask_if_near(
    work: &mut Work,
    partner: PartnerId,
    owners: BTreeSet<Owner>,
) -> Result<()> {
    let mut unknown = Vec::new();
    let now = work.now();
    let year = year::year_of(now);
    for owner in owners {
        if !store::need_is_known(work, owner, year).await? {
            unknown.push(owner);
        }
    }
    if unknown.is_empty() {
        return Ok(());
    }
    let zone = year::zone_of(tax_return::state_of(work, partner).await?.as_deref());
    let year = year::year_in(now, zone);
    let lines = Lines::of(work, year).await?;
    for owner in unknown {
        if Earned::of(work, owner, year).await?.comes_to(NEAR, lines) {
            ask(work, owner, AskReason::NearThreshold, year).await?;
        }
    }
    Ok(())
}

/// Asks the owner of a payout that waits for a form, because of the year that it waits for. The
/// caller holds the wallet.
pub(in crate::payments) async fn ask_for_hold(work: &mut Work, owner: Owner) -> Result<()> {
    match payee::held_for(work, owner).await? {
        Some(year) => ask(work, owner, AskReason::PayoutHeld, year).await,
        None => Ok(()),
    }
}

/// Whether one of the reasons is a missing tax form.
pub(in crate::payments) fn lacks_form(holds: &[HoldReason]) -> bool {
    let missing = [HoldReason::TaxFormMissing, HoldReason::TaxFormUnsupported];
    holds.iter().any(|reason| missing.contains(reason))
}

/// Asks the owner of a wallet that is not paid out because a form is missing.
pub(in crate::payments) async fn ask_if_held(
    platform: &Platform,
    owner: Owner,
    holds: &[HoldReason],
) -> Result<()> {
    if !lacks_form(holds) {
        return Ok(());
    }
    let mut session = platform.db().read().await?;
    let known = match payee::held_for(&mut session, owner).await? {
        Some(year) => store::hold_is_known(&mut session, owner, year).await?,
        None => true,
    };
    drop(session);
    if known {
        return Ok(());
    }
    platform.call(Service::ourselves(), ask_held, owner).await.map(|_| ())
}

async fn ask_held(cx: Cx<Service>, owner: Owner) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    Book::of_payouts(&mut work, owner).await?;
    // The form or its need may have gone since the wallet was looked at.
    ask_for_hold(&mut work, owner).await?;
    work.done(()).await
}

/// Asks payees for whom a return of a year that is over lacks the form, once; returns their number.
/// For the worker; any number of workers may run it concurrently.
pub async fn ask_before_returns(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    let due = |behind| async move {
        let mut session = platform.db().read().await?;
        store::due(&mut session, now, behind).await
    };
    due::each("request for a tax form", due, |id| async move {
        let ours = Service::ourselves();
        Ok(platform.call(ours, look, id).await?.into_inner())
    })
    .await
}

async fn look(cx: Cx<Service>, id: TaxFormRequestId) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let asked = store::find(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
    let owner = Owner::named(&asked.owner).ok_or(codes::INTERNAL)?;
    Book::of_payouts(&mut work, owner).await?;
    // Another worker may have looked, or the form may have come in, before the wallet was free.
    let asked = store::find(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
    let now = cx.now();
    if asked.look_at.is_none_or(|look_at| look_at > now) {
        return work.done(false).await;
    }
    let due = is_reported(&mut work, owner, asked.year).await?;
    if due {
        ask(&mut work, owner, AskReason::ReturnsDue, asked.year).await?;
    }
    store::looked(&mut work, id, now).await?;
    work.done(due).await
}

/// Lists payees who were asked for a tax form, newest first (extension). They are asked once for
/// each reason and year. `q` looks in their names. 422 for an unknown status.
pub async fn list(
    cx: Cx<Operator>,
    input: Sifted<ListTaxRequests>,
) -> Result<Listing<TaxFormRequest>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    store::page(&mut session, &input, &sift, place).await
}
