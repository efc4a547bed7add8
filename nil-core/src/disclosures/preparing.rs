//! The packet for the clearinghouse: the athlete or their agent completes it, the institution's
//! officers answer what they know, and the athlete submits it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::association::{GivenAnswers, changes};
use super::browsing::owner;
use super::clearance::{Clearance, ClearanceEvent, ClearanceWord};
use super::clearance_packet::{ClearanceDetail, Written};
use super::clearing::{self, Heard, Recorded};
use super::disclosed_job::{Attestation, PayerKind};
use super::disclosing::actor;
use super::showing::detailed;
use super::store::clearance::{self as clearances, Which};
use super::store::disclosed_job::{self as jobs, Owner};
use super::store::{packet as store, person as people};
use super::{packet, prefilling, threshold};
use crate::auth::{Athlete, Payee, PortalUser};
use crate::error::{Error, Result, codes};
use crate::kernel::{ClearanceId, Edit, Machine as _, Many, Text};
use crate::operation::{Cx, Done, Work};

/// The changes of a packet. Fields that are left out stay as they are: as written before, or as the
/// contract or the disclosed job says.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SavePacket {
    /// The clearance.
    pub id: ClearanceId,
    /// The kind of payer; of a contract only, a disclosed job says it itself.
    #[schemars(extend("examples" = [null]))]
    pub payer_kind: Option<PayerKind>,
    /// The company that owns the payer; of a contract only. Null for none. Deals with its other
    /// companies are added up with this one.
    #[serde(default)]
    #[schemars(extend("examples" = [null]))]
    pub payer_parent: Edit<Text<1, 200>>,
    /// What the payer wants the deal for.
    pub business_purpose: Option<Text<1, 4000>>,
    /// Whether the institution's marks or facilities are used; of a contract only.
    #[schemars(extend("examples" = [null]))]
    pub uses_marks: Option<bool>,
    /// The athlete's explanation: answers to the clearinghouse's questions, or what a revision
    /// changes. Null for none.
    #[serde(default)]
    pub explanation: Edit<Text<1, 4000>>,
    /// Answers about the payer's association with the institution.
    pub association: Option<GivenAnswers>,
}

/// What the institution answers.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AnswerAssociation {
    /// The clearance.
    pub id: ClearanceId,
    /// The answers. They stand until the institution changes them.
    pub association: GivenAnswers,
}

/// The packet to submit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SubmitPacket {
    /// The clearance.
    pub id: ClearanceId,
    /// The athlete's attestations; all are required.
    pub attestations: Many<Attestation, 0, 4>,
}

/// Completes the packet of a deal that goes to the clearinghouse, or revises it after the
/// clearinghouse had questions or did not clear it; answers what is still missing. The athlete and
/// their agent can do this; only the athlete submits. 422 for an answer that the institution has
/// given otherwise, 404 for another athlete's, 409 `illegal_transition` if nothing is to be
/// submitted now.
pub async fn save(cx: Cx<Payee>, input: SavePacket) -> Result<Done<ClearanceDetail>> {
    let mut work = cx.begin().await?;
    if !matches!(input.payer_parent, Edit::Keep) {
        // An owner changes what is added up: the athlete is locked before the clearance, as for a
        // disclosure.
        let seen = clearances::find_of(&mut work, input.id, owner(cx.caller)).await?;
        people::lock(&mut work, seen.athlete_id).await?;
    }
    let mut clearance = clearances::lock_of(&mut work, input.id, owner(cx.caller)).await?;
    if matches!(cx.caller, Payee::Agent(_)) {
        work.act_for(Some(clearance.athlete_id));
    }
    clearance.status.on(ClearanceEvent::Submit)?;
    if clearance.disclosed_job_id.is_some() {
        refuse_what_the_disclosure_says(&input)?;
    }
    let by = actor(cx.caller);
    let answered = match &input.association {
        Some(given) => answer(&mut work, &clearance, given, (by.as_str(), false)).await?,
        None => false,
    };
    let before = store::written(&mut work, clearance.id).await?.unwrap_or_default();
    let after = merged(before.clone(), input);
    let other_owner = after.payer_parent != before.payer_parent;
    if answered || after != before {
        rewrite(&mut work, &clearance, (before, after), &by).await?;
    }
    if other_owner {
        let person = people::find(&mut work, clearance.athlete_id).await?;
        threshold::weigh(&mut work, &person).await?;
        clearance = clearances::find(&mut work, clearance.id).await?;
    }
    let detail = detailed(&mut work, clearance).await?;
    work.done(detail).await
}

/// Answers, for the institution, questions about a payer's association with it: its officers know
/// who has given how much. 404 for another institution's, 409 `illegal_transition` if nothing is to
/// be submitted now.
pub async fn answer_for_college(
    cx: Cx<PortalUser>,
    input: AnswerAssociation,
) -> Result<Done<ClearanceDetail>> {
    let mut work = cx.begin().await?;
    let which = Which::Id(input.id);
    let clearance = clearances::lock_of_college(&mut work, which, &cx.caller).await?;
    clearance.status.on(ClearanceEvent::Submit)?;
    let by = format!("portal_user:{}", cx.caller.id);
    answer(&mut work, &clearance, &input.association, (by.as_str(), true)).await?;
    let detail = detailed(&mut work, clearance).await?;
    work.done(detail).await
}

/// Submits a packet to the clearinghouse, for the first time or revised: the packet is kept as it
/// is, and the institution's officers, the agent and the brand of a contract are told. 422 naming
/// what is missing or contradictory, 404 for another athlete's, 409 `illegal_transition` if nothing
/// is to be submitted now or if the institution does not have the disclosed job yet.
pub async fn submit(cx: Cx<Athlete>, input: SubmitPacket) -> Result<Done<ClearanceDetail>> {
    let own = Owner::Athlete(cx.caller.id);
    let mut work = cx.begin().await?;
    let seen = clearances::find_of(&mut work, input.id, own).await?;
    // The locks in the order of a disclosure: its job, the athlete, the clearance.
    if let Some(id) = seen.disclosed_job_id {
        let job = jobs::lock_of(&mut work, id, own).await?;
        if job.first_submitted_at.is_none() {
            let sentence = "Disclose the deal to the institution first.";
            return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
        }
    }
    people::lock(&mut work, cx.caller.id).await?;
    let clearance = clearances::lock_of(&mut work, input.id, own).await?;
    clearance.status.on(ClearanceEvent::Submit)?;
    let mut attested = input.attestations.into_vec();
    attested.sort_unstable();
    attested.dedup();
    let now = work.now();
    let sources = prefilling::sources(&mut work, clearance.clone(), now).await?;
    packet::refuse(sources.problems(&attested))?;
    let packet = serde_json::to_value(sources.packet(&attested)?).map_err(Error::internal)?;
    let heard = Heard { word: ClearanceWord::Submitted, reference: None, note: None };
    let recorded = Recorded { by: None, packet: Some(packet) };
    let clearance = clearing::take(&mut work, &clearance, heard, recorded).await?;
    let detail = detailed(&mut work, clearance).await?;
    work.done(detail).await
}

/// 422 for fields that are changed with the disclosed job.
fn refuse_what_the_disclosure_says(input: &SavePacket) -> Result<()> {
    let given = [
        ("payer_kind", input.payer_kind.is_some()),
        ("payer_parent", !matches!(input.payer_parent, Edit::Keep)),
        ("uses_marks", input.uses_marks.is_some()),
    ];
    let given: Vec<_> = given.into_iter().filter(|(_, given)| *given).collect();
    if given.is_empty() {
        return Ok(());
    }
    let message = "must be left out: the disclosed job says it";
    Err(Error::invalid_fields(given.into_iter().map(|(field, _)| (field, message))))
}

fn merged(mut written: Written, input: SavePacket) -> Written {
    let tidy = |text: &str| text.trim().to_owned();
    if let Some(parent) = input.payer_parent.change() {
        written.payer_parent = parent.map(|text| tidy(&text));
    }
    if let Some(explanation) = input.explanation.change() {
        written.explanation = explanation.map(|text| tidy(&text));
    }
    if let Some(purpose) = &input.business_purpose {
        written.business_purpose = Some(tidy(purpose));
    }
    written.payer_kind = input.payer_kind.or(written.payer_kind);
    written.uses_marks = input.uses_marks.or(written.uses_marks);
    written
}

/// Writes a packet's next revision.
async fn rewrite(
    work: &mut Work,
    clearance: &Clearance,
    (before, after): (Written, Written),
    by: &str,
) -> Result<()> {
    let revision = before.revision + 1;
    let after = Written { prepared_by: by.to_owned(), revision, ..after };
    let now = work.now();
    store::write(work, clearance.id, &after, now).await?;
    let json = |written: &Written| serde_json::to_value(written).map_err(Error::internal);
    let (before, after) = (json(&before)?, json(&after)?);
    work.note_change(clearance.id, "packet_prepared", before, after);
    Ok(())
}

/// Stores the answers that change something; returns whether one does.
async fn answer(
    work: &mut Work,
    clearance: &Clearance,
    given: &GivenAnswers,
    (by, by_institution): (&str, bool),
) -> Result<bool> {
    let known = store::answers(work, clearance.id).await?;
    let changed = changes(given, &known, by_institution)?;
    let now = work.now();
    for one in &changed {
        store::answer(work, clearance.id, (one.question, one.answer), by, now).await?;
        let before = known.iter().find(|known| known.question == one.question);
        work.note_change(
            clearance.id,
            "association_answered",
            before.map(|known| serde_json::json!({ known.question.as_str(): known.answer })),
            serde_json::json!({ one.question.as_str(): one.answer }),
        );
    }
    Ok(!changed.is_empty())
}
