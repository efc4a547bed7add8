//! Searches jobs. The shape of the statement depends on the input.

use sea_query::{Expr, ExprTrait as _, NullOrdering, Order, Query, SelectStatement};

use crate::error::Result;
use crate::jobs::browsing::{JobSort, SearchJobs};
use crate::jobs::deadline::Deadline;
use crate::jobs::job::Job;
use crate::kernel::{AthleteId, Listing, Paging, Time, Words};
use crate::people::AthleteFacts;
use crate::storage::{Among as _, Dialect, Found, FullText, Narrow as _, Session};

/// Jobs in any state, searched by the words of title and description.
pub const JOBS: FullText = FullText { table: "job", key: "id", index: "job_text" };

/// The search, its caller and its time.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub wanted: &'a SearchJobs,
    /// The calling athlete.
    pub athlete: Option<AthleteId>,
    /// The same athlete, if only jobs they may apply to are wanted.
    pub eligible: Option<&'a AthleteFacts>,
    pub now: Time,
}

/// A page of jobs that every user may see (and those this athlete is invited to).
pub async fn page(
    session: &mut Session,
    asked: &Asked<'_>,
    paging: Paging,
) -> Result<Listing<Job>> {
    let found = found(session.dialect(), asked);
    session.page(found, paging).await
}

/// The rows of a search.
pub fn found(dialect: Dialect, asked: &Asked<'_>) -> Found {
    let words = asked.wanted.q.as_deref().and_then(Words::of);
    let mut rows = Query::select();
    JOBS.find(&mut rows, dialect, words.as_ref());
    visible(&mut rows, asked.athlete, asked.now);
    narrow(&mut rows, asked.wanted);
    if let Some(facts) = asked.eligible {
        for (kind, value) in values(facts) {
            rows.and_where(open_to(kind, value));
        }
        rows.and_where(enough_followers(facts.followers));
        rows.and_where(Expr::not_exists(application_of(facts.id)));
    }
    rows.columns(super::job::COLUMNS.iter().map(|column| ("job", *column)));
    match (asked.wanted.sort, &words) {
        (None | Some(JobSort::Relevance), Some(words)) => best_first(&mut rows, dialect, words),
        (by, _) => sort(&mut rows, by.unwrap_or(JobSort::Newest)),
    }
    Found::by_words(rows)
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
fn narrow(query: &mut SelectStatement, wanted: &SearchJobs) {
    let closes_by = |last: Deadline| Expr::col(("job", "closes_at")).lte(last.at());
    query
        .only_among(("job", "category_id"), wanted.category_ids.iter().flatten().copied())
        .only_among(("job", "kind"), wanted.kinds.iter().flatten().copied())
        .only_among(("job", "compensation"), wanted.compensation.iter().flatten().copied())
        .only_from(("job", "amount_cents"), wanted.min_amount_cents)
        .and_where_option(wanted.deadline_before.map(closes_by));
    if let Some(platforms) = &wanted.platforms {
        // `IN` and not `EXISTS`: SQLite 3.51 turns the latter into a join, and then `OFFSET` skips too few rows if a
        // job has several such milestones.
        let asked = Query::select()
            .column("job_id")
            .from("milestone")
            .and_where(Expr::col("platform").among(platforms.iter().map(|p| p.as_str())))
            .to_owned();
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
        .to_owned()
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

/// The same for a single athlete; an athlete without a value meets no condition.
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
        .to_owned()
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
        .to_owned()
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
