//! Searches jobs. The shape of the statement depends on the input.

use sea_query::{Expr, ExprTrait as _, NullOrdering, Order, Query, SelectStatement};

use super::card::BRAND;
use crate::error::Result;
use crate::jobs::application::ApplicationStatus;
use crate::jobs::cards::PartnerCard;
use crate::jobs::deadline::Deadline;
use crate::jobs::job::{Job, Milestone};
use crate::jobs::job_search::{JobSort, SearchJobs};
use crate::kernel::{AthleteId, Extent, JobId, Listing, Paging, Time, Words};
use crate::people::AthleteFacts;
use crate::storage::{
    Among as _, By, Dialect, FromRow, FullText, Joined, Narrow as _, Scan, Search, Selected as _,
    Session, plans_of, plans_of_scan, ranged, scalar,
};

/// Jobs in any state, searched by the words of title and description.
pub const JOBS: FullText =
    FullText { table: "job", key: "id", index: "job_text", texts: ["title", "description"] };

/// The search, its caller and its time.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub wanted: &'a SearchJobs,
    /// The calling athlete.
    pub athlete: Option<AthleteId>,
    /// The calling athlete, if only jobs they may apply to are wanted.
    pub eligible: Option<&'a AthleteFacts>,
    pub now: Time,
}

impl Asked<'_> {
    fn words(&self) -> Option<Words> {
        self.wanted.q.as_deref().and_then(Words::of)
    }

    /// A page of jobs that every user may see (and those this athlete is invited to), without
    /// milestones.
    pub async fn page(
        &self,
        session: &mut Session,
        paging: Paging,
    ) -> Result<(Listing<Job>, Extent)> {
        let words = self.words();
        if let Some(scan) = self.scan(session.dialect(), words.as_ref()) {
            return session.scan(&scan, show, paging).await;
        }
        session.search(self.found(session.dialect(), words.as_ref(), paging), paging).await
    }

    /// The plans of the statements that may read a page.
    pub async fn plans(&self, session: &mut Session, paging: Paging) -> Result<Vec<String>> {
        let (words, dialect) = (self.words(), session.dialect());
        if let Some(scan) = self.scan(dialect, words.as_ref()) {
            return plans_of_scan(session, &scan, show, paging).await;
        }
        plans_of(session, self.found(dialect, words.as_ref(), paging), paging).await
    }

    /// A search for words, by relevance or by age.
    fn scan<'w>(&self, dialect: Dialect, words: Option<&'w Words>) -> Option<Scan<'w>> {
        let by = match self.wanted.sort {
            None | Some(JobSort::Relevance) => By::Relevance,
            Some(JobSort::Newest) => By::Age(Order::Desc),
            Some(JobSort::Oldest) => By::Age(Order::Asc),
            _ => return None,
        };
        let words = words?;
        let mut narrowed = Query::select();
        self.narrow(&mut narrowed, dialect);
        let exact = self.wanted.exact_total == Some(true);
        Some(Scan { text: JOBS, words, narrowed, by, exact })
    }

    /// All other searches.
    fn found(&self, dialect: Dialect, words: Option<&Words>, paging: Paging) -> Search {
        let mut rows = Query::select();
        JOBS.find(&mut rows, dialect, words);
        self.narrow(&mut rows, dialect);
        sort(&mut rows, self.wanted.sort.unwrap_or(JobSort::Newest));
        show(&mut rows);
        Search::of(rows, paging, self.wanted.exact_total, false)
    }

    /// Adds every condition but the words.
    fn narrow(&self, rows: &mut SelectStatement, dialect: Dialect) {
        visible(rows, self.athlete, self.now);
        narrow(rows, dialect, self.wanted);
        if let Some(facts) = self.eligible {
            for (kind, value) in values(facts) {
                rows.and_where(open_to(kind, value));
            }
            rows.and_where(enough_followers(facts.followers));
            rows.and_where(Expr::not_exists(application_of(facts.id)));
        }
    }
}

fn show(rows: &mut SelectStatement) {
    rows.columns(Job::COLUMNS.iter().map(|column| ("job", *column)));
}

/// What is shown beside a job: its brand, the state of the calling athlete's own application, and a
/// milestone.
#[derive(Debug, FromRow)]
pub struct Beside {
    pub of_job: JobId,
    pub application_status: Option<ApplicationStatus>,
    #[row(flatten)]
    pub partner: PartnerCard,
    #[row(flatten)]
    milestone: Joined<Milestone>,
}

impl Beside {
    /// The milestone, unless the job has none.
    pub fn milestone(&self) -> Option<&Milestone> {
        self.milestone.0.as_ref()
    }
}

/// What is shown beside these jobs: a row for each milestone, in the order of each job, and one for
/// a job without milestones.
pub async fn beside(
    session: &mut Session,
    jobs: &[JobId],
    athlete: Option<AthleteId>,
) -> Result<Vec<Beside>> {
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = Query::select();
    query
        .expr_as(id(), "of_job")
        .column(("job", "partner_id"))
        .columns(BRAND.map(|column| ("partner", column)))
        .columns(Milestone::COLUMNS.iter().map(|column| ("milestone", *column)))
        .expr_as(athlete.map_or_else(|| Expr::cust("NULL"), own_status), "application_status")
        .from("job")
        .inner_join("partner", Expr::col(("partner", "id")).equals(("job", "partner_id")))
        .left_join("milestone", Expr::col(("milestone", "job_id")).equals(("job", "id")))
        .and_where(id().among(jobs.iter().map(|id| id.get())))
        .order_by(("job", "id"), Order::Asc)
        .order_by(("milestone", "position"), Order::Asc);
    session.all(query).await
}

/// The state of the athlete's newest application for the job.
fn own_status(athlete: AthleteId) -> Expr {
    let own = |column| ("own", column);
    let newest = Query::select()
        .column(own("status"))
        .from_as("application", "own")
        .and_where(Expr::col(own("athlete_id")).eq(athlete.get()))
        .and_where(Expr::col(own("job_id")).equals(("job", "id")))
        .order_by(own("id"), Order::Desc)
        .limit(1)
        .take();
    scalar(newest)
}

/// Best match first; of equal matches the newest.
pub fn best_first(query: &mut SelectStatement, dialect: Dialect, words: &Words) {
    query
        .order_by_expr(JOBS.relevance(dialect, words), Order::Desc)
        .order_by(("job", "id"), Order::Desc);
}

/// Open, still taking applications, and public or with an invitation of this athlete.
fn visible(query: &mut SelectStatement, athlete: Option<AthleteId>, now: Time) {
    let closes = || Expr::col(("job", "closes_at"));
    let public = Expr::col(("job", "visibility")).eq("public");
    let visible = match athlete {
        Some(id) => public.or(Expr::col(("job", "id")).in_subquery(invitations_of(id))),
        None => public,
    };
    query
        .and_where(Expr::col(("job", "status")).eq("open"))
        .and_where(closes().is_null().or(closes().gte(now)))
        .and_where(visible);
}

/// Adds the conditions of the input.
fn narrow(query: &mut SelectStatement, dialect: Dialect, wanted: &SearchJobs) {
    let by_amount = matches!(wanted.sort, Some(JobSort::AmountUp | JobSort::AmountDown));
    let amount = ranged(dialect, (JOBS.table, "amount_cents"), by_amount);
    let closes_by = |last: Deadline| Expr::col(("job", "closes_at")).lte(last.at());
    query
        .only_among(("job", "category_id"), wanted.category_ids.iter().flatten().copied())
        .only_among(("job", "kind"), wanted.kinds.iter().flatten().copied())
        .only_among(("job", "compensation"), wanted.compensation.iter().flatten().copied())
        .only_within(amount, wanted.min_amount_cents, None)
        .and_where_option(wanted.deadline_before.map(closes_by));
    if let Some(platforms) = &wanted.platforms {
        // `IN` and not `EXISTS`: SQLite 3.51 turns the latter into a join, and then `OFFSET` skips
        // too few rows if a job has several such milestones.
        let asked = Query::select()
            .column("job_id")
            .from("milestone")
            .and_where(Expr::col("platform").among(platforms.iter().map(|p| p.as_str())))
            .take();
        query.and_where(id().in_subquery(asked));
    }
    if let Some(ids) = &wanted.sport_ids {
        query.and_where(open_to_any("sport", ids.iter().map(ToString::to_string)));
    }
    if let Some(ids) = &wanted.university_ids {
        query.and_where(open_to_any("university", ids.iter().map(ToString::to_string)));
    }
}

/// The jobs that set a condition of this kind. Evaluated once per search, not once per job.
fn conditions(kind: &'static str) -> SelectStatement {
    Query::select()
        .column("job_id")
        .from("job_condition")
        .and_where(Expr::col("kind").eq(kind))
        .take()
}

fn id() -> Expr {
    Expr::col(("job", "id"))
}

/// The job sets no condition of this kind, or one of these values meets it.
fn open_to_any(kind: &'static str, values: impl Iterator<Item = String>) -> Expr {
    let mut met = conditions(kind);
    met.and_where(Expr::col("value").among(values));
    let free = id().not_in_subquery(conditions(kind));
    free.or(id().in_subquery(met))
}

/// The job sets no condition of this kind, or the athlete's value meets it; an athlete without a
/// value meets no condition.
fn open_to(kind: &'static str, value: Option<String>) -> Expr {
    match value {
        Some(value) => open_to_any(kind, std::iter::once(value)),
        None => id().not_in_subquery(conditions(kind)),
    }
}

fn enough_followers(own: i64) -> Expr {
    let mut more = conditions("min_followers");
    more.and_where(Expr::col("number").gt(own));
    id().not_in_subquery(more)
}

fn values(facts: &AthleteFacts) -> [(&'static str, Option<String>); 5] {
    [
        ("sport", facts.sport_id.map(|id| id.to_string())),
        ("university", facts.college_id.map(|id| id.to_string())),
        ("gender", facts.gender.map(|gender| gender.to_string())),
        ("state", facts.college_state.clone()),
        ("class_year", facts.class_year.map(|year| year.to_string())),
    ]
}

/// The jobs the athlete is invited to.
fn invitations_of(athlete: AthleteId) -> SelectStatement {
    Query::select()
        .column("job_id")
        .from("application")
        .and_where(Expr::col("athlete_id").eq(athlete.get()))
        .and_where(Expr::col("status").eq("invited"))
        .take()
}

/// The athlete's live application for the job, other than an invitation.
fn application_of(athlete: AthleteId) -> SelectStatement {
    let statuses = [
        "applicant",
        "hired",
        "confirmed",
        "extension_requested",
        "cancellation_requested",
        "completed",
    ];
    Query::select()
        .expr(Expr::cust("1"))
        .from("application")
        .and_where(Expr::col(("application", "job_id")).equals(("job", "id")))
        .and_where(Expr::col(("application", "athlete_id")).eq(athlete.get()))
        .and_where(Expr::col(("application", "status")).among(statuses))
        .take()
}

fn sort(query: &mut SelectStatement, by: JobSort) {
    let (column, order) = match by {
        JobSort::Newest | JobSort::Relevance => ("id", Order::Desc),
        JobSort::Oldest => ("id", Order::Asc),
        JobSort::AmountUp => ("amount_cents", Order::Asc),
        JobSort::AmountDown => ("amount_cents", Order::Desc),
        JobSort::DeadlineUp => ("application_deadline", Order::Asc),
        JobSort::DeadlineDown => ("application_deadline", Order::Desc),
    };
    // Ties are sorted in the same direction, as in the index.
    let alike = order.clone();
    if column == "application_deadline" {
        query.order_by_with_nulls(("job", column), order, NullOrdering::Last);
    } else if column != "id" {
        query.order_by(("job", column), order);
    }
    query.order_by(("job", "id"), alike);
}
