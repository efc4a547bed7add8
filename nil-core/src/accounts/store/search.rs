//! Athlete search. The shape of the statements depends on the filters.

use sea_query::{
    CommonTableExpression, Expr, ExprTrait as _, Order, Query, SelectStatement, UnionType,
};

use super::profile;
use crate::accounts::UserKind;
use crate::accounts::profiles::athlete_search::{AthleteSort, SearchAthletes};
use crate::error::Result;
use crate::kernel::{AthleteId, Paging, Words, fold};
use crate::storage::{
    Among as _, Dialect, FromRow, FullText, Narrow as _, PAGE, Search, Session, ranged, sql,
};

const ATHLETES: FullText = FullText {
    table: "athlete_search",
    key: "athlete_id",
    index: "athlete_text",
    texts: ["name", "about"],
};

/// The unlisted athletes that the caller is related to, in a statement.
const RELATED: &str = "related";
/// The maximum number of unlisted athletes that one search finds.
const MOST_RELATED: u64 = 1_000;

/// The query of a search: profiles, in order. The caller, if there is one, also finds unlisted
/// athletes that they are related to. These have a query of their own, because for a condition
/// "listed, or one of these" the database would read all rows of both.
pub fn found(
    dialect: Dialect,
    wanted: &SearchAthletes,
    caller: Option<Seeker>,
    paging: Paging,
) -> Search {
    let words = wanted.q.as_deref().and_then(Words::of);
    let by = Sorting::of(wanted.sort, words.as_ref(), dialect);
    let shown = by.in_order(profile::shown(), PAGE);
    let mut listed = Query::select();
    ATHLETES.find(&mut listed, dialect, words.as_ref());
    listed.and_where(own("listed").eq(true));
    narrow(&mut listed, dialect, wanted);
    let Some(related) = caller.and_then(Seeker::related) else {
        let ranked = words.is_some() && matches!(wanted.sort, None | Some(AthleteSort::Relevance));
        let found = Search::of(by.sorted(listed), paging, wanted.exact_total, ranked);
        return found.showing(shown);
    };
    let mut unlisted = Query::select();
    unlisted
        .from(RELATED)
        .cross_join(ATHLETES.table)
        .and_where(own("athlete_id").equals((RELATED, "athlete_id")))
        .and_where(own("listed").eq(false));
    ATHLETES.keep(&mut unlisted, dialect, words.as_ref());
    narrow(&mut unlisted, dialect, wanted);
    let all = |query: SelectStatement, name: &'static str| {
        let columns = ["athlete_id", "sort_key"];
        Query::select().columns(columns).from_subquery(query, name).take()
    };
    let most = paging.offset().saturating_add(paging.limit());
    let first = by.sorted(listed.clone()).limit(most.unsigned_abs()).take();
    let both = all(first, "listed_ones")
        .union(UnionType::All, all(by.sorted(unlisted.clone()), "related_ones"))
        .take();
    let rows = by.in_order(all(both, "found"), "found");
    let one = |mut query: SelectStatement| query.expr(Expr::cust("1")).take();
    let counted = one(listed).union(UnionType::All, one(unlisted)).take();
    let mut named = CommonTableExpression::new();
    named.table_name(RELATED).column("athlete_id").query(related);
    Search::counting(rows, counted, paging, wanted.exact_total).with(named).showing(shown)
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

    /// The rows of a query with `sort_key` and `athlete_id`, in order.
    fn in_order(&self, mut rows: SelectStatement, from: &'static str) -> SelectStatement {
        rows.order_by((from, "sort_key"), self.order.clone())
            .order_by((from, "athlete_id"), self.order.clone());
        rows
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
        let words = tags.iter().map(|tag| fold(tag.trim()));
        query.and_where(has("athlete_tag", "tag", words));
    }
}

/// The athlete has a row in `table` with one of these values. Uses `IN`, not `EXISTS`: SQLite 3.51
/// turns `EXISTS` into a join, and `OFFSET` then skips too few rows if an athlete has several
/// matches.
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

/// A caller who finds unlisted athletes too: themself; those the agent represents; those with a
/// live application for the brand's jobs. An unanswered invitation does not count.
#[derive(Clone, Copy, Debug)]
pub struct Seeker {
    /// The kind of the account.
    pub kind: UserKind,
    /// The id of its athlete, brand or agent.
    pub profile: i64,
}

impl Seeker {
    /// The ids of the unlisted active athletes that the caller is related to.
    fn related(self) -> Option<SelectStatement> {
        let mut ids = Query::select();
        let is_own = |table, column| Expr::col((table, column)).eq(self.profile);
        match self.kind {
            UserKind::Athlete => {
                ids.from(ATHLETES.table).and_where(is_own(ATHLETES.table, ATHLETES.key))
            }
            UserKind::Agent => ids
                .from("representation")
                .inner_join(ATHLETES.table, of_athlete("representation"))
                .and_where(is_own("representation", "agent_id"))
                .and_where(Expr::col(("representation", "status")).eq("active")),
            UserKind::Partner => ids
                .distinct()
                .from("job")
                .inner_join(
                    "application",
                    Expr::col(("application", "job_id")).equals(("job", "id")),
                )
                .inner_join(ATHLETES.table, of_athlete("application"))
                .and_where(is_own("job", "partner_id"))
                .and_where(Expr::cust(LIVE)),
            UserKind::Fan => return None,
        };
        // `NOT` hides the column from the planner of SQLite, which would read all unlisted athletes
        // by their index.
        ids.expr(own("athlete_id"))
            .and_where(own("listed").not())
            .order_by((ATHLETES.table, "athlete_id"), Order::Desc)
            .limit(MOST_RELATED);
        Some(ids)
    }
}

/// The states of a live application.
const LIVE: &str = "application.status IN ('applicant', 'hired', 'confirmed', 'extension_requested', \
    'cancellation_requested', 'completed')";

fn of_athlete(table: &'static str) -> Expr {
    own("athlete_id").equals((table, "athlete_id"))
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
