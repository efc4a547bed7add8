//! Adds up an athlete's deals with one group of companies; if they reach the clearinghouse's threshold, they must be
//! submitted there.

use super::clearance::{ClearanceEvent, ClearanceStatus};
use super::due;
use super::prefilling;
use super::reportable::{Counted, reportable};
use super::store::clearance::{self as clearances, Deal, Entry};
use super::store::person::{self as people, Person};
use super::telling::{self, Deal as Told};
use crate::error::Result;
use crate::institutions::{RuleKind, Rules, checking, company_key};
use crate::kernel::{
    AthleteId, Cents, CollegeId, ContractId, Machine as _, Time, day_in, zone_or_last,
};
use crate::operation::Work;
use crate::storage::Session;

/// Adds a contract that was just executed, with the total value `amount`, to the deals with `company`. Does nothing for
/// an athlete without an institution. Called by the operation that executes it, in its transaction.
pub(crate) async fn of_contract(
    work: &mut Work,
    contract: ContractId,
    athlete: AthleteId,
    (company, amount): (&str, Cents),
) -> Result<()> {
    people::hold(work, athlete).await?;
    let person = people::find(work, athlete).await?;
    let Some(college) = person.college_id else {
        return Ok(());
    };
    let now = work.now();
    let payor = company_key(company);
    let deal =
        Deal { athlete, college, payor: &payor, amount, signed_on: day_in(now, person.zone()) };
    clearances::add_contract(work, contract, &deal, now).await?;
    weigh(work, &person, &payor).await
}

/// Whether payouts to the athlete wait for the clearinghouse: an institution holds them (rule `hold_payouts`), both
/// today and on the day the contract was signed, and a contract is not cleared.
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

/// Adds up the athlete's deals with one payor and changes those whose obligation has changed: a deal that becomes due
/// gets its packet, also if a later deal makes it due. The athlete is locked. Deals already submitted to the
/// clearinghouse do not change.
pub(super) async fn weigh(work: &mut Work, person: &Person, payor: &str) -> Result<()> {
    let table = due::clearinghouse()?;
    let entries = clearances::account(work, person.id, payor).await?;
    let counted = entries.iter().filter(|entry| entry.counts);
    let counted: Vec<Counted> = counted
        .map(|entry| Counted {
            id: entry.id,
            signed_on: entry.signed_on,
            amount: entry.amount_cents,
        })
        .collect();
    let duties = reportable(&counted, table);
    let zone = person.zone();
    for entry in &entries {
        let until =
            duties.get(&entry.id).map(|(from, rule)| due::to_clearinghouse(*from, *rule, zone));
        match (entry.status, until) {
            (ClearanceStatus::NotRequired, Some(until)) => {
                turn(work, entry, ClearanceEvent::Require, Some(until)).await?;
                prefilling::open(work, entry).await?;
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
