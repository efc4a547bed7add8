//! The institution's athletes with their transaction totals, and their deals in detail.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filter::{Filter, Filtered, Wanted};
use super::store::athlete::{self as store, Tally};
use super::store::transaction::{self as transactions, Deal as Which};
use super::tables::Athletes;
use super::transaction::Transaction;
use crate::accounts::{ClassYear, Gender, UserStatus};
use crate::auth::PortalUser;
use crate::deals::browsing::{self as deals, Deal};
use crate::disclosures::{self, DisclosedJob};
use crate::error::{Error, Result};
use crate::export::{Counter, ExportFormat, send};
use crate::institutions::DealFlag;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AgentId, AthleteId, Cents, Date, DisclosedJobId, Followed, JobId, Listing, SportId, Time,
};
use crate::operation::{Cx, Done, Download, Subject};
use crate::people::is_under_age;
use crate::storage::{FromRow, Session, first_of};

vocabulary! {
    /// The order of athletes.
    AthleteSort {
        /// By name.
        Name = "name",
        /// Highest totals first.
        Greatest = "-gross_cents",
        /// Lowest totals first.
        Least = "gross_cents",
        /// Most recently joined first.
        Newest = "-created_at",
    }
}

/// Filters for athletes and for the transactions that count. With a filter on transactions (category, source,
/// status, flag or amount), only athletes with such a transaction are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListAthletes {
    /// The order (default: by name).
    pub sort: Option<AthleteSort>,
}

/// The totals of an athlete's transactions.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema, FromRow)]
pub struct AthleteTotals {
    /// The number of transactions.
    pub count: i64,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// What the athlete gets, less an agent's commission.
    pub net_cents: Cents,
    /// How much of the gross was refunded.
    pub refunded_cents: Cents,
    /// When the latest one occurred.
    pub last_at: Option<Time>,
}

/// An athlete of the institution.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct CollegeAthlete {
    /// The athlete.
    pub id: AthleteId,
    /// The display name.
    pub display_name: String,
    /// Their sport.
    pub sport_id: Option<SportId>,
    /// The sport's name.
    pub sport: Option<String>,
    /// Their gender.
    pub gender: Option<Gender>,
    /// Their position.
    pub position: Option<String>,
    /// Their class year.
    pub class_year: Option<ClassYear>,
    /// The number on the jersey.
    pub jersey_number: Option<String>,
    /// The account's status.
    pub status: UserStatus,
    /// Whether they are under 18 today.
    #[row(skip)]
    pub minor: bool,
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) date_of_birth: Option<Date>,
    /// The agent who represents them.
    pub agent_id: Option<AgentId>,
    /// The agency's name.
    pub agency: Option<String>,
    /// The totals of their transactions.
    #[row(skip)]
    pub totals: AthleteTotals,
    /// All flags of these transactions.
    #[row(skip)]
    pub flags: Vec<DealFlag>,
    /// When they joined.
    pub created_at: Time,
    /// When their record was last changed.
    pub updated_at: Time,
}

impl CollegeAthlete {
    fn with(mut self, tally: Option<&Tally>, today: Date) -> Self {
        self.minor = is_under_age(self.date_of_birth, today);
        if let Some(tally) = tally {
            self.totals = tally.totals;
            self.flags = tally.marks.flags();
        }
        self
    }
}

/// Lists the institution's athletes with their transaction totals; callers limited to certain sports see only
/// those.
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

/// Adds the transaction totals to athletes.
async fn tallied(
    session: &mut Session,
    wanted: &Wanted,
    found: Vec<CollegeAthlete>,
) -> Result<Vec<CollegeAthlete>> {
    let ids: Vec<AthleteId> = found.iter().map(|athlete| athlete.id).collect();
    let tallies = store::tallies(session, wanted, &ids).await?;
    let today = wanted.today();
    let rows = found.into_iter().map(|athlete| {
        let tally = tallies.get(&athlete.id);
        athlete.with(tally, today)
    });
    Ok(rows.collect())
}

/// The next athletes in the order of their ids, after `last`; empty after the last one.
pub(super) async fn after(
    session: &mut Session,
    wanted: &Wanted,
    last: Option<AthleteId>,
    most: u64,
) -> Result<Vec<CollegeAthlete>> {
    let found = store::after(session, wanted, last, most).await?;
    tallied(session, wanted, found).await
}

/// The file of athletes.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct ExportAthletes {
    /// Its format (default `csv`).
    pub format: Option<ExportFormat>,
}

/// Exports all of the institution's athletes with their transaction totals as CSV or as a spreadsheet. It holds a few thousand in
/// memory at a time. The export is recorded in the audit trail.
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

/// Returns one deal of an athlete of the institution. 404 for another institution's athlete, and for a job
/// the athlete has no relation to; 422 unless exactly one of the two ids is given. The read is recorded in
/// the audit trail.
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
