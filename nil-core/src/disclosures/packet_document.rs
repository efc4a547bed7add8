//! The packet of a clearance as a PDF. The same packet gives the same file, byte for byte.

use chrono_tz::Tz;
use serde_json::Value;

use super::association::{AssociationFact, PLATFORM};
use super::attestation::PayorAttestation;
use super::clearance::Clearance;
use super::clearance_packet::{ClearancePacket, PacketProblem};
use super::summary::{Row, begun, dollars, paragraph, table, yes};
use crate::document::DocumentError;
use crate::document::flow::{Draft, Flow};
use crate::document::fonts::Fonts;
use crate::document::footer::footers;
use crate::document::pen::{self, Properties};
use crate::document::style::CELL;
use crate::document::table::{Cell, Column, Table};
use crate::kernel::{Date, day_in};
use crate::wording::{
    day, days, inline, label, listing, moment, optional_day, percent, state, territory, words,
};

const HEADING: &str = "Packet for the clearinghouse";

/// What is printed.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) clearance: Clearance,
    pub(super) packet: ClearancePacket,
    /// Whether it is the packet that was submitted; otherwise it is what is known so far.
    pub(super) submitted: bool,
    /// The day it was submitted, or the day it is printed.
    pub(super) on: Date,
    /// The time zone of the deal's institution.
    pub(super) zone: Tz,
    /// What is missing before it can be submitted.
    pub(super) missing: Vec<PacketProblem>,
}

/// Typesets the packet as a PDF.
pub(super) fn pdf(fonts: &Fonts, printed: &Printed) -> Result<Vec<u8>, DocumentError> {
    let Printed { clearance, packet, submitted, on, .. } = printed;
    let state = if *submitted { "submitted" } else { "draft" };
    let about = Properties {
        title: format!("{HEADING} {}", clearance.id),
        description: inline(&packet.title),
        authors: vec![inline(&packet.athlete_name)],
        date: *on,
        identity: format!("clearance {} {} {state} {on}", clearance.id, packet.revision),
    };
    pen::write(layout(fonts, printed)?, about)
}

fn layout(fonts: &Fonts, printed: &Printed) -> Result<Draft, DocumentError> {
    let Printed { clearance, packet, .. } = printed;
    let number = format!("Clearance {}, revision {}", clearance.id, packet.revision);
    let mut flow = begun(fonts, &number, HEADING, &packet.title)?;
    paragraph(&mut flow, &nature(printed))?;
    missing(&mut flow, &printed.missing)?;
    flow.heading("", "Parties")?;
    flow.table(table(parties(packet)))?;
    flow.heading("", "Deal")?;
    flow.table(table(deal(packet)))?;
    flow.heading("", "Business purpose")?;
    let purpose = packet.business_purpose.as_deref().map_or("Not given.".to_owned(), inline);
    paragraph(&mut flow, &purpose)?;
    flow.heading("", "Description of the work")?;
    paragraph(&mut flow, &inline(&packet.description))?;
    deliverables(&mut flow, packet)?;
    let rights = rights(packet);
    if !rights.is_empty() {
        flow.heading("", "Rights")?;
        flow.table(table(rights))?;
    }
    flow.heading("", "Association of the payer with the institution")?;
    association(&mut flow, packet)?;
    if let Some(attestation) = &packet.payor_attestation {
        flow.heading("", "Attestation of the payer")?;
        let differs = differs(packet, attestation);
        flow.table(table(asked(packet, attestation, differs, printed.zone)))?;
        if differs {
            answers(&mut flow, packet, attestation)?;
        }
    }
    comparable(&mut flow, packet)?;
    if let Some(explanation) = &packet.explanation {
        flow.heading("", "Explanation")?;
        paragraph(&mut flow, &inline(explanation))?;
    }
    flow.heading("", "Attestations")?;
    paragraph(&mut flow, &attested(packet, printed.submitted))?;
    let mut draft = flow.draft;
    let identity = format!("{number}  ·  {}", inline(&packet.athlete_name));
    footers(&mut draft, &identity)?;
    Ok(draft)
}

/// Printed on the document itself, so that a draft is not taken for what was submitted.
fn nature(printed: &Printed) -> String {
    let on = day(printed.on);
    if printed.submitted {
        return format!("This is the packet as it was submitted on {on}.");
    }
    let due = printed.clearance.due_at.map(|_| "It has not been submitted.").unwrap_or_default();
    format!("This is a draft: what the platform knows about the deal on {on}. {due}")
        .trim()
        .to_owned()
}

fn missing(flow: &mut Flow, missing: &[PacketProblem]) -> Result<(), DocumentError> {
    const COLUMNS: [Column; 2] = [Column::left("Field", 150), Column::left("What is missing", 0)];
    if missing.is_empty() {
        return Ok(());
    }
    flow.heading("", "Missing or contradictory")?;
    let row = |one: &PacketProblem| vec![label(&one.field), inline(&one.message)];
    flow.table(headed(&COLUMNS, missing.iter().map(row)))
}

/// A table with headings.
fn headed(columns: &[Column], rows: impl Iterator<Item = Vec<String>>) -> Table<'_> {
    let cells = |row: Vec<String>| -> Vec<Cell> {
        row.into_iter().map(|text| vec![(text, CELL)]).collect()
    };
    Table { columns, headed: true, rows: rows.map(cells).collect() }
}

/// A text, or a dash.
fn given(text: Option<&str>) -> String {
    text.map_or_else(|| "—".to_owned(), inline)
}

fn parties(packet: &ClearancePacket) -> Vec<Row> {
    let payer = &packet.payer;
    let place = [payer.hq_city.as_deref().map(inline), payer.hq_state.as_deref().map(state)];
    let place: Vec<String> = place.into_iter().flatten().collect();
    let mut rows = vec![
        ("Athlete", inline(&packet.athlete_name)),
        ("Institution", inline(&packet.institution)),
        ("Payer", format!("{} ({})", inline(&payer.name), words(payer.kind.as_str()))),
        ("Owned by", given(payer.parent.as_deref())),
    ];
    let home: Vec<String> =
        [packet.hometown_city.as_deref().map(inline), packet.hometown_state.as_deref().map(state)]
            .into_iter()
            .flatten()
            .collect();
    if !home.is_empty() {
        rows.push(("Athlete's hometown", home.join(", ")));
    }
    if let Some(sport) = &packet.sport {
        rows.push(("Sport", inline(sport)));
    }
    if !place.is_empty() {
        rows.push(("Payer's headquarters", place.join(", ")));
    }
    if let Some(agent) = &packet.agent {
        let commission = percent(agent.commission_basis_points);
        let (name, agency) = (inline(&agent.name), inline(&agent.agency));
        rows.push(("Agent", format!("{name}, {agency} (commission {commission})")));
    }
    if let Some(marketplace) = &packet.marketplace {
        let (name, contact) = (inline(&marketplace.name), inline(&marketplace.support_email));
        rows.push(("Marketplace", format!("{name}, {contact}")));
    }
    rows
}

fn deal(packet: &ClearancePacket) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(number) = &packet.contract_number {
        rows.push(("Contract", inline(number)));
    }
    if let Some(hash) = &packet.document_sha256 {
        rows.push(("SHA-256 of its terms", inline(hash)));
    }
    if let Some(activity) = &packet.activity {
        rows.push(("Activity", inline(activity)));
    }
    rows.extend([
        ("Signed", day(packet.signed_on)),
        ("First day", optional_day(packet.starts_on)),
        ("Last day", optional_day(packet.ends_on)),
        ("Compensation", label(packet.compensation.as_str())),
        ("Total value", dollars(packet.amount_cents)),
        ("In cash", dollars(packet.cash_cents)),
        ("In goods or services", dollars(packet.benefits_cents)),
        ("Contingent pay at its maximum", dollars(packet.contingent_cents)),
    ]);
    for (name, text) in [
        ("Goods or services", &packet.benefits),
        ("Paid", &packet.schedule),
        ("On condition", &packet.condition),
    ] {
        if let Some(text) = text {
            rows.push((name, inline(text)));
        }
    }
    rows.push(("Institution's marks or facilities", yes(packet.uses_marks)));
    if !packet.documents.is_empty() {
        rows.push(("Documents submitted with it", packet.documents.len().to_string()));
    }
    rows
}

fn deliverables(flow: &mut Flow, packet: &ClearancePacket) -> Result<(), DocumentError> {
    const COLUMNS: [Column; 4] = [
        Column::left("Deliverable", 0),
        Column::left("Where", 130),
        Column::right("Pieces", 44),
        Column::left("Due", 100),
    ];
    if packet.deliverables.is_empty() {
        return Ok(());
    }
    flow.heading("", "Deliverables")?;
    let rows = packet.deliverables.iter().map(|one| {
        let place = format!("{}, {}", label(&one.platform), words(&one.media_kind));
        vec![inline(&one.title), place, one.quantity.to_string(), day(one.due_on)]
    });
    flow.table(headed(&COLUMNS, rows))
}

fn rights(packet: &ClearancePacket) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(usage) = &packet.usage_rights {
        let media = listing(usage.media.iter().map(|one| words(one)));
        let time = match usage.days {
            _ if usage.perpetual => "without end".to_owned(),
            Some(count) => format!("for {} after first publication", days(count)),
            None => "for a time that is not fixed".to_owned(),
        };
        let place = territory(&usage.territory);
        rows.push(("Use of the content", format!("{}, in {place}, {time}", label(&media))));
    }
    if !packet.licensed_attributes.is_empty() {
        let all = listing(packet.licensed_attributes.iter().map(|one| words(one)));
        rows.push(("Licensed attributes", label(&all)));
    }
    if let Some(exclusive) = &packet.exclusivity {
        let what = format!("{}, for {}", label(&exclusive.category), days(exclusive.days));
        rows.push(("Exclusivity", what));
    }
    rows
}

fn association(flow: &mut Flow, packet: &ClearancePacket) -> Result<(), DocumentError> {
    const COLUMNS: [Column; 3] =
        [Column::left("Question", 0), Column::left("Answer", 80), Column::left("Answered by", 100)];
    let rows = packet.association.iter().map(|fact| {
        let answer = fact.answer.map_or_else(|| "Not answered".to_owned(), yes);
        let by = fact.answered_by.as_deref().map_or("—", who);
        vec![inline(&fact.asks), answer, by.to_owned()]
    });
    flow.table(headed(&COLUMNS, rows))
}

/// An actor of the audit trail in words.
fn who(actor: &str) -> &'static str {
    match actor.split_once(':').map_or(actor, |(kind, _)| kind) {
        "athlete" => "The athlete",
        "agent" => "The agent",
        "partner" => "The payer",
        "portal_user" => "The institution",
        PLATFORM => "The institution's rules",
        _ => "An operator",
    }
}

/// What the payer was asked to attest about its association, and when it did.
fn asked(
    packet: &ClearancePacket,
    attestation: &PayorAttestation,
    differs: bool,
    zone: Tz,
) -> Vec<Row> {
    let due_on = day(day_in(attestation.due_at, zone));
    let mut rows = vec![("Asked", moment(attestation.asked_at, zone))];
    let Some(attested_at) = attestation.attested_at else {
        rows.push(("Answered", format!("Not yet answered (due {due_on})")));
        if attestation.presumed_associated {
            let presumed = "Associated with the institution, because the time to answer is over";
            rows.push(("Counts as", presumed.to_owned()));
        }
        return rows;
    };
    let (at, payer) = (moment(attested_at, zone), inline(&packet.payer.name));
    let late = if attestation.late { format!(" (late; due {due_on})") } else { String::new() };
    rows.push(("First answered", format!("{at}, by {payer}{late}")));
    let is = if attestation.associated == Some(true) { "Associated" } else { "Not associated" };
    rows.push(("Answer", format!("{is} with the institution")));
    if !differs {
        rows.push(("To the questions", "As above".to_owned()));
    }
    rows
}

/// Whether an answer in the packet is not the payer's.
fn differs(packet: &ClearancePacket, attestation: &PayorAttestation) -> bool {
    attestation.answers.iter().any(|given| {
        let mut known = packet.association.iter();
        let same = |fact: &AssociationFact| {
            fact.question == given.question && fact.answer == Some(given.answer)
        };
        !known.any(same)
    })
}

/// The payer's own answers, where others have answered otherwise in the packet.
fn answers(
    flow: &mut Flow,
    packet: &ClearancePacket,
    attestation: &PayorAttestation,
) -> Result<(), DocumentError> {
    const COLUMNS: [Column; 2] =
        [Column::left("Question", 0), Column::left("The payer's answer", 110)];
    let rows = attestation.answers.iter().map(|given| {
        let fact = packet.association.iter().find(|fact| fact.question == given.question);
        let asks = fact.map_or_else(|| label(given.question.as_str()), |fact| inline(&fact.asks));
        vec![asks, yes(given.answer)]
    });
    flow.table(headed(&COLUMNS, rows))
}

fn comparable(flow: &mut Flow, packet: &ClearancePacket) -> Result<(), DocumentError> {
    let range = packet.compensation_range.as_ref();
    let told = range.and_then(|range| range.get("explanation")).and_then(Value::as_str);
    let Some(told) = told else { return Ok(()) };
    flow.heading("", "What comparable deals paid")?;
    paragraph(flow, &inline(told))
}

fn attested(packet: &ClearancePacket, submitted: bool) -> String {
    if packet.attestations.is_empty() {
        if submitted {
            return "None were recorded with it.".to_owned();
        }
        return "None yet: the athlete makes them by submitting the packet.".to_owned();
    }
    label(&listing(packet.attestations.iter().map(|one| words(one.as_str()))))
}

#[cfg(test)]
#[path = "packet_document_tests.rs"]
mod tests;
