//! Adds up an athlete's deals with one group of companies; if they reach the clearinghouse's
//! threshold, they must be submitted there.

use std::collections::BTreeMap;

use super::clearance::{ClearanceEvent, ClearanceStatus};
use super::due::School;
use super::payor::{self, Payor};
use super::reportable::{Counted, reached, reportable};
use super::store::account::{self as accounts, Entry, Receipt};
use super::store::clearance::{self as clearances, Deal};
use super::store::person::{self as people, Person};
use super::telling::{self, Deal as Told};
use super::{attesting, due, prefilling};
use crate::error::Result;
use crate::institutions::{RuleKind, Rules, ThresholdScope, checking, company_key};
use crate::kernel::{
    AthleteId, Cents, CollegeId, ContractId, Date, DisclosedJobId, Machine as _, Time, day_in,
    end_of_day, zone_or_last,
};
use crate::operation::Work;
use crate::storage::Session;

/// Adds a contract that was just executed, with the total value `amount`, to the deals with
/// `company`. Does nothing for an athlete without an institution. Called by the operation that
/// executes it, in its transaction.
pub(crate) async fn of_contract(
    work: &mut Work,
    contract: ContractId,
    athlete: AthleteId,
    (company, amount): (&str, Cents),
) -> Result<()> {
    people::lock(work, athlete).await?;
    let person = people::find(work, athlete).await?;
    let Some(college) = person.college_id else {
        return Ok(());
    };
    let now = work.now();
    let payor = company_key(company);
    let deal =
        Deal { athlete, college, payor: &payor, amount, signed_on: day_in(now, person.zone()) };
    clearances::add_contract(work, contract, &deal, now).await?;
    weigh(work, &person).await
}

/// Adds up an athlete's deals again after a share of sales was paid to them, or refunded: it counts
/// when it is received. Called by the operation that settles the payment or the refund, in its
/// transaction.
pub(crate) async fn of_receipt(work: &mut Work, athlete: AthleteId) -> Result<()> {
    people::lock(work, athlete).await?;
    let person = people::find(work, athlete).await?;
    weigh(work, &person).await
}

/// Whether payouts to the athlete wait for the clearinghouse: an institution holds them (rule
/// `hold_payouts`), both today and on the day the contract was signed, and a contract is not
/// cleared.
pub(crate) async fn holds_payouts(
    session: &mut Session,
    athlete: AthleteId,
    now: Time,
) -> Result<bool> {
    let waiting = clearances::uncleared(session, athlete).await?;
    let mut colleges: Vec<CollegeId> = waiting.iter().map(|one| one.college_id).collect();
    colleges.sort_unstable();
    colleges.dedup();
    if colleges.is_empty() {
        return Ok(false);
    }
    let kinds = &[RuleKind::HoldPayouts];
    let own = checking::histories(session, Some(&colleges), kinds).await?;
    for one in waiting {
        let zone = zone_or_last(Some(&one.time_zone));
        let own = own.get(&one.college_id).map_or(&[][..], Vec::as_slice);
        let held_on = |day| -> Result<bool> {
            Ok(Rules::in_force(own, day)?.hold_payouts.rule.until_cleared)
        };
        let today = day_in(now, zone);
        if held_on(one.signed_on)? && held_on(today)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Adds up the athlete's deals by their payors and changes those whose obligation has changed: a
/// deal that becomes due gets its packet, also if a later deal makes it due. The athlete is locked.
/// Deals already submitted to the clearinghouse do not change.
pub(super) async fn weigh(work: &mut Work, person: &Person) -> Result<()> {
    let table = due::clearinghouse()?;
    let entries = accounts::lock(work, person.id).await?;
    let receipts = received(work, person.id, &entries).await?;
    let mut last_days = BTreeMap::new();
    for group in grouped(&entries, work.now()) {
        let counted: Vec<Counted> =
            group.into_iter().flat_map(|entry| amounts(entry, &receipts)).collect();
        last_days.extend(reportable(&counted, table));
    }
    for entry in &entries {
        let until = last_days.get(&entry.id).map(|last| end_of_day(*last, entry.zone()));
        match (entry.status, until) {
            (ClearanceStatus::NotRequired, Some(until)) => {
                turn(work, entry, ClearanceEvent::Require, Some(until)).await?;
                prefilling::open(work, entry).await?;
                attesting::ask(work, person, entry).await?;
                let title = entry.title.clone();
                let deal = Told { title, payer: entry.payer_name.clone() };
                telling::of_duty(work, person, (&deal, entry.id), until);
            }
            (ClearanceStatus::Due, None) => {
                turn(work, entry, ClearanceEvent::Release, None).await?;
            }
            (ClearanceStatus::Due, Some(until)) if entry.due_at != Some(until) => {
                let now = work.now();
                clearances::put_off(work, entry.id, until, now).await?;
                work.note(entry.id, "due_changed");
            }
            _ => {}
        }
    }
    Ok(())
}

/// The athlete's other deals that an institution's threshold is compared with, together with the
/// disclosed job `but` with this payor.
pub(super) async fn others(
    session: &mut Session,
    athlete: AthleteId,
    (scope, payor): (ThresholdScope, &Payor),
    but: Option<DisclosedJobId>,
    now: Time,
) -> Result<Vec<Entry>> {
    if scope == ThresholdScope::Deal {
        return Ok(Vec::new());
    }
    let entries = accounts::account(session, athlete).await?;
    let others = others_among(&entries, (scope, payor), but, now);
    Ok(others.into_iter().cloned().collect())
}

/// The same of all deals of an athlete.
pub(super) fn others_among<'all>(
    entries: &'all [Entry],
    (scope, payor): (ThresholdScope, &Payor),
    but: Option<DisclosedJobId>,
    now: Time,
) -> Vec<&'all Entry> {
    let is_other =
        |entry: &&Entry| counts(entry, now) && (but.is_none() || entry.disclosed_job_id != but);
    let others: Vec<&Entry> = entries.iter().filter(is_other).collect();
    match scope {
        ThresholdScope::Deal => return Vec::new(),
        ThresholdScope::Athlete => return others,
        ThresholdScope::PayorGroup => {}
    }
    let mut payors: Vec<Payor> = others.iter().map(|entry| payor_of(entry)).collect();
    payors.push(payor.clone());
    let place = others.len();
    let own = payor::groups(&payors).into_iter().find(|group| group.contains(&place));
    let own = own.unwrap_or_default();
    let placed = others.into_iter().enumerate();
    placed.filter(|(place, _)| own.contains(place)).map(|(_, entry)| entry).collect()
}

/// The deals that must be submitted to the clearinghouse together with one of them.
#[derive(Clone, Debug)]
pub(super) struct Reported {
    /// The first day of the clearinghouse's rule.
    pub(super) since: Date,
    /// Its threshold.
    pub(super) limit: Cents,
    /// What the deals add up to.
    pub(super) sum: Cents,
    /// The deals, each with what it adds.
    pub(super) deals: Vec<(Cents, Entry)>,
}

/// The deals that must be submitted to the clearinghouse together with this disclosed job; none if
/// the job need not be submitted.
pub(super) async fn reported_with(
    session: &mut Session,
    athlete: AthleteId,
    job: DisclosedJobId,
    now: Time,
) -> Result<Option<Reported>> {
    let table = due::clearinghouse()?;
    let entries = accounts::account(session, athlete).await?;
    let receipts = received(session, athlete, &entries).await?;
    let is_own = |entry: &Entry| entry.disclosed_job_id == Some(job);
    let mut groups = grouped(&entries, now).into_iter();
    let Some(group) = groups.find(|group| group.iter().any(|entry| is_own(entry))) else {
        return Ok(None);
    };
    let counted: Vec<Counted> = group.iter().flat_map(|entry| amounts(entry, &receipts)).collect();
    let Some(reached) = reached(&counted, table) else {
        return Ok(None);
    };
    let added = |entry: &Entry| {
        let own: Vec<Cents> = reached
            .deals
            .iter()
            .filter(|deal| deal.id == entry.id)
            .map(|deal| deal.amount)
            .collect();
        (!own.is_empty()).then(|| (own.into_iter().sum(), entry.clone()))
    };
    let deals: Vec<(Cents, Entry)> = group.into_iter().filter_map(added).collect();
    Ok(deals.iter().any(|(_, entry)| is_own(entry)).then(|| Reported {
        since: reached.since,
        limit: reached.limit,
        sum: deals.iter().map(|(amount, _)| *amount).sum(),
        deals,
    }))
}

/// What the athlete has received of deals that count when they are paid.
async fn received(
    session: &mut Session,
    athlete: AthleteId,
    entries: &[Entry],
) -> Result<Vec<Receipt>> {
    if entries.iter().any(|entry| entry.by_receipt_cents.is_some()) {
        accounts::receipts(session, athlete).await
    } else {
        Ok(Vec::new())
    }
}

/// Whether a deal counts: it was not withdrawn, and it is no draft of a deal that is still to be
/// signed. The day begins where the institution is.
fn counts(entry: &Entry, now: Time) -> bool {
    let today = day_in(now, entry.zone());
    entry.counts && !(entry.is_draft && entry.signed_on > today)
}

fn payor_of(entry: &Entry) -> Payor {
    let owner = entry.payer_parent.as_deref();
    match entry.partner_id {
        Some(partner) => Payor::on_platform(partner, [&entry.payor, &entry.payer_name], owner),
        None => Payor::elsewhere(&entry.payer_name, owner),
    }
}

/// What a deal adds to the total: its value on the day of signing, but a share of sales as it is
/// received.
fn amounts(entry: &Entry, receipts: &[Receipt]) -> Vec<Counted> {
    let counted = |on: Date, amount: Cents| Counted {
        id: entry.id,
        on,
        amount,
        school: School::on(on, entry.division, &entry.participation),
        entrance: entry.entrance(on),
    };
    let Some(share) = entry.by_receipt_cents else {
        return vec![counted(entry.signed_on, entry.amount_cents)];
    };
    let fixed = entry.amount_cents - share;
    let own = receipts.iter().filter(|receipt| receipt.id == entry.id);
    let received =
        own.map(|receipt| counted(day_in(receipt.paid_at, entry.zone()), receipt.amount_cents));
    let signed = fixed.is_positive().then(|| counted(entry.signed_on, fixed));
    signed.into_iter().chain(received).collect()
}

/// The deals that count, by their payors.
fn grouped(entries: &[Entry], now: Time) -> Vec<Vec<&Entry>> {
    let counted: Vec<&Entry> = entries.iter().filter(|entry| counts(entry, now)).collect();
    let payors: Vec<Payor> = counted.iter().map(|entry| payor_of(entry)).collect();
    let groups = payor::groups(&payors).into_iter();
    groups
        .map(|group| group.iter().filter_map(|place| counted.get(*place).copied()).collect())
        .collect()
}

async fn turn(
    work: &mut Work,
    entry: &Entry,
    event: ClearanceEvent,
    until: Option<Time>,
) -> Result<()> {
    let moved = entry.status.on(event)?;
    let now = work.now();
    clearances::require(work, entry.id, moved, until, now).await?;
    work.note_change(
        entry.id,
        moved.to().as_str(),
        serde_json::json!({ "status": moved.from() }),
        serde_json::json!({ "status": moved.to(), "due_at": until }),
    );
    Ok(())
}
