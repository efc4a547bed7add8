//! The contract as a PDF, for its parties and readers. Every download is recorded in the audit
//! trail.

use schemars::JsonSchema;
use serde::Deserialize;

use super::agreement::{assent, signed};
use super::contract::{Contract, ContractStatus};
use super::document::{self, Assent, DocumentError, Paper};
use super::store::amendment as store;
use super::store::contract::{self as contracts, AssentRow, Reader};
use super::terms::Terms;
use crate::auth::{Agent, Athlete, Party, PortalUser};
use crate::error::{Error, Result, codes};
use crate::kernel::{AthleteId, ContractId, JobId};
use crate::operation::{Cx, Download, Work, typeset};
use crate::platform::Platform;
use crate::storage::first_of;

/// The contract of a job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OfJob {
    /// The job.
    pub job_id: JobId,
}

/// The contract of a job, and optionally of an athlete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OfJobAndMaybeAthlete {
    /// The job.
    pub job_id: JobId,
    /// The athlete; required if the caller has contracts with several.
    pub athlete_id: Option<AthleteId>,
}

/// The contract of a job and an athlete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OfAthleteAndJob {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The job.
    pub job_id: JobId,
}

/// The amendments to the contract of a job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AmendmentsOfJob {
    /// The job.
    pub job_id: JobId,
    /// The athlete; required if the caller has contracts with several.
    pub athlete_id: Option<AthleteId>,
}

/// The amendments to the contract of a job and an athlete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AmendmentsOfAthleteAndJob {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The job.
    pub job_id: JobId,
}

/// The athlete's own contract.
pub async fn as_athlete(cx: Cx<Athlete>, input: OfJob) -> Result<Download> {
    let reader = Reader::Athlete(cx.caller.id);
    download(&cx, input.job_id, None, &reader).await
}

/// The contract of an athlete whom the agent currently represents.
pub async fn as_agent(cx: Cx<Agent>, input: OfAthleteAndJob) -> Result<Download> {
    let reader = Reader::Agent(cx.caller.id);
    download(&cx, input.job_id, Some(input.athlete_id), &reader).await
}

/// The caller's contract, on either side; 422 `athlete_required` if there are several.
pub async fn as_party(cx: Cx<Party>, input: OfJobAndMaybeAthlete) -> Result<Download> {
    let reader = reader(&cx.caller);
    download(&cx, input.job_id, input.athlete_id, &reader).await
}

/// The executed contract of an athlete of the caller's institution; 409 `contract_not_active` for
/// one that the athlete has not confirmed.
pub async fn as_compliance(cx: Cx<PortalUser>, input: OfAthleteAndJob) -> Result<Download> {
    let sports = cx.caller.sports.iter().map(|sport| sport.get()).collect();
    let reader = Reader::College(cx.caller.college_id, sports);
    download(&cx, input.job_id, Some(input.athlete_id), &reader).await
}

/// The amendments to the caller's contract, as a separate document; 404 `no_amendments` if there
/// are none.
pub async fn amendments_as_party(cx: Cx<Party>, input: AmendmentsOfJob) -> Result<Download> {
    let reader = reader(&cx.caller);
    amendments(&cx, input.job_id, input.athlete_id, &reader).await
}

/// The amendments to the contract of an athlete of the caller's institution.
pub async fn amendments_as_compliance(
    cx: Cx<PortalUser>,
    input: AmendmentsOfAthleteAndJob,
) -> Result<Download> {
    let sports = cx.caller.sports.iter().map(|sport| sport.get()).collect();
    let reader = Reader::College(cx.caller.college_id, sports);
    amendments(&cx, input.job_id, Some(input.athlete_id), &reader).await
}

fn reader(party: &Party) -> Reader {
    match party {
        Party::Athlete(athlete) => Reader::Athlete(athlete.id),
        Party::Partner(partner) => Reader::Partner(partner.id),
        Party::Agent(agent) => Reader::Agent(agent.id),
    }
}

/// The single matching contract.
async fn meant(
    work: &mut Work,
    job: JobId,
    athlete: Option<AthleteId>,
    reader: &Reader,
) -> Result<Contract> {
    let found = contracts::readable(work, job, athlete, reader).await?;
    if found.len() > 1 {
        return Err(Error::from(codes::ATHLETE_REQUIRED).at("athlete_id", "is required"));
    }
    first_of(found)
}

async fn amendments<C>(
    cx: &Cx<C>,
    job: JobId,
    athlete: Option<AthleteId>,
    reader: &Reader,
) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let contract = meant(&mut work, job, athlete, reader).await?;
    let amendments = store::amendments(&mut work, &[contract.id]).await?;
    if amendments.is_empty() {
        return Err(codes::NO_AMENDMENTS.into());
    }
    let assents = store::assents_to_amendments(&mut work, contract.id).await?;
    work.note(contract.id, "amendments_downloaded");
    work.finish_read().await?;
    let signed = signed(amendments, &assents);
    let name = format!("{}-amendments.pdf", contract.number);
    let fonts = cx.platform().fonts();
    let write = move |terms: &Terms| document::amendments(&fonts, terms, &signed, Paper::Letter);
    set(cx.platform(), &cx.facts().actor, name, (contract, write)).await
}

async fn download<C>(
    cx: &Cx<C>,
    job: JobId,
    athlete: Option<AthleteId>,
    reader: &Reader,
) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let contract = meant(&mut work, job, athlete, reader).await?;
    let assents = contracts::assents(&mut work, contract.id).await?;
    if matches!(reader, Reader::Agent(_)) {
        work.act_for(Some(contract.athlete_id));
    }
    if matches!(reader, Reader::College(..)) {
        check_executed(&contract)?;
    }
    work.note(contract.id, "downloaded");
    work.finish_read().await?;
    print(cx.platform(), &cx.facts().actor, contract, assents).await
}

/// An institution only gets executed contracts, not unconfirmed ones.
fn check_executed(contract: &Contract) -> Result<()> {
    if contract.executed_at.is_some() {
        return Ok(());
    }
    Err(codes::CONTRACT_NOT_ACTIVE.saying(match contract.status {
        ContractStatus::Generated => {
            "The contract is not executed yet: it waits for the athlete to confirm it."
        }
        ContractStatus::Expired => {
            "The contract was never executed: the athlete did not confirm it in time."
        }
        _ => "The contract was never executed: it was cancelled before the athlete confirmed it.",
    }))
}

/// Records in the audit trail that these contracts are read as part of an export.
pub async fn note_export(cx: &Cx<PortalUser>, contracts: &[ContractId]) -> Result<()> {
    let mut work = cx.begin_audited_read().await?;
    for contract in contracts {
        work.note(*contract, "exported");
    }
    work.finish_read().await
}

/// A contract for an account's export that has selected and recorded it: the ending of its file and
/// the bytes. It is a PDF, or a text that says why there is none, because the rest of an export
/// must not wait for a font.
pub async fn paper(
    platform: &Platform,
    account: &str,
    id: ContractId,
) -> Result<(&'static str, Vec<u8>)> {
    let mut session = platform.db().read().await?;
    let contract = contracts::find(&mut session, id).await?;
    let assents = contracts::assents(&mut session, id).await?;
    drop(session);
    match print(platform, account, contract, assents).await {
        Ok(paper) => Ok(("pdf", paper.into_bytes().await?)),
        Err(error) if error.is(codes::CONTRACT_INCOMPLETE) => {
            Ok(("txt", format!("{}\n", error.message()).into_bytes()))
        }
        Err(error) => Err(error),
    }
}

async fn print(
    platform: &Platform,
    account: &str,
    contract: Contract,
    assents: Vec<AssentRow>,
) -> Result<Download> {
    let name = format!("{}.pdf", contract.number);
    let assents: Vec<Assent> = assents.into_iter().filter_map(assent).collect();
    let fonts = platform.fonts();
    let write = move |terms: &Terms| document::pdf(&fonts, terms, &assents, Paper::Letter);
    set(platform, account, name, (contract, write)).await
}

/// Typesets a contract's terms for an account.
async fn set(
    platform: &Platform,
    account: &str,
    name: String,
    (contract, write): (
        Contract,
        impl FnOnce(&Terms) -> Result<Vec<u8>, DocumentError> + Send + 'static,
    ),
) -> Result<Download> {
    let terms: Terms = serde_json::from_value(contract.terms).map_err(Error::internal)?;
    typeset(platform, account, name, move || write(&terms)).await
}
