//! Payors are asked whether they are associated with the athlete's institution: the brand of a
//! contract that goes to the clearinghouse attests it within some business days. What it says fills
//! the open questions of the packet; what the institution or the athlete's side has answered stays.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::association::{AssociationQuestion, GivenAnswer, GivenAnswers};
use super::attestation::{AttestationRequest, PayorAttestation, actor};
use super::clearance::ClearanceEvent;
use super::due::{clearinghouse, rule_on};
use super::store::account::Entry;
use super::store::person::Person;
use super::store::{attestation as store, packet as packets};
use super::telling::{self, Deal as Told};
use crate::auth::Partner;
use crate::error::{Error, Result};
use crate::kernel::{
    ClearanceId, Followed, Listing, Machine as _, Time, business_days_after, day_in, end_of_day,
};
use crate::operation::{Cx, Done, Work};
use crate::storage::Session;

/// The requests to list.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListAttestations {
    /// Only those that are still to be attested (true), or that are attested (false).
    pub open: Option<bool>,
}

/// What a brand attests.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Attest {
    /// The clearance of the deal.
    pub id: ClearanceId,
    /// The answers to all questions.
    #[schemars(extend("examples" = [[
        { "question": "supports_institution", "answer": false },
        { "question": "insider", "answer": false },
        { "question": "large_donor", "answer": false },
        { "question": "asked_by_staff", "answer": false },
        { "question": "controlled_by_associate", "answer": false },
        { "question": "sponsor", "answer": true },
    ]]))]
    pub association: GivenAnswers,
}

/// The calling brand's contracts about which it is asked whether it is associated with the
/// athlete's institution, newest first.
pub async fn list(
    cx: Cx<Partner>,
    input: Followed<ListAttestations>,
) -> Result<Listing<AttestationRequest>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let page = store::page_of(&mut session, cx.caller.id, input.open, place).await?;
    let (found, position) = page.split();
    let seen = found.into_iter().map(|one| one.seen_at(cx.now()));
    Ok(position.of(seen.collect::<Result<_>>()?))
}

/// Attests whether the calling brand is associated with the athlete's institution. It can be
/// changed; the packet takes answers over until it is submitted, to questions that nobody else has
/// answered. 422 unless every question is answered once, 404 for another brand's contract and for
/// one about which nothing is asked.
pub async fn attest(cx: Cx<Partner>, input: Attest) -> Result<Done<AttestationRequest>> {
    let given = complete(&input.association)?;
    let mut work = cx.begin().await?;
    let clearance = store::lock_clearance(&mut work, input.id, cx.caller.id).await?;
    let before = store::find(&mut work, clearance.id).await?;
    let now = work.now();
    store::attest(&mut work, clearance.id, &given, before.attested_at.unwrap_or(now)).await?;
    let told = |answers: &[GivenAnswer]| serde_json::to_value(answers).map_err(Error::internal);
    work.note_change(
        clearance.id,
        "association_attested",
        before.answers.as_deref().map(told).transpose()?,
        told(&given)?,
    );
    if clearance.status.on(ClearanceEvent::Submit).is_ok() {
        fill(&mut work, clearance.id, &given, &actor(cx.caller.id)).await?;
    }
    let after = store::find(&mut work, clearance.id).await?.seen_at(now)?;
    work.done(after).await
}

/// The answers in their order; 422 unless every question is answered once.
fn complete(given: &GivenAnswers) -> Result<Vec<GivenAnswer>> {
    let mut answers = Vec::new();
    let mut wrong = Vec::new();
    for question in AssociationQuestion::ALL {
        let mut own = given.iter().filter(|one| one.question == *question);
        match (own.next(), own.next()) {
            (Some(one), None) => answers.push(*one),
            (Some(_), Some(_)) => wrong.push(format!("{question} is answered twice")),
            (None, _) => wrong.push(format!("{question} is not answered")),
        }
    }
    if wrong.is_empty() {
        return Ok(answers);
    }
    Err(Error::invalid_fields(wrong.into_iter().map(|why| ("association", why))))
}

/// Answers questions of the packet that nobody has answered, and those that the brand answered
/// before.
async fn fill(work: &mut Work, id: ClearanceId, given: &[GivenAnswer], by: &str) -> Result<()> {
    let known = packets::answers(work, id).await?;
    let now = work.now();
    for one in given {
        let before = known.iter().find(|known| known.question == one.question);
        if before.is_none_or(|known| known.answered_by == by && known.answer != one.answer) {
            packets::answer(work, id, (one.question, one.answer), by, now).await?;
        }
    }
    Ok(())
}

/// Asks the brand of a contract that has become due, once. The athlete is locked.
pub(super) async fn ask(work: &mut Work, person: &Person, entry: &Entry) -> Result<()> {
    let (Some(partner), Some(brand)) = (entry.partner_id, entry.brand_user_id) else {
        return Ok(());
    };
    let (now, zone) = (work.now(), entry.zone());
    let today = day_in(now, zone);
    let Some(rule) = rule_on(clearinghouse()?, today) else {
        return Ok(());
    };
    let last = business_days_after(today, rule.attestation_days);
    if store::ask(work, (entry.id, partner), now, end_of_day(last, zone)).await? {
        work.note(entry.id, "association_asked");
        let deal = Told { title: entry.title.clone(), payer: entry.payer_name.clone() };
        telling::of_attestation(work, (person, brand), (&deal, entry.id), last);
    }
    Ok(())
}

/// What the brand of a deal was asked, if it was.
pub(super) async fn of(
    session: &mut Session,
    id: ClearanceId,
    now: Time,
) -> Result<Option<PayorAttestation>> {
    Ok(store::asked(session, id).await?.map(|asked| PayorAttestation::of(asked, now)))
}
