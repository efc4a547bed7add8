//! The rows of what brands were asked to attest.

use chrono_tz::Tz;
use sea_query::{Expr, ExprTrait as _, JoinType, LockType, Query, SelectStatement};

use super::clearance as clearances;
use crate::disclosures::association::GivenAnswer;
use crate::disclosures::attestation::{AttestationRequest, Standing};
use crate::disclosures::clearance::Clearance;
use crate::error::{Error, Result};
use crate::kernel::{ClearanceId, FollowedPage, Listing, PartnerId, Time, UserId, zone_or_last};
use crate::notifications::{Event, due_unreminded, unreminded};
use crate::schedule::due::{Behind, Page};
use crate::storage::{FromRow, Key, Session, insert, sorted, sql, update};

/// Asks a brand, unless it was asked before; returns whether it was not.
pub async fn ask(
    session: &mut Session,
    (id, partner): (ClearanceId, PartnerId),
    now: Time,
    due_at: Time,
) -> Result<bool> {
    let row = insert("payor_attestation")
        .set("clearance_id", id)
        .set("partner_id", partner)
        .set("asked_at", now)
        .set("due_at", due_at)
        .unless_exists(&["clearance_id"]);
    Ok(session.run(row).await? > 0)
}

/// What the brand of a deal was asked, if it was.
pub async fn asked(session: &mut Session, id: ClearanceId) -> Result<Option<Standing>> {
    session
        .first(
            sql("SELECT a.partner_id, a.asked_at, a.due_at, a.attested_at, a.answers, \
                 o.presume_associated AS presumes \
                 FROM payor_attestation a JOIN site o ON o.id = 1 WHERE a.clearance_id = $1")
            .bind(id),
        )
        .await
}

/// Stores what a brand attests. The clearance is locked.
pub async fn attest(
    session: &mut Session,
    id: ClearanceId,
    answers: &[GivenAnswer],
    first_at: Time,
) -> Result<()> {
    let answers = serde_json::to_value(answers).map_err(Error::internal)?;
    let row = update("payor_attestation").set("answers", answers).set("attested_at", first_at);
    session.change(row.when("clearance_id", id)).await
}

/// The clearance about which a brand is asked, locked.
pub async fn lock_clearance(
    session: &mut Session,
    id: ClearanceId,
    partner: PartnerId,
) -> Result<Clearance> {
    let asked = Query::select()
        .column("clearance_id")
        .from("payor_attestation")
        .and_where(Expr::col("partner_id").eq(partner.get()))
        .take();
    let mut query = clearances::select();
    query
        .and_where(Expr::col(("clearance", "id")).eq(id.get()))
        .and_where(Expr::col(("clearance", "id")).in_subquery(asked))
        .lock(LockType::Update);
    session.one(query).await
}

fn select() -> SelectStatement {
    let named = |table: &'static str, column: &'static str| Expr::col((table, column));
    let mut query = Query::select();
    query
        .expr_as(named("payor_attestation", "clearance_id"), "id")
        .columns(
            ["asked_at", "due_at", "attested_at", "answers"]
                .map(|column| ("payor_attestation", column)),
        )
        .columns([("clearance", "contract_id"), ("clearance", "signed_on"), ("job", "title")])
        .expr_as(named("athlete", "display_name"), "athlete_name")
        .expr_as(named("college", "name"), "institution")
        .from("payor_attestation");
    for (table, (other, column)) in [
        ("clearance", ("payor_attestation", "clearance_id")),
        ("contract", ("clearance", "contract_id")),
        ("job", ("contract", "job_id")),
        ("athlete", ("clearance", "athlete_id")),
        ("college", ("clearance", "college_id")),
    ] {
        query.join(JoinType::InnerJoin, table, named(table, "id").equals((other, column)));
    }
    query
}

/// The request about a deal.
pub async fn find(session: &mut Session, id: ClearanceId) -> Result<AttestationRequest> {
    let mut query = select();
    query.and_where(Expr::col(("payor_attestation", "clearance_id")).eq(id.get()));
    session.one(query).await
}

/// A page of the requests to a brand, newest first.
pub async fn page_of(
    session: &mut Session,
    partner: PartnerId,
    open: Option<bool>,
    place: FollowedPage,
) -> Result<Listing<AttestationRequest>> {
    let mut rows = select();
    rows.and_where(Expr::col(("payor_attestation", "partner_id")).eq(partner.get()));
    let attested = Expr::col(("payor_attestation", "attested_at"));
    match open {
        Some(true) => rows.and_where(attested.is_null()),
        Some(false) => rows.and_where(attested.is_not_null()),
        None => &mut rows,
    };
    let keys = [Key::down(Expr::col(("payor_attestation", "clearance_id")))];
    session.follow(sorted(rows, keys), place).await
}

/// Requests whose deadline is in this span, to which the brand has not attested, that have no
/// reminder, and whose deal is due.
pub async fn due_between(
    session: &mut Session,
    span: (Time, Time),
    behind: Behind,
) -> Result<Page<ClearanceId>> {
    const DUE: &str = due_unreminded!(
        "payor_attestation a JOIN clearance x ON x.id = a.clearance_id",
        "a.due_at",
        "a.clearance_id",
        "a.attested_at IS NULL AND x.status = 'due'"
    );
    unreminded(session, DUE, Event::AssociationDueSoon, span, behind).await
}

/// A request to which the brand has not attested, as its reminder names it.
#[derive(Clone, Debug, FromRow)]
pub struct Unanswered {
    pub brand_user_id: UserId,
    pub brand: String,
    pub athlete: String,
    pub institution: String,
    time_zone: String,
    pub title: String,
    pub due_at: Time,
}

impl Unanswered {
    /// The time zone of the deal's institution.
    pub fn zone(&self) -> Tz {
        zone_or_last(Some(&self.time_zone))
    }
}

/// The request about a deal, if the brand has not attested and the deal is due. The clearance is
/// locked.
pub async fn unanswered(session: &mut Session, id: ClearanceId) -> Result<Option<Unanswered>> {
    session
        .first(
            sql("SELECT p.user_id AS brand_user_id, p.company_name AS brand, \
                 t.display_name AS athlete, s.name AS institution, s.time_zone, j.title, a.due_at \
                 FROM payor_attestation a JOIN clearance x ON x.id = a.clearance_id \
                 JOIN partner p ON p.id = a.partner_id JOIN athlete t ON t.id = x.athlete_id \
                 JOIN college s ON s.id = x.college_id JOIN contract c ON c.id = x.contract_id \
                 JOIN job j ON j.id = c.job_id \
                 WHERE a.clearance_id = $1 AND a.attested_at IS NULL AND x.status = 'due'")
            .bind(id),
        )
        .await
}
