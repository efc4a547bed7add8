//! The institution's athletes with their transaction totals, and their deals in detail.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::athlete::{AthleteSort, CollegeAthlete};
use super::filter::{Filter, Filtered, Wanted};
use super::store::athlete as store;
use super::store::transaction::{self as transactions, Deal as Which};
use super::tables::Athletes;
use super::tallying::tallied;
use super::transaction::Transaction;
use crate::auth::PortalUser;
use crate::deals::{Deal, browsing as deals};
use crate::disclosures::{self, DisclosedJob};
use crate::error::{Error, Result};
use crate::export::{Counter, ExportFormat, send};
use crate::kernel::{AthleteId, DisclosedJobId, Followed, JobId, Listing};
use crate::operation::{Cx, Done, Download, Subject};
use crate::storage::first_of;

/// Filters for athletes and for the transactions that count. With a filter on transactions
/// (category, source, status, flag or amount), only athletes with such a transaction are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListAthletes {
    /// The order (default: by name).
    pub sort: Option<AthleteSort>,
}

/// Lists the institution's athletes with their transaction totals; callers limited to certain
/// sports see only those.
pub async fn list(
    cx: Cx<PortalUser>,
    input: Followed<Filtered<ListAthletes>>,
) -> Result<Listing<CollegeAthlete>> {
    let (input, place) = cx.place(input)?;
    let (input, filter) = input.parts();
    let mut session = cx.read().await?;
    let wanted = Wanted::of(&cx, &mut session, filter).await?.of_athletes();
    let sort = input.sort.unwrap_or(AthleteSort::Name);
    let page = store::page(&mut session, &wanted, sort, place).await?;
    let (found, position) = page.split();
    Ok(position.of(tallied(&mut session, &wanted, found).await?))
}

/// The file of athletes.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct ExportAthletes {
    /// Its format (default `csv`).
    pub format: Option<ExportFormat>,
}

/// Exports all of the institution's athletes with their transaction totals as CSV or as a
/// spreadsheet. It holds a few thousand in memory at a time. The export is recorded in the audit
/// trail.
pub async fn export(cx: Cx<PortalUser>, input: Filtered<ExportAthletes>) -> Result<Download> {
    let (input, filter) = input.parts();
    let format = input.format.unwrap_or(ExportFormat::Csv);
    let mut work = cx.begin_audited_read().await?;
    let wanted = Wanted::of(&cx, &mut work, filter).await?.of_athletes();
    work.note(cx.caller.college_id, "athletes_exported");
    work.finish_read().await?;
    let name = format!("athletes-{}", wanted.today());
    Ok(send(cx.platform(), &name, format, Athletes(wanted), Counter::default()))
}

/// Selects a deal of an athlete: for a job, or disclosed.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichDeal {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The job; give either this or `disclosed_job_id`.
    pub job_id: Option<JobId>,
    /// The disclosed job.
    #[schemars(extend("examples" = [null]))]
    pub disclosed_job_id: Option<DisclosedJobId>,
}

/// A deal of an athlete in detail.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobDetail {
    /// The athlete.
    pub athlete: CollegeAthlete,
    /// The deal with its job, contract, deliverables and payments; null for a disclosed job.
    pub deal: Option<Deal>,
    /// The disclosed job; null for a deal of the platform.
    pub disclosed_job: Option<DisclosedJob>,
    /// Its transactions, newest first.
    pub transactions: Vec<Transaction>,
}

/// Returns one deal of an athlete of the institution. 404 for another institution's athlete, and
/// for a job the athlete has no relation to; 422 unless exactly one of the two ids is given. The
/// read is recorded in the audit trail.
pub async fn job_detail(cx: Cx<PortalUser>, input: WhichDeal) -> Result<Done<JobDetail>> {
    let mut work = cx.begin().await?;
    let wanted = Wanted::of(&cx, &mut work, Filter::default()).await?;
    let now = cx.now();
    let (deal, disclosed, which) = match (input.job_id, input.disclosed_job_id) {
        (Some(job), None) => {
            let seen = deals::of_college(&mut work, &cx.caller, input.athlete_id, job, now);
            (Some(seen.await?), None, Which::Job(job))
        }
        (None, Some(id)) => {
            let of = input.athlete_id;
            let seen = disclosures::browsing::of_college(&mut work, &cx.caller, of, id, now);
            (None, Some(seen.await?), Which::Disclosed(id))
        }
        _ => {
            let message = "or `disclosed_job_id` is required, not both";
            return Err(Error::invalid("job_id", message));
        }
    };
    let athlete = store::find(&mut work, input.athlete_id).await?;
    let own = Wanted { athletes: vec![athlete.id], ..wanted };
    let transactions = transactions::of_deal(&mut work, &own, which).await?;
    let athlete = first_of(tallied(&mut work, &own, vec![athlete]).await?)?;
    let subject = match (&deal, &disclosed) {
        (_, Some(disclosed)) => Subject::from(disclosed.id),
        (Some(deal), None) => match &deal.contract {
            Some(contract) => contract.id.into(),
            None => deal.application.id.into(),
        },
        (None, None) => return Err(crate::error::codes::NOT_FOUND.into()),
    };
    work.note(subject, "seen");
    work.done(JobDetail {
        athlete,
        deal,
        disclosed_job: disclosed,
        transactions: transactions.into_iter().map(Transaction::flagged).collect(),
    })
    .await
}
