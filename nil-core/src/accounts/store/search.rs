//! Athlete search. The shape of the statements depends on the filters.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement, UnionType};
use sqlx::FromRow;

use crate::accounts::UserKind;
use crate::accounts::searching::{AthleteSort, SearchAthletes};
use crate::auth::User;
use crate::error::Result;
use crate::kernel::{AthleteId, Extent, Listing, Paging, Words};
use crate::storage::{Among as _, Dialect, FullText, Narrow as _, Search, Session, ranged, sql};

const ATHLETES: FullText = FullText {
    table: "athlete_search",
    key: "athlete_id",
    index: "athlete_text",
    texts: ["name", "about"],
};

/// The maximum number of unlisted athletes that one search finds.
const MOST_RELATED: usize = 1_000;

/// The query of a search: ids, in order. `related` are unlisted athletes that the caller may find
/// nevertheless. They have a query of their own, because for a condition "listed, or one of these" the
/// database would read all rows of both.
pub fn found(
    dialect: Dialect,
    wanted: &SearchAthletes,
    related: &[AthleteId],
    paging: Paging,
) -> Search {
    let words = wanted.q.as_deref().and_then(Words::of);
    let having = |listed: bool| {
        let mut query = Query::select();
        ATHLETES.find(&mut query, dialect, words.as_ref());
        query.and_where(own("listed").eq(listed));
        if !listed {
            query.and_where(own("athlete_id").among(related.iter().map(|id| id.get())));
        }
        narrow(&mut query, dialect, wanted);
        query
    };
    let by = Sorting::of(wanted.sort, words.as_ref(), dialect);
    if related.is_empty() {
        let ranked = words.is_some() && matches!(wanted.sort, None | Some(AthleteSort::Relevance));
        return Search::of(by.sorted(having(true)), paging, wanted.exact_total, ranked);
    }
    let all = |query: SelectStatement, name: &'static str| {
        let columns = ["athlete_id", "sort_key"];
        Query::select().columns(columns).from_subquery(query, name).take()
    };
    let most = paging.offset().saturating_add(paging.limit());
    let first = by.sorted(having(true)).limit(most.unsigned_abs()).take();
    let both = all(first, "listed_ones")
        .union(UnionType::All, all(by.sorted(having(false)), "related_ones"))
        .take();
    let mut rows = all(both, "found");
    rows.order_by("sort_key", by.order.clone()).order_by("athlete_id", by.order);
    let one = |listed| having(listed).expr(Expr::cust("1")).take();
    let counted = one(true).union(UnionType::All, one(false)).take();
    Search::counting(rows, counted, paging, wanted.exact_total)
}

fn own(column: &'static str) -> Expr {
    Expr::col((ATHLETES.table, column))
}

/// The sort order of a search; ties are sorted by id, in the same direction.
struct Sorting {
    key: Expr,
    order: Order,
}

impl Sorting {
    fn of(sort: Option<AthleteSort>, words: Option<&Words>, dialect: Dialect) -> Self {
        let (key, order) = match (sort, words) {
            (None | Some(AthleteSort::Relevance), Some(words)) => {
                (ATHLETES.relevance(dialect, words), Order::Desc)
            }
            (None | Some(AthleteSort::Relevance | AthleteSort::Newest), _) => {
                (own("athlete_id"), Order::Desc)
            }
            (Some(AthleteSort::Oldest), _) => (own("athlete_id"), Order::Asc),
            (Some(AthleteSort::NameUp), _) => (own("sort_name"), Order::Asc),
            (Some(AthleteSort::NameDown), _) => (own("sort_name"), Order::Desc),
            (Some(AthleteSort::FollowersUp), _) => (own("followers"), Order::Asc),
            (Some(AthleteSort::FollowersDown), _) => (own("followers"), Order::Desc),
            (Some(AthleteSort::EngagementUp), _) => (own("engagement_rate"), Order::Asc),
            (Some(AthleteSort::EngagementDown), _) => (own("engagement_rate"), Order::Desc),
        };
        Self { key, order }
    }

    fn sorted(&self, mut found: SelectStatement) -> SelectStatement {
        found
            .expr(own("athlete_id"))
            .expr_as(self.key.clone(), "sort_key")
            .order_by_expr(self.key.clone(), self.order.clone())
            .order_by((ATHLETES.table, "athlete_id"), self.order.clone());
        found
    }
}

/// Applies the filters.
fn narrow(query: &mut SelectStatement, dialect: Dialect, wanted: &SearchAthletes) {
    use AthleteSort::{FollowersDown, FollowersUp};
    let column = |column| (ATHLETES.table, column);
    let by_followers = matches!(wanted.sort, Some(FollowersUp | FollowersDown));
    let followers = ranged(dialect, column("followers"), by_followers);
    let states = wanted.states.iter().flatten().map(|state| state.to_uppercase());
    query
        .only_among(column("sport_id"), wanted.sport_ids.iter().flatten().copied())
        .only_among(column("university_id"), wanted.university_ids.iter().flatten().copied())
        .only_among(column("conference"), wanted.conferences.iter().flatten().cloned())
        .only_among(column("gender"), wanted.genders.iter().flatten().copied())
        .only_among(column("class_year"), wanted.class_years.iter().flatten().copied())
        .only_among(column("state"), states)
        .only_within(followers, wanted.min_followers, wanted.max_followers)
        .only_up_to(column("min_rate_cents"), wanted.max_rate_cents)
        .only(column("available"), wanted.is_available);
    if let Some(platforms) = &wanted.platforms {
        let words = platforms.iter().map(|platform| platform.as_str());
        query.and_where(has("athlete_social", "platform", words));
    }
    if let Some(activities) = &wanted.activities {
        let words = activities.iter().map(|activity| activity.as_str());
        query.and_where(has("athlete_activity", "activity", words));
    }
    if let Some(tags) = &wanted.tags {
        let words = tags.iter().map(|tag| tag.trim().to_lowercase());
        query.and_where(has("athlete_tag", "tag", words));
    }
}

/// The athlete has a row in `table` with one of these values. Uses `IN`, not `EXISTS`: SQLite 3.51 turns
/// `EXISTS` into a join, and `OFFSET` then skips too few rows if an athlete has several matches.
fn has<T: Into<sea_query::Value>>(
    table: &'static str,
    column: &'static str,
    values: impl Iterator<Item = T>,
) -> Expr {
    let having = Query::select()
        .column("athlete_id")
        .from(table)
        .and_where(Expr::col(column).among(values.map(Expr::val)))
        .take();
    own("athlete_id").in_subquery(having)
}

#[derive(FromRow)]
struct Hit {
    athlete_id: AthleteId,
}

/// A page of ids, in order.
pub async fn page(
    session: &mut Session,
    wanted: &SearchAthletes,
    related: &[AthleteId],
    paging: Paging,
) -> Result<(Listing<AthleteId>, Extent)> {
    let found = found(session.dialect(), wanted, related, paging);
    let (page, extent) = session.search(found, paging).await?;
    Ok((page.map(|hit: Hit| hit.athlete_id), extent))
}

/// Unlisted active athletes that the caller may find: themself; those the agent represents; those with a live
/// application for the brand's jobs. An unanswered invitation does not count.
pub async fn related(session: &mut Session, caller: &User) -> Result<Vec<AthleteId>> {
    let text = match caller.kind {
        UserKind::Athlete => {
            "SELECT s.athlete_id FROM athlete_search s WHERE s.athlete_id = $1 AND NOT s.listed"
        }
        UserKind::Agent => {
            "SELECT s.athlete_id FROM representation r \
             JOIN athlete_search s ON s.athlete_id = r.athlete_id \
             WHERE r.agent_id = $1 AND r.status = 'active' AND NOT s.listed \
             ORDER BY s.athlete_id DESC LIMIT 1000"
        }
        UserKind::Partner => {
            "SELECT DISTINCT s.athlete_id FROM job j JOIN application p ON p.job_id = j.id \
             JOIN athlete_search s ON s.athlete_id = p.athlete_id \
             WHERE j.partner_id = $1 AND p.status IN ('applicant', 'hired', 'confirmed', \
             'extension_requested', 'cancellation_requested', 'completed') AND NOT s.listed \
             ORDER BY s.athlete_id DESC LIMIT 1000"
        }
        UserKind::Fan => return Ok(Vec::new()),
    };
    let found: Vec<Hit> = session.all(sql(text).bind(caller.profile_id)).await?;
    let ids = found.into_iter().map(|found| found.athlete_id);
    Ok(ids.take(MOST_RELATED).collect())
}

/// Those of the athletes who are listed and active, in no order.
pub async fn listed(session: &mut Session, ids: &[AthleteId]) -> Result<Vec<AthleteId>> {
    let query = Query::select()
        .column("athlete_id")
        .from(ATHLETES.table)
        .and_where(own("listed").eq(true))
        .and_where(own("athlete_id").among(ids.iter().map(|id| id.get())))
        .take();
    let found: Vec<Hit> = session.all(query).await?;
    Ok(found.into_iter().map(|found| found.athlete_id).collect())
}

/// The listed active athlete with this name in the URL.
pub async fn by_slug(session: &mut Session, slug: &str) -> Result<AthleteId> {
    session
        .value(
            sql("SELECT s.athlete_id FROM athlete a JOIN athlete_search s ON s.athlete_id = a.id \
                 WHERE a.share_slug = $1 AND s.listed")
            .bind(slug),
        )
        .await
}

/// The URL name of a listed active athlete; 404 for others.
pub async fn share_slug(session: &mut Session, athlete: AthleteId) -> Result<String> {
    session
        .value(
            sql("SELECT a.share_slug FROM athlete a JOIN athlete_search s ON s.athlete_id = a.id \
                 WHERE a.id = $1 AND s.listed")
            .bind(athlete),
        )
        .await
}
