//! What belongs to athletes in rows of its own: accounts on networks, activities, the track record.
//! One statement reads all of it, as narrow rows one after the other.

use std::cmp::Reverse;
use std::sync::LazyLock;

use sea_query::{Expr, Query, SelectStatement, UnionType};

use crate::accounts::athletes::statistics::{CategoryCount, Statistics};
use crate::accounts::{AthleteActivity, Social};
use crate::error::{Error, Result};
use crate::kernel::{AthleteId, CategoryId, Cents, Time};
use crate::storage::{Among as _, FromRow, Session, sql};

const SOCIAL: &str = "social";
const ACTIVITY: &str = "activity";
const CATEGORY: &str = "category";
const WORK: &str = "work";

/// The parts of some athletes.
#[derive(Debug)]
pub struct Parts(Vec<Part>);

/// A row of any kind; what it holds depends on the kind.
#[derive(Debug, FromRow)]
struct Part {
    kind: String,
    athlete_id: AthleteId,
    name: String,
    detail: Option<String>,
    number: Option<i64>,
    other: Option<i64>,
    at: Option<Time>,
}

impl Parts {
    /// The accounts on networks and the activities of these athletes.
    pub async fn of(session: &mut Session, athletes: &[AthleteId]) -> Result<Self> {
        let mut rows = parts(SOCIALS, athletes);
        rows.union(UnionType::All, parts(ACTIVITIES, athletes));
        session.all(rows).await.map(Self)
    }

    /// The accounts on networks and the activities of one athlete, with the athlete's track record.
    pub async fn with_record(
        session: &mut Session,
        athlete: AthleteId,
    ) -> Result<(Self, Statistics)> {
        let parts = Self(session.all(sql(&OF_ONE).bind(athlete)).await?);
        let statistics = parts.statistics(athlete)?;
        Ok((parts, statistics))
    }

    fn rows(&self, kind: &str, athlete: AthleteId) -> Vec<&Part> {
        let own = self.0.iter().filter(|part| part.athlete_id == athlete && part.kind == kind);
        own.collect()
    }

    /// An athlete's accounts on networks, the one with most followers first.
    pub fn socials(&self, athlete: AthleteId) -> Result<Vec<Social>> {
        let mut own = self.rows(SOCIAL, athlete);
        own.sort_by_key(|part| (Reverse(part.number), part.name.as_str()));
        own.into_iter()
            .map(|part| {
                Ok(Social {
                    platform: part.name.parse().map_err(Error::internal)?,
                    handle: part.detail.clone().unwrap_or_default(),
                    followers: part.number.unwrap_or_default(),
                    engagement_rate: part.other,
                    refreshed_at: part
                        .at
                        .ok_or_else(|| Error::internal("an account without a time"))?,
                })
            })
            .collect()
    }

    /// An athlete's activities for brands, in the order of their names.
    pub fn activities(&self, athlete: AthleteId) -> Result<Vec<AthleteActivity>> {
        let mut own = self.rows(ACTIVITY, athlete);
        own.sort_by_key(|part| part.name.as_str());
        own.into_iter()
            .map(|part| {
                Ok(AthleteActivity {
                    activity: part.name.parse().map_err(Error::internal)?,
                    min_price_cents: part.number.map(Cents),
                    price_shown: part.other == Some(1),
                })
            })
            .collect()
    }

    fn statistics(&self, athlete: AthleteId) -> Result<Statistics> {
        let mut categories = Vec::new();
        for part in self.rows(CATEGORY, athlete) {
            let id = part.number.and_then(CategoryId::new);
            categories.push(CategoryCount {
                category_id: id.ok_or_else(|| Error::internal("a category without an id"))?,
                name: part.name.clone(),
                deals: part.other.unwrap_or_default(),
            });
        }
        categories.sort_by_key(|category| (Reverse(category.deals), category.category_id));
        let work = self.rows(WORK, athlete);
        let (approved, on_time) = work
            .first()
            .map(|part| (part.number.unwrap_or_default(), part.other.unwrap_or_default()))
            .unwrap_or_default();
        Ok(Statistics {
            // Every job has a category.
            deals_completed: categories.iter().map(|category| category.deals).sum(),
            on_time_rate: on_time.saturating_mul(10_000).checked_div(approved),
            categories,
        })
    }
}

/// The columns and the table of each kind of part. The first kind of a statement names the columns.
const SOCIALS: (&str, &str) = (
    "'social' AS kind, athlete_id, platform AS name, handle AS detail, followers AS number, \
     engagement_basis_points AS other, refreshed_at AS at",
    "athlete_social",
);
const ACTIVITIES: (&str, &str) = (
    "'activity', athlete_id, activity, NULL, min_price_cents, \
     CASE WHEN price_shown THEN 1 ELSE 0 END, NULL",
    "athlete_activity",
);
/// Completed deals by category of job.
const CATEGORIES: &str = "SELECT 'category', c.athlete_id, k.name, NULL, k.id, COUNT(*), NULL \
    FROM contract c JOIN job j ON j.id = c.job_id JOIN job_category k ON k.id = j.category_id \
    WHERE c.athlete_id = $1 AND c.status = 'completed' GROUP BY c.athlete_id, k.id, k.name";
/// Approved deliverables, and those of them that were handed in by their due date.
const RECORD: &str = "SELECT 'work', athlete_id, '', NULL, COUNT(*), \
    CAST(SUM(CASE WHEN submitted_at <= due_at THEN 1 ELSE 0 END) AS BIGINT), NULL \
    FROM deliverable WHERE athlete_id = $1 AND status = 'approved' GROUP BY athlete_id";

/// Every part of one athlete. A fixed text: this is read for every visitor of a profile.
static OF_ONE: LazyLock<String> = LazyLock::new(|| {
    let own = |(columns, table)| format!("SELECT {columns} FROM {table} WHERE athlete_id = $1");
    [&own(SOCIALS), &own(ACTIVITIES), CATEGORIES, RECORD].join(" UNION ALL ")
});

/// The parts of one kind of these athletes.
fn parts(
    (columns, table): (&'static str, &'static str),
    athletes: &[AthleteId],
) -> SelectStatement {
    Query::select()
        .expr(Expr::cust(columns))
        .from(table)
        .and_where(Expr::col("athlete_id").among(athletes.iter().map(|id| id.get())))
        .take()
}
