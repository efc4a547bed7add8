//! The rows of clearances.

use sea_query::{Expr, ExprTrait as _, LockType, Query, SelectStatement};

use super::disclosed_job::{Owner, owned_by};
use crate::auth::PortalUser;
use crate::disclosures::clearance::{Clearance, ClearanceStatus};
use crate::error::Result;
use crate::kernel::{
    AthleteId, Cents, ClearanceId, CollegeId, ContractId, Date, DisclosedJobId, FollowedPage,
    Listing, Moved, Time, UserId,
};
use crate::notifications::{Event, due_unreminded, unreminded};
use crate::people::with_athletes;
use crate::schedule::due::{Behind, Page};
use crate::storage::{
    Among as _, Found, FromRow, Insert, Key, Narrow as _, Session, advance, insert, sorted, sql,
    update, whose,
};

const COLUMNS: &[&str] = &[
    "id",
    "athlete_id",
    "college_id",
    "contract_id",
    "disclosed_job_id",
    "amount_cents",
    "signed_on",
    "status",
    "due_at",
    "reference",
    "note",
    "submitted_at",
    "decided_at",
    "created_at",
    "updated_at",
];

/// The title of the deal.
const TITLE: &str = "COALESCE((SELECT d.title FROM disclosed_job d \
    WHERE d.id = clearance.disclosed_job_id), (SELECT j.title FROM contract c \
    JOIN job j ON j.id = c.job_id WHERE c.id = clearance.contract_id), '')";

/// The payor's name, as the deal writes it. The column `payor` is the key by which amounts are
/// added up.
const PAYOR: &str = "COALESCE((SELECT d.payer_name FROM disclosed_job d \
    WHERE d.id = clearance.disclosed_job_id), (SELECT p.company_name FROM contract c \
    JOIN partner p ON p.id = c.partner_id WHERE c.id = clearance.contract_id), '')";

/// The athlete's name. It is no join, because most queries lock their rows.
const ATHLETE: &str = "(SELECT a.display_name FROM athlete a WHERE a.id = clearance.athlete_id)";

pub(super) fn select() -> SelectStatement {
    let mut query = Query::select().from("clearance").take();
    read(&mut query);
    query
}

/// Reads the columns of a clearance.
fn read(query: &mut SelectStatement) {
    query
        .columns(COLUMNS.iter().map(|column| ("clearance", *column)))
        .expr_as(Expr::cust(TITLE), "title")
        .expr_as(Expr::cust(PAYOR), "payor")
        .expr_as(Expr::cust(ATHLETE), "athlete_name");
}

/// A deal to add to those of an athlete.
#[derive(Clone, Debug)]
pub struct Deal<'a> {
    pub athlete: AthleteId,
    pub college: CollegeId,
    /// The payor's name in one spelling, as it is on the day of signing.
    pub payor: &'a str,
    pub amount: Cents,
    pub signed_on: Date,
}

/// The row of a deal that is not (yet) due.
fn entry(deal: &Deal<'_>, now: Time) -> Insert {
    insert("clearance")
        .set("athlete_id", deal.athlete)
        .set("college_id", deal.college)
        .set("payor", deal.payor)
        .set("amount_cents", deal.amount)
        .set("signed_on", deal.signed_on)
        .set("counts", true)
        .set("status", ClearanceStatus::NotRequired)
        .set("created_at", now)
        .set("updated_at", now)
}

/// Adds an executed contract; does nothing if it was already added.
pub async fn add_contract(
    session: &mut Session,
    contract: ContractId,
    deal: &Deal<'_>,
    now: Time,
) -> Result<()> {
    session
        .run(entry(deal, now).set("contract_id", contract).unless_exists(&["contract_id"]))
        .await
        .map(|_| ())
}

/// Adds a disclosed job, or updates it.
pub async fn save_disclosed(
    session: &mut Session,
    job: DisclosedJobId,
    deal: &Deal<'_>,
    now: Time,
) -> Result<()> {
    session
        .run(entry(deal, now).set("disclosed_job_id", job).or_update(
            &["disclosed_job_id"],
            &["payor", "amount_cents", "signed_on", "updated_at"],
        ))
        .await
        .map(|_| ())
}

/// A withdrawn disclosed job no longer counts.
pub async fn discount(session: &mut Session, job: DisclosedJobId, now: Time) -> Result<()> {
    session
        .run(
            update("clearance")
                .set("counts", false)
                .set("updated_at", now)
                .when("disclosed_job_id", job),
        )
        .await
        .map(|_| ())
}

/// Makes a deal reportable until `due_at`, or no longer reportable (`None`).
pub async fn require(
    session: &mut Session,
    id: ClearanceId,
    moved: Moved<ClearanceStatus>,
    due_at: Option<Time>,
    now: Time,
) -> Result<()> {
    session.change(advance("clearance", id, moved, now).set("due_at", due_at)).await
}

/// Moves the deadline of a deal that is due.
pub async fn put_off(
    session: &mut Session,
    id: ClearanceId,
    due_at: Time,
    now: Time,
) -> Result<()> {
    session
        .change(
            update("clearance")
                .set("due_at", due_at)
                .set("updated_at", now)
                .when("id", id)
                .when("status", ClearanceStatus::Due),
        )
        .await
}

/// Stores the clearinghouse's decision.
pub async fn hear(
    session: &mut Session,
    clearance: &Clearance,
    moved: Moved<ClearanceStatus>,
    (reference, note): (Option<&str>, Option<&str>),
    now: Time,
) -> Result<()> {
    let mut row = update("clearance").change(moved).set("note", note).set("updated_at", now);
    if moved.to() == ClearanceStatus::Submitted {
        row = row.set("submitted_at", clearance.submitted_at.unwrap_or(now));
    } else {
        row = row.set("decided_at", now);
    }
    row = row.given("reference", reference);
    session.change(row.when("id", clearance.id)).await
}

fn seen_by(query: &mut SelectStatement, officer: &PortalUser) {
    within(query, officer, false);
}

/// Limits a query to what a portal user may see. What the institution does not have yet are few of
/// its disclosed jobs: the others are not looked up one by one.
fn within(query: &mut SelectStatement, officer: &PortalUser, few_athletes: bool) {
    let college = officer.college_id.get();
    let kept_back = Query::select()
        .column("id")
        .from("disclosed_job")
        .and_where(Expr::col("college_id").eq(college))
        .and_where(Expr::col("first_submitted_at").is_null())
        .take();
    let job = || Expr::col(("clearance", "disclosed_job_id"));
    query
        .and_where(whose(("clearance", "college_id"), few_athletes).eq(college))
        .and_where(job().is_null().or(job().not_in_subquery(kept_back)));
    if !officer.sports.is_empty() {
        with_athletes(query, "clearance");
        query.only_among(("athlete", "sport_id"), officer.sports.iter().copied());
    }
}

/// Identifies a clearance.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    /// By its own id.
    Id(ClearanceId),
    /// By its disclosed job.
    Of(DisclosedJobId),
}

/// The clearance, locked, if the portal user may see it.
pub async fn lock_of_college(
    session: &mut Session,
    which: Which,
    officer: &PortalUser,
) -> Result<Clearance> {
    let mut query = select();
    match which {
        Which::Id(id) => query.and_where(Expr::col(("clearance", "id")).eq(id.get())),
        Which::Of(job) => {
            query.and_where(Expr::col(("clearance", "disclosed_job_id")).eq(job.get()))
        }
    };
    seen_by(&mut query, officer);
    query.lock_with_tables(LockType::Update, ["clearance"]);
    session.one(query).await
}

/// The clearance, if the portal user may see it.
pub async fn find_for_college(
    session: &mut Session,
    id: ClearanceId,
    officer: &PortalUser,
) -> Result<Clearance> {
    let mut query = select();
    query.and_where(Expr::col(("clearance", "id")).eq(id.get()));
    seen_by(&mut query, officer);
    session.one(query).await
}

fn one_of(id: ClearanceId, owner: Owner) -> SelectStatement {
    let mut query = select();
    query.and_where(Expr::col(("clearance", "id")).eq(id.get()));
    owned_by(&mut query, "clearance", owner);
    query
}

/// The clearance, if it has this owner.
pub async fn find_of(session: &mut Session, id: ClearanceId, owner: Owner) -> Result<Clearance> {
    session.one(one_of(id, owner)).await
}

/// The clearance, locked, if it has this owner.
pub async fn lock_of(session: &mut Session, id: ClearanceId, owner: Owner) -> Result<Clearance> {
    let mut query = one_of(id, owner);
    query.lock(LockType::Update);
    session.one(query).await
}

/// A page of an owner's clearances, newest first.
pub async fn page_of(
    session: &mut Session,
    owner: Owner,
    statuses: &[ClearanceStatus],
    place: FollowedPage,
) -> Result<Listing<Clearance>> {
    let mut rows = select();
    owned_by(&mut rows, "clearance", owner);
    rows.only_among(("clearance", "status"), statuses.iter().copied());
    session.follow(sorted(rows, [Key::down(Expr::col(("clearance", "id")))]), place).await
}

/// Who pays, and for whose athlete.
#[derive(Clone, Debug, FromRow)]
pub struct Payer {
    pub name: String,
    /// The brand's account, if it is a contract of the platform.
    pub brand_user_id: Option<UserId>,
    pub institution: String,
    pub institution_short: String,
    /// The time zone of that institution.
    pub time_zone: String,
    pub site_name: String,
    pub site_address: String,
    /// Whether the institution sees it: not if it was never submitted to it.
    pub is_shown: bool,
}

/// The payer of a clearance's deal.
pub async fn payer(session: &mut Session, id: ClearanceId) -> Result<Payer> {
    session
        .one(
            sql("SELECT COALESCE(d.payer_name, p.company_name, x.payor) AS name, \
                 p.user_id AS brand_user_id, s.name AS institution, \
                 s.short_name AS institution_short, s.time_zone, \
                 site.name AS site_name, site.support_email AS site_address, \
                 (x.contract_id IS NOT NULL OR d.first_submitted_at IS NOT NULL) AS is_shown \
                 FROM clearance x JOIN college s ON s.id = x.college_id JOIN site ON site.id = 1 \
                 LEFT JOIN disclosed_job d ON d.id = x.disclosed_job_id \
                 LEFT JOIN contract c ON c.id = x.contract_id \
                 LEFT JOIN partner p ON p.id = c.partner_id WHERE x.id = $1")
            .bind(id),
        )
        .await
}

/// Deals that go to the clearinghouse in this span and have no reminder of this event for their
/// date.
pub async fn due_between(
    session: &mut Session,
    event: Event,
    span: (Time, Time),
    behind: Behind,
) -> Result<Page<ClearanceId>> {
    const DUE: &str = due_unreminded!("clearance x", "x.due_at", "x.id", "x.status = 'due'");
    unreminded(session, DUE, event, span, behind).await
}

/// The current clearance.
pub async fn find(session: &mut Session, id: ClearanceId) -> Result<Clearance> {
    let mut query = select();
    query.and_where(Expr::col(("clearance", "id")).eq(id.get()));
    session.one(query).await
}

/// A page of the clearances that a portal user may see, newest first.
pub async fn page_for(
    session: &mut Session,
    officer: &PortalUser,
    statuses: &[ClearanceStatus],
    athletes: &[AthleteId],
    place: FollowedPage,
) -> Result<Listing<Clearance>> {
    let mut rows = Query::select().from("clearance").take();
    within(&mut rows, officer, !athletes.is_empty());
    rows.only_among(("clearance", "status"), statuses.iter().copied())
        .only_among(("clearance", "athlete_id"), athletes.iter().copied());
    let found = Found::from(rows).beside(read);
    session.follow(found.sorted([Key::down(Expr::col(("clearance", "id")))]), place).await
}

/// The clearances of these disclosed jobs.
pub async fn of_disclosed(
    session: &mut Session,
    jobs: &[DisclosedJobId],
) -> Result<Vec<Clearance>> {
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = select();
    query.and_where(Expr::col("disclosed_job_id").among(jobs.iter().map(|id| id.get())));
    session.all(query).await
}

/// The day on which the athlete's last deal was signed.
pub async fn last_signed(session: &mut Session, athlete: AthleteId) -> Result<Option<Date>> {
    session
        .value(sql("SELECT MAX(signed_on) FROM clearance WHERE athlete_id = $1").bind(athlete))
        .await
}

/// Removes the row of a clearance whose disclosed job is purged; its packet goes first.
pub async fn remove(session: &mut Session, id: ClearanceId) -> Result<()> {
    session.run(sql("DELETE FROM clearance WHERE id = $1").bind(id)).await.map(|_| ())
}

/// A contract of the athlete that is not cleared, with the institution and the day it was signed.
#[derive(Clone, Debug, FromRow)]
pub struct Uncleared {
    pub college_id: CollegeId,
    pub time_zone: String,
    pub signed_on: Date,
}

/// The athlete's contracts that wait for the clearinghouse. A contract that is not cleared counts
/// only while it is open: work done under an ended contract is paid.
pub async fn uncleared(session: &mut Session, athlete: AthleteId) -> Result<Vec<Uncleared>> {
    session
        .all(
            sql("SELECT x.college_id, s.time_zone, x.signed_on FROM clearance x \
                 JOIN contract c ON c.id = x.contract_id JOIN college s ON s.id = x.college_id \
                 WHERE x.athlete_id = $1 AND (x.status IN ('due', 'submitted', 'flagged', \
                 'arbitration') OR (x.status = 'not_cleared' AND c.status = 'active'))")
            .bind(athlete),
        )
        .await
}
