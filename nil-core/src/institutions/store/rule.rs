//! The rows of rules, and the facts about deals that rules need. Other domains write those records.

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query};
use serde_json::Value;

use crate::error::{Result, codes};
use crate::institutions::rule::{Change, RuleKind};
use crate::institutions::visa_status::{Visa, VisaStatus};
use crate::kernel::{
    AthleteId, CategoryId, CollegeId, ContractId, Date, JobId, PartnerId, SportId, Time, day_in,
    zone_or_last,
};
use crate::storage::{Among as _, Asked, FromRow, Joined, Session, Together, insert, sql};

/// An institution's entry for a rule.
#[derive(Clone, Debug, FromRow)]
pub struct RuleRow {
    pub college_id: CollegeId,
    pub rule: RuleKind,
    pub value: Value,
    pub effective_on: Date,
    pub set_by: String,
    pub created_at: Time,
}

impl From<RuleRow> for Change {
    fn from(row: RuleRow) -> Self {
        Self { kind: row.rule, effective_on: row.effective_on, value: row.value }
    }
}

/// All entries of an institution, in the order in which they take effect.
pub async fn of_college(session: &mut Session, college: CollegeId) -> Result<Vec<RuleRow>> {
    session
        .all(
            sql("SELECT college_id, rule, value, effective_on, set_by, created_at \
                 FROM institution_rule WHERE college_id = $1 ORDER BY effective_on, id")
            .bind(college),
        )
        .await
}

/// The entries of several institutions for some kinds of rule; `None` means all institutions that
/// have any.
pub async fn of_colleges(
    session: &mut Session,
    colleges: Option<&[CollegeId]>,
    kinds: &[RuleKind],
) -> Result<Vec<RuleRow>> {
    let mut query = Query::select()
        .columns(["college_id", "rule", "value", "effective_on", "set_by", "created_at"])
        .from("institution_rule")
        .and_where(Expr::col("rule").among(kinds.iter().map(|kind| kind.as_str())))
        .order_by("effective_on", Order::Asc)
        .order_by("id", Order::Asc)
        .take();
    if let Some(colleges) = colleges {
        if colleges.is_empty() {
            return Ok(Vec::new());
        }
        query.and_where(Expr::col("college_id").among(colleges.iter().map(|id| id.get())));
    }
    session.all(query).await
}

/// Adds an entry.
pub async fn add(
    session: &mut Session,
    college: CollegeId,
    change: &Change,
    set_by: &str,
    now: Time,
) -> Result<()> {
    session
        .run(
            insert("institution_rule")
                .set("college_id", college)
                .set("rule", change.kind)
                .set("value", change.value.clone())
                .set("effective_on", change.effective_on)
                .set("set_by", set_by)
                .set("created_at", now),
        )
        .await
        .map(|_| ())
}

/// The facts about a college that rules need.
#[derive(Clone, Debug, FromRow)]
pub struct School {
    pub id: CollegeId,
    pub name: String,
    pub state: String,
    pub time_zone: String,
}

impl School {
    /// The current day there at `now`.
    pub fn day(&self, now: Time) -> Date {
        day_in(now, zone_or_last(Some(&self.time_zone)))
    }
}

/// The listed colleges among these, by name.
pub async fn schools(session: &mut Session, colleges: &[CollegeId]) -> Result<Vec<School>> {
    if colleges.is_empty() {
        return Ok(Vec::new());
    }
    let query = Query::select()
        .columns(["id", "name", "state", "time_zone"])
        .from("college")
        .and_where(Expr::col("listed").eq(true))
        .and_where(Expr::col("id").among(colleges.iter().map(|id| id.get())))
        .order_by("name", Order::Asc)
        .order_by("id", Order::Asc)
        .take();
    session.all(query).await
}

/// The facts about a job and one athlete that rules need.
#[derive(Clone, Debug, FromRow)]
pub struct JobRow {
    pub job_slug: String,
    pub job_category: String,
    pub business_slug: Option<String>,
    pub business_category: Option<String>,
    pub company_name: String,
    pub visa: Option<VisaStatus>,
    pub consented: bool,
}

/// The facts, beside one of the rules' entries if there are any.
#[derive(FromRow)]
struct Ruled {
    #[row(flatten)]
    row: JobRow,
    #[row(flatten)]
    rule: Joined<RuleRow>,
}

/// The facts, and all entries of the institution's rules in the order in which they take effect.
fn ruled(rows: Vec<Ruled>) -> Result<(JobRow, Vec<Change>)> {
    let row = rows.first().map(|first| first.row.clone()).ok_or(codes::NOT_FOUND)?;
    Ok((row, rows.into_iter().filter_map(|ruled| ruled.rule.0).map(Change::from).collect()))
}

/// The statement for [`JobRow`] and the rules of the institution of the athlete `$2`.
macro_rules! ruled {
    ($consented:literal, $from:literal, $where:literal) => {
        concat!(
            "SELECT k.slug AS job_slug, k.name AS job_category, b.slug AS business_slug, \
             b.name AS business_category, p.company_name, v.status AS visa, ",
            $consented,
            " AS consented, r.id, r.college_id, r.rule, r.value, r.effective_on, r.set_by, \
             r.created_at FROM ",
            $from,
            " LEFT JOIN business_category b ON b.id = p.business_category_id \
             LEFT JOIN athlete_visa v ON v.athlete_id = $2 \
             LEFT JOIN athlete a ON a.id = $2 \
             LEFT JOIN institution_rule r ON r.college_id = a.university_id WHERE ",
            $where,
            " ORDER BY r.effective_on, r.id"
        )
    };
}

/// Asks for a job's categories, the athlete's visa and consent, and the rules of the athlete's
/// institution, if there is an athlete.
pub fn job(
    asked: &mut Together,
    job: JobId,
    athlete: Option<AthleteId>,
) -> Asked<(JobRow, Vec<Change>)> {
    let text = ruled!(
        "COALESCE(i.granted, FALSE)",
        "job j JOIN job_category k ON k.id = j.category_id JOIN partner p ON p.id = j.partner_id \
         LEFT JOIN institution_consent i ON i.athlete_id = $2 AND i.job_id = j.id \
         AND i.college_id = (SELECT s.university_id FROM athlete s WHERE s.id = $2)",
        "j.id = $1"
    );
    asked.ask(sql(text).bind(job).bind(athlete), ruled)
}

/// The categories of a planned job of this brand in this category, the athlete's visa, and the
/// institution's rules. There is no consent to a planned job.
pub async fn prospect(
    session: &mut Session,
    (partner, category): (PartnerId, CategoryId),
    athlete: AthleteId,
) -> Result<(JobRow, Vec<Change>)> {
    let from = ruled!("FALSE", "partner p JOIN job_category k ON k.id = $3", "p.id = $1");
    ruled(session.all(sql(from).bind(partner).bind(athlete).bind(category)).await?)
}

/// The facts about a contract that rules need for payment.
#[derive(Clone, Debug, FromRow)]
pub struct ContractRow {
    pub id: ContractId,
    pub college_id: CollegeId,
    pub college: String,
    pub time_zone: String,
    pub generated_at: Time,
    pub sport_id: Option<SportId>,
    pub visa: Option<VisaStatus>,
    pub job_slug: String,
    pub job_category: String,
    pub business_slug: Option<String>,
    pub business_category: Option<String>,
    pub company_name: String,
}

/// The contracts whose athletes have an institution.
pub async fn contracts(session: &mut Session, ids: &[ContractId]) -> Result<Vec<ContractRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = Query::select()
        .expr(Expr::cust(
            "c.id, c.college_id, s.name AS college, s.time_zone, c.generated_at, a.sport_id, \
             v.status AS visa, k.slug AS job_slug, k.name AS job_category, \
             b.slug AS business_slug, b.name AS business_category, p.company_name",
        ))
        .from_as("contract", "c")
        .and_where(Expr::col(("c", "id")).among(ids.iter().map(|id| id.get())))
        .take();
    for (kind, table, alias, column, of) in [
        (JoinType::InnerJoin, "college", "s", "id", ("c", "college_id")),
        (JoinType::InnerJoin, "athlete", "a", "id", ("c", "athlete_id")),
        (JoinType::InnerJoin, "job", "j", "id", ("c", "job_id")),
        (JoinType::InnerJoin, "job_category", "k", "id", ("j", "category_id")),
        (JoinType::InnerJoin, "partner", "p", "id", ("c", "partner_id")),
        (JoinType::LeftJoin, "business_category", "b", "id", ("p", "business_category_id")),
        (JoinType::LeftJoin, "athlete_visa", "v", "athlete_id", ("c", "athlete_id")),
    ] {
        query.join_as(kind, table, alias, Expr::col((alias, column)).equals(of));
    }
    session.all(query).await
}

/// The slugs among these that are neither a job category nor a business category.
pub async fn unknown_categories(session: &mut Session, slugs: &[&str]) -> Result<Vec<String>> {
    if slugs.is_empty() {
        return Ok(Vec::new());
    }
    let known: Vec<(String,)> = session
        .all(sql("SELECT slug FROM job_category UNION SELECT slug FROM business_category"))
        .await?;
    let unknown = slugs.iter().filter(|slug| !known.iter().any(|(known,)| known == *slug));
    Ok(unknown.map(|slug| (*slug).to_owned()).collect())
}

/// The sports among these that do not exist.
pub async fn unknown_sports(session: &mut Session, sports: &[SportId]) -> Result<Vec<SportId>> {
    if sports.is_empty() {
        return Ok(Vec::new());
    }
    let known: Vec<(SportId,)> = session.all(sql("SELECT id FROM sport")).await?;
    let unknown = sports.iter().filter(|sport| !known.iter().any(|(known,)| known == *sport));
    Ok(unknown.copied().collect())
}

/// Saves an athlete's visa.
pub async fn set_visa(
    session: &mut Session,
    athlete: AthleteId,
    status: VisaStatus,
    now: Time,
) -> Result<Visa> {
    session
        .one(
            insert("athlete_visa")
                .set("athlete_id", athlete)
                .set("status", status)
                .set("updated_at", now)
                .or_update(&["athlete_id"], &["status", "updated_at"])
                .returning(&["status", "updated_at"]),
        )
        .await
}
