//! The rows of deliverables.

use chrono_tz::Tz;
use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};
use serde_json::json;

use super::watch;
use crate::content::Viewer;
use crate::contracts::Contract;
use crate::deals::deliverable::{Deliverable, DeliverableStatus};
use crate::deals::disclosure::DisclosureCheck;
use crate::error::{Result, codes};
use crate::jobs::Milestone;
use crate::jobs::store::listing::{Side, scope};
use crate::kernel::{
    AthleteId, Cents, ContractId, Date, DeliverableId, FileId, FollowedPage, JobId, Listing, Moved,
    Time, end_of_day,
};
use crate::storage::{Among as _, Key, Narrow as _, Session, advance, insert, sorted, update};

pub(super) const PAID: &str = "CAST(COALESCE((SELECT SUM(s.amount_cents) FROM payment_share s \
    JOIN payment p ON p.id = s.payment_id WHERE s.deliverable_id = deliverable.id \
    AND p.status IN ('succeeded', 'partially_refunded', 'refunded')), 0) AS BIGINT)";

/// Deliverables with the fields of their milestones; `contract` is joined for scoping.
fn select() -> SelectStatement {
    let own = [
        "id",
        "contract_id",
        "milestone_id",
        "athlete_id",
        "due_on",
        "due_at",
        "status",
        "amount_cents",
        "post_urls",
        "caption",
        "file_ids",
        "disclosure_check",
        "submitted_at",
        "reviewed_at",
        "review_note",
        "revision",
        "created_at",
        "updated_at",
    ];
    let asked = [
        "job_id",
        "title",
        "activity",
        "platform",
        "media_kind",
        "quantity",
        "instructions",
        "hashtags",
        "disclosure_required",
    ];
    from()
        .columns(own.map(|column| ("deliverable", column)))
        .columns(asked.map(|column| ("milestone", column)))
        .expr_as(Expr::cust(PAID), "paid_cents")
        .take()
}

fn from() -> SelectStatement {
    let on = |table, key, other| Expr::col((table, "id")).equals((other, key));
    Query::select()
        .from("deliverable")
        .join(JoinType::InnerJoin, "milestone", on("milestone", "milestone_id", "deliverable"))
        .join(JoinType::InnerJoin, "contract", on("contract", "contract_id", "deliverable"))
        .take()
}

/// The deliverable, regardless of its owner.
pub async fn find(session: &mut Session, id: DeliverableId) -> Result<Deliverable> {
    let mut query = select();
    query.and_where(Expr::col(("deliverable", "id")).eq(id.get()));
    session.one(query).await
}

/// The deliverable, if this viewer may see it.
fn shown_to(viewer: &Viewer, id: DeliverableId) -> Option<SelectStatement> {
    let own = |column| Expr::col(("contract", column));
    let shown = match viewer {
        Viewer::Athlete(id) => scope(&Side::Athlete(*id), "contract"),
        Viewer::Partner(id) => scope(&Side::Partner(*id), "contract"),
        Viewer::Agent(id) => scope(&Side::Agent(*id), "contract"),
        Viewer::Fan(_) => return None,
        Viewer::College(id, sports) if sports.is_empty() => own("college_id").eq(id.get()),
        Viewer::College(id, sports) => {
            let playing = Query::select()
                .column("id")
                .from("athlete")
                .and_where(Expr::col("sport_id").among(sports.iter().map(|sport| sport.get())))
                .take();
            own("college_id").eq(id.get()).and(own("athlete_id").in_subquery(playing))
        }
    };
    let mut query = from();
    query
        .column(("deliverable", "athlete_id"))
        .and_where(Expr::col(("deliverable", "id")).eq(id.get()))
        .and_where(shown);
    Some(query)
}

/// Whether this viewer may see the deliverable.
pub async fn is_shown_to(
    session: &mut Session,
    viewer: &Viewer,
    id: DeliverableId,
) -> Result<bool> {
    match shown_to(viewer, id) {
        Some(query) => session.exists(query).await,
        None => Ok(false),
    }
}

/// Whose deliverable it is; 404 if this viewer may not see it.
pub async fn athlete_of(
    session: &mut Session,
    viewer: &Viewer,
    id: DeliverableId,
) -> Result<AthleteId> {
    let query = shown_to(viewer, id).ok_or(codes::NOT_FOUND)?;
    session.value(query).await
}

/// The deliverables of these contracts, by due date.
pub async fn of_contracts(
    session: &mut Session,
    contracts: &[ContractId],
    now: Time,
) -> Result<Vec<Deliverable>> {
    if contracts.is_empty() {
        return Ok(Vec::new());
    }
    let ids = contracts.iter().map(|id| id.get());
    let mut query = select();
    query
        .and_where(Expr::col(("deliverable", "contract_id")).among(ids))
        .order_by(("deliverable", "due_on"), Order::Asc)
        .order_by(("deliverable", "id"), Order::Asc);
    let found: Vec<Deliverable> = session.all(query).await?;
    let ids: Vec<DeliverableId> = found.iter().map(|one| one.id).collect();
    let posts = watch::of_deliverables(session, &ids).await?;
    let shown = found.into_iter().map(|one| {
        let mut one = one.seen_at(now);
        one.posts = posts.iter().filter(|post| post.deliverable_id == one.id).cloned().collect();
        one
    });
    Ok(shown.collect())
}

/// The deliverables to list.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub side: Side,
    pub job: Option<JobId>,
    pub athlete: Option<AthleteId>,
    pub overdue_only: bool,
}

/// A page of unapproved work in contracts under way, most urgent first.
pub async fn outstanding(
    session: &mut Session,
    wanted: &Wanted,
    place: FollowedPage,
    now: Time,
) -> Result<Listing<Deliverable>> {
    let open: &[&str] = if wanted.overdue_only {
        &["pending", "denied"]
    } else {
        &["pending", "submitted", "denied"]
    };
    let late = wanted.overdue_only.then_some(now);
    let mut rows = select();
    rows.only_among(("deliverable", "status"), open.iter().copied())
        .and_where(Expr::col(("contract", "status")).is_in(["generated", "active"]))
        .and_where(scope(&wanted.side, "contract"))
        .only(("contract", "job_id"), wanted.job)
        .only(("deliverable", "athlete_id"), wanted.athlete)
        .only_before(("deliverable", "due_at"), late);
    let keys = ["due_at", "id"].map(|column| Key::up(Expr::col(("deliverable", column))));
    let page: Listing<Deliverable> = session.follow(sorted(rows, keys), place).await?;
    Ok(page.map(|one| one.seen_at(now)))
}

/// One deliverable for each milestone.
pub async fn add_all(
    session: &mut Session,
    contract: &Contract,
    milestones: &[Milestone],
    shares: &[Cents],
    zone: Tz,
    now: Time,
) -> Result<()> {
    let mut rows = insert("deliverable");
    for (milestone, share) in milestones.iter().zip(shares) {
        rows = rows
            .set("contract_id", contract.id)
            .set("milestone_id", milestone.id)
            .set("athlete_id", contract.athlete_id)
            .set("due_on", milestone.due_on)
            .set("due_at", end_of_day(milestone.due_on, zone))
            .set("status", DeliverableStatus::Pending)
            .set("amount_cents", *share)
            .set("post_urls", json!([]))
            .set("file_ids", json!([]))
            .set("revision", 0_i64)
            .set("created_at", now)
            .set("updated_at", now)
            .row();
    }
    session.add_later(rows).await.map(|_| ())
}

/// An athlete's submission.
#[derive(Clone, Debug)]
pub struct Submission {
    pub post_urls: Vec<String>,
    pub file_ids: Vec<FileId>,
    pub caption: Option<String>,
    pub check: DisclosureCheck,
}

/// Submits; an earlier submission is replaced.
pub async fn submit(
    session: &mut Session,
    before: &Deliverable,
    moved: Moved<DeliverableStatus>,
    submission: &Submission,
    now: Time,
) -> Result<()> {
    let again = i64::from(before.status == DeliverableStatus::Denied);
    let row = advance("deliverable", before.id, moved, now)
        .set("post_urls", json!(submission.post_urls))
        .set("file_ids", json!(submission.file_ids))
        .set("caption", submission.caption.clone())
        .set("disclosure_check", json!(submission.check))
        .set("submitted_at", now)
        .add("revision", again);
    session.change(row).await
}

/// Stores the brand's decision.
pub async fn review(
    session: &mut Session,
    id: DeliverableId,
    moved: Moved<DeliverableStatus>,
    note: Option<String>,
    now: Time,
) -> Result<()> {
    let row =
        advance("deliverable", id, moved, now).set("reviewed_at", now).set("review_note", note);
    session.change(row).await
}

/// Moves the due date of unfinished work.
pub async fn set_due(
    session: &mut Session,
    before: &Deliverable,
    on: Date,
    at: Time,
    now: Time,
) -> Result<()> {
    let row = update("deliverable")
        .set("due_on", on)
        .set("due_at", at)
        .set("updated_at", now)
        .when("id", before.id)
        .when("status", before.status);
    session.change(row).await
}

/// Changes every deliverable of the contract that is in the change's first state.
pub async fn change_all(
    session: &mut Session,
    contract: ContractId,
    moved: Moved<DeliverableStatus>,
    now: Time,
) -> Result<()> {
    let row =
        update("deliverable").set("updated_at", now).change(moved).when("contract_id", contract);
    session.run(row).await.map(|_| ())
}

/// The current deliverable, which must exist.
pub async fn again(session: &mut Session, id: DeliverableId, now: Time) -> Result<Deliverable> {
    Ok(find(session, id).await?.seen_at(now))
}
