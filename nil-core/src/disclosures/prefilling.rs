//! Opens the packet of a deal as soon as the deal must be submitted, and gathers what the platform
//! knows about it.

use serde_json::Value;

use super::association::{AssociationQuestion, PLATFORM};
use super::attesting;
use super::clearance::{Clearance, ClearanceEvent};
use super::clearance_packet::Written;
use super::packet_sources::{Record, Sources};
use super::store::account::Entry;
use super::store::{
    clearance as clearances, disclosed_job as jobs, packet as store, person as people,
};
use crate::backoffice::site::Letterhead;
use crate::compensation::{self, Person as Facts};
use crate::contracts::drafting::marketplace;
use crate::error::{Error, Result};
use crate::institutions::{checking, same_company};
use crate::kernel::{Machine as _, Time, zone_or_last};
use crate::operation::Work;
use crate::storage::Session;

/// Opens the packet of a deal that has become due, with the answers that follow from the
/// institution's rules.
pub(super) async fn open(work: &mut Work, entry: &Entry) -> Result<()> {
    let now = work.now();
    let new = store::open(work, entry.id, PLATFORM, now).await?;
    if new && is_known_sponsor(work, entry).await? {
        let known = (AssociationQuestion::Sponsor, true);
        store::answer(work, entry.id, known, PLATFORM, now).await?;
    }
    Ok(())
}

/// Whether the institution names the payer as its sponsor, as of the day of signing.
async fn is_known_sponsor(session: &mut Session, entry: &Entry) -> Result<bool> {
    let rules = checking::rules_of(session, entry.college_id, entry.signed_on).await?;
    let payers = [Some(entry.payer_name.as_str()), entry.payer_parent.as_deref()];
    Ok(rules.sponsor_conflicts.rule.sponsors.iter().any(|sponsor| {
        let begun = sponsor.from.is_none_or(|from| from <= entry.signed_on);
        let not_over = sponsor.until.is_none_or(|until| entry.signed_on <= until);
        let named = payers.iter().flatten().any(|payer| same_company(&sponsor.sponsor, payer));
        begun && not_over && named
    }))
}

/// All that the packet of a clearance is made of. One that became due before there were packets has
/// an empty one.
pub(super) async fn sources(
    session: &mut Session,
    clearance: Clearance,
    now: Time,
) -> Result<Sources> {
    let person = people::find(session, clearance.athlete_id).await?;
    let payer = clearances::payer(session, clearance.id).await?;
    let site = Letterhead { name: payer.site_name, support_email: payer.site_address };
    let record = match (clearance.contract_id, clearance.disclosed_job_id) {
        (Some(id), _) => Record::Contract(Box::new(store::contract(session, id).await?)),
        (None, Some(id)) => Record::Disclosed(Box::new(jobs::find(session, id).await?)),
        (None, None) => return Err(Error::internal("a clearance without its deal")),
    };
    let written = store::written(session, clearance.id).await?;
    let untouched = || Written { prepared_by: PLATFORM.into(), revision: 1, ..Written::default() };
    let answers = store::answers(session, clearance.id).await?;
    let attestation = attesting::of(session, clearance.id, now).await?;
    let mut sources = Sources {
        clearance,
        person,
        zone: zone_or_last(Some(&payer.time_zone)),
        institution: [payer.institution, payer.institution_short],
        record,
        written: written.unwrap_or_else(untouched),
        answers,
        attestation,
        range: None,
        marketplace: marketplace(site),
    };
    sources.range = range(session, &sources, now).await?;
    Ok(sources)
}

/// What comparable deals paid: as of now while the packet is still to be submitted, later as it was
/// submitted.
async fn range(session: &mut Session, sources: &Sources, now: Time) -> Result<Option<Value>> {
    let clearance = &sources.clearance;
    if clearance.status.on(ClearanceEvent::Submit).is_err() {
        let submitted = store::submitted(session, clearance.id).await?;
        return Ok(submitted.and_then(|(packet, _)| packet.get("compensation_range").cloned()));
    }
    let facts = Facts::of(session, clearance.athlete_id).await?;
    let range = compensation::of(session, &sources.question(facts), now).await?;
    serde_json::to_value(range).map(Some).map_err(Error::internal)
}
