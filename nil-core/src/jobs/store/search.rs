//! Searching jobs. The shape of the statement depends on what is asked for.

use sea_query::{Expr, ExprTrait as _, Func, NullOrdering, Order, Query, SelectStatement};

use super::athlete::AthleteFacts;
use crate::error::Result;
use crate::jobs::browsing::{JobSort, SearchJobs};
use crate::jobs::job::Job;
use crate::kernel::{AthleteId, Paging, Time};
use crate::storage::Session;

/// A pattern that finds the words anywhere, or nothing where nothing is asked for.
pub(in crate::jobs) fn pattern(q: Option<&str>) -> Option<String> {
    let words = q.map(str::trim).filter(|q| !q.is_empty())?;
    Some(format!(
        "%{}%",
        words.to_lowercase().replace(['%', '_'], " ")
    ))
}

/// The job's title or description has the pattern.
pub(in crate::jobs) fn says(pattern: &str) -> Expr {
    let has = |column| Expr::expr(Func::lower(Expr::col(("job", column)))).like(pattern.to_owned());
    has("title").or(has("description"))
}

/// A page of jobs that anybody may see (and those this athlete is invited to), and how many there are.
pub(in crate::jobs) async fn search(
    session: &mut Session,
    wanted: &SearchJobs,
    athlete: Option<AthleteId>,
    eligible: Option<&AthleteFacts>,
    paging: Paging,
    now: Time,
) -> Result<(Vec<Job>, i64)> {
    let filtered = |mut query: SelectStatement| {
        query.from("job");
        visible(&mut query, athlete, now);
        narrow(&mut query, wanted);
        if let Some(facts) = eligible {
            for (kind, value) in values(facts) {
                query.and_where(open_to(kind, value));
            }
            query.and_where(enough_followers(facts.followers));
            query.and_where(Expr::not_exists(application_of(facts.id, false)));
        }
        query
    };
    let total = filtered(Query::select().expr(Expr::cust("COUNT(*)")).to_owned());
    let total = session.value(total).await?;
    let columns = super::job::COLUMNS.iter().map(|column| ("job", *column));
    let mut page = filtered(Query::select().columns(columns).to_owned());
    sort(&mut page, wanted.sort.unwrap_or(JobSort::Newest));
    page.limit(paging.limit().unsigned_abs())
        .offset(paging.offset().unsigned_abs());
    Ok((session.all(page).await?, total))
}

/// Open, still taking applications, and public or inviting this athlete.
fn visible(query: &mut SelectStatement, athlete: Option<AthleteId>, now: Time) {
    let deadline = || Expr::col(("job", "application_deadline"));
    let public = Expr::col(("job", "visibility")).eq("public");
    let visible = match athlete {
        Some(id) => public.or(Expr::exists(application_of(id, true))),
        None => public,
    };
    query
        .and_where(Expr::col(("job", "status")).eq("open"))
        .and_where(deadline().is_null().or(deadline().gte(now)))
        .and_where(visible);
}

/// What the input asks for.
fn narrow(query: &mut SelectStatement, wanted: &SearchJobs) {
    let own = |column| Expr::col(("job", column));
    if let Some(ids) = &wanted.category_ids {
        query.and_where(own("category_id").is_in(ids.iter().map(|id| id.get())));
    }
    if let Some(kinds) = &wanted.kinds {
        query.and_where(own("kind").is_in(kinds.iter().map(|kind| kind.as_str())));
    }
    if let Some(ways) = &wanted.compensation {
        query.and_where(own("compensation").is_in(ways.iter().map(|way| way.as_str())));
    }
    if let Some(least) = wanted.min_amount_cents {
        query.and_where(own("amount_cents").gte(least.get()));
    }
    if let Some(before) = wanted.deadline_before {
        query.and_where(own("application_deadline").lte(before.at()));
    }
    if let Some(platforms) = &wanted.platforms {
        let asked = Query::select()
            .column("job_id")
            .from("milestone")
            .and_where(Expr::col("platform").is_in(platforms.iter().map(|p| p.as_str())))
            .to_owned();
        query.and_where(own("id").in_subquery(asked));
    }
    if let Some(ids) = &wanted.sport_ids {
        query.and_where(open_to_any("sport", ids.iter().map(ToString::to_string)));
    }
    if let Some(ids) = &wanted.university_ids {
        query.and_where(open_to_any(
            "university",
            ids.iter().map(ToString::to_string),
        ));
    }
    if let Some(pattern) = pattern(wanted.q.as_deref()) {
        query.and_where(says(&pattern));
    }
}

fn conditions(kind: &'static str) -> SelectStatement {
    Query::select()
        .expr(Expr::cust("1"))
        .from("job_condition")
        .and_where(Expr::col(("job_condition", "job_id")).equals(("job", "id")))
        .and_where(Expr::col(("job_condition", "kind")).eq(kind))
        .to_owned()
}

/// The job sets no condition of this kind, or one of these values meets it.
fn open_to_any(kind: &'static str, values: impl Iterator<Item = String>) -> Expr {
    let mut met = conditions(kind);
    met.and_where(Expr::col(("job_condition", "value")).is_in(values));
    Expr::not_exists(conditions(kind)).or(Expr::exists(met))
}

/// The same for what one athlete is; somebody who is nothing meets no condition.
fn open_to(kind: &'static str, value: Option<String>) -> Expr {
    match value {
        Some(value) => open_to_any(kind, std::iter::once(value)),
        None => Expr::not_exists(conditions(kind)),
    }
}

fn enough_followers(own: i64) -> Expr {
    let mut more = conditions("min_followers");
    more.and_where(Expr::col(("job_condition", "number")).gt(own));
    Expr::not_exists(more)
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

/// The athlete's live application for the job: an invitation, or anything past one.
fn application_of(athlete: AthleteId, invited: bool) -> SelectStatement {
    let statuses: &[&str] = if invited {
        &["invited"]
    } else {
        &[
            "applicant",
            "hired",
            "confirmed",
            "extension_requested",
            "cancellation_requested",
            "completed",
        ]
    };
    Query::select()
        .expr(Expr::cust("1"))
        .from("application")
        .and_where(Expr::col(("application", "job_id")).equals(("job", "id")))
        .and_where(Expr::col(("application", "athlete_id")).eq(athlete.get()))
        .and_where(Expr::col(("application", "status")).is_in(statuses.iter().copied()))
        .to_owned()
}

fn sort(query: &mut SelectStatement, by: JobSort) {
    let (column, order) = match by {
        JobSort::Newest => ("id", Order::Desc),
        JobSort::Oldest => ("id", Order::Asc),
        JobSort::AmountUp => ("amount_cents", Order::Asc),
        JobSort::AmountDown => ("amount_cents", Order::Desc),
        JobSort::DeadlineUp => ("application_deadline", Order::Asc),
        JobSort::DeadlineDown => ("application_deadline", Order::Desc),
    };
    query
        .order_by_with_nulls(("job", column), order, NullOrdering::Last)
        .order_by(("job", "id"), Order::Desc);
}
