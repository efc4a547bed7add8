//! The rows of contracts with their assents and amendments.

use std::collections::BTreeSet;

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};
use serde_json::Value;

use crate::contracts::contract::{Contract, ContractStatus};
use crate::contracts::document::Side;
use crate::error::Result;
use crate::kernel::{
    AgentId, ApplicationId, AthleteId, BasisPoints, Cents, CollegeId, ContractId, DeliverableId,
    JobId, Moved, PartnerId, Time,
};
use crate::operation::Work;
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{
    Among as _, FromRow, Selected as _, Series, Session, Stored, Update, insert, sql, update,
};

fn select() -> SelectStatement {
    Query::select()
        .columns(Contract::COLUMNS.iter().map(|column| ("contract", *column)))
        .from("contract")
        .take()
}

/// A contract to add.
#[derive(Debug, Stored)]
pub struct NewContract {
    pub number: String,
    pub application_id: ApplicationId,
    pub job_id: JobId,
    pub athlete_id: AthleteId,
    pub partner_id: PartnerId,
    pub college_id: Option<CollegeId>,
    #[row(rename = "agreed_amount_cents")]
    pub agreed: Cents,
    #[row(rename = "fee_basis_points")]
    pub fee: BasisPoints,
    pub agent_id: Option<AgentId>,
    #[row(rename = "commission_basis_points")]
    pub commission: Option<BasisPoints>,
    pub terms: Value,
    pub document_sha256: String,
    pub expires_at: Time,
    #[row(skip)]
    pub now: Time,
}

/// Adds a contract in the state `generated`.
pub async fn add(session: &mut Session, new: NewContract) -> Result<Contract> {
    session
        .one(
            insert("contract")
                .with(new.columns())
                .set("status", ContractStatus::Generated)
                .set("generated_at", new.now)
                .set("created_at", new.now)
                .set("updated_at", new.now)
                .returning(Contract::COLUMNS),
        )
        .await
}

/// The numbers of contracts.
pub const NUMBERS: Series = Series { name: "contract", prefix: "NIL" };

/// An assent to record.
#[derive(Clone, Debug)]
pub struct NewAssent {
    pub contract: ContractId,
    /// 0 is the contract itself.
    pub amendment: i64,
    pub side: Side,
    pub name: String,
    pub document_sha256: String,
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Brand => "brand",
        Side::Athlete => "athlete",
        Side::Guardian => "guardian",
    }
}

/// Records an assent at the instant and from the address of the call.
pub async fn add_assent(work: &mut Work, new: &NewAssent) -> Result<()> {
    let (now, address) = (work.now(), work.facts().address);
    let row = insert("contract_assent")
        .set("contract_id", new.contract)
        .set("amendment", new.amendment)
        .set("side", side_word(new.side))
        .set("name", new.name.clone())
        .set("at", now)
        .set("address", address.map(|address| address.to_string()))
        .set("document_sha256", new.document_sha256.clone());
    work.add_later(row).await.map(|_| ())
}

/// A recorded assent.
#[derive(Clone, Debug, FromRow)]
pub struct AssentRow {
    pub side: String,
    pub name: String,
    pub at: Time,
    pub address: Option<String>,
}

/// The assents to the contract itself, in order of time.
pub async fn assents(session: &mut Session, contract: ContractId) -> Result<Vec<AssentRow>> {
    session
        .all(
            sql("SELECT side, name, at, address FROM contract_assent \
                 WHERE contract_id = $1 AND amendment = 0 ORDER BY at, side")
            .bind(contract),
        )
        .await
}

/// The current contract.
pub async fn find(session: &mut Session, id: ContractId) -> Result<Contract> {
    let mut query = select();
    query.and_where(Expr::col("id").eq(id.get()));
    session.one(query).await
}

/// The contract, locked.
pub async fn lock(session: &mut Session, id: ContractId) -> Result<Option<Contract>> {
    let mut query = select();
    query.and_where(Expr::col("id").eq(id.get())).lock(LockType::NoKeyUpdate);
    session.first(query).await
}

/// The contract, kept from changing.
pub async fn lock_shared(session: &mut Session, id: ContractId) -> Result<Contract> {
    let mut query = select();
    query.and_where(Expr::col("id").eq(id.get())).lock(LockType::Share);
    session.one(query).await
}

/// These contracts, locked, in the order of their ids.
pub async fn lock_all(session: &mut Session, ids: &[ContractId]) -> Result<Vec<Contract>> {
    let mut query = select();
    query
        .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
        .order_by("id", Order::Asc)
        .lock(LockType::NoKeyUpdate);
    session.all(query).await
}

/// The athlete's contracts with this agent that were written at this time or later, locked in the
/// order of their ids.
pub async fn lock_of_agent(
    session: &mut Session,
    agent: AgentId,
    athlete: AthleteId,
    since: Time,
) -> Result<Vec<ContractId>> {
    let rows: Vec<(ContractId,)> = session
        .all(
            sql("SELECT id FROM contract WHERE athlete_id = $1 AND agent_id = $2 \
                 AND generated_at >= $3 ORDER BY id")
            .locking("FOR NO KEY UPDATE")
            .bind(athlete)
            .bind(agent)
            .bind(since),
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Writes that the agent gets no commission on a contract.
pub async fn waive_commission(session: &mut Session, id: ContractId, now: Time) -> Result<()> {
    let row = update("contract").set("commission_waived_at", now).set("updated_at", now);
    session.change(row.when("id", id)).await
}

/// The contract under way between this athlete and the job's brand, locked.
pub async fn lock_live(
    session: &mut Session,
    job: JobId,
    athlete: AthleteId,
) -> Result<Option<Contract>> {
    let mut query = select();
    query
        .and_where(Expr::col("job_id").eq(job.get()))
        .and_where(Expr::col("athlete_id").eq(athlete.get()))
        .and_where(Expr::col("status").is_in(["generated", "active"]))
        .lock(LockType::NoKeyUpdate);
    session.first(query).await
}

/// The newest contract between this athlete and the job's brand that was not cancelled, locked.
pub async fn lock_newest(
    session: &mut Session,
    job: JobId,
    athlete: AthleteId,
) -> Result<Option<Contract>> {
    let mut query = select();
    query
        .and_where(Expr::col("job_id").eq(job.get()))
        .and_where(Expr::col("athlete_id").eq(athlete.get()))
        .and_where(Expr::col("status").is_in(["generated", "active", "completed"]))
        .order_by("id", Order::Desc)
        .limit(1)
        .lock(LockType::NoKeyUpdate);
    session.first(query).await
}

/// The contract of a deliverable, locked.
pub async fn lock_of_deliverable(
    session: &mut Session,
    deliverable: DeliverableId,
) -> Result<Contract> {
    let of = Query::select()
        .column("contract_id")
        .from("deliverable")
        .and_where(Expr::col("id").eq(deliverable.get()))
        .take();
    let mut query = select();
    query.and_where(Expr::col("id").in_subquery(of)).lock(LockType::NoKeyUpdate);
    session.one(query).await
}

/// Changes a contract's state and sets the column with the date of the new state.
pub async fn change(
    session: &mut Session,
    id: ContractId,
    moved: Moved<ContractStatus>,
    now: Time,
) -> Result<Contract> {
    let row = moving(moved, now).when("id", id);
    session.changed(row.returning(Contract::COLUMNS)).await
}

/// Changes the state of locked contracts together.
pub async fn change_all(
    session: &mut Session,
    ids: &[ContractId],
    moved: Moved<ContractStatus>,
    now: Time,
) -> Result<()> {
    let these = Expr::col("id").among(ids.iter().map(|id| id.get()));
    let rows = moving(moved, now).and(these);
    session.change_all(ids.len(), rows).await
}

fn moving(moved: Moved<ContractStatus>, now: Time) -> Update {
    let row = update("contract").set("updated_at", now).change(moved);
    match moved.to() {
        ContractStatus::Active => row.set("executed_at", now),
        ContractStatus::Cancelled => row.set("cancelled_at", now),
        ContractStatus::Completed => row.set("completed_at", now),
        ContractStatus::Generated | ContractStatus::Expired => row,
    }
}

const NOTHING_OPEN: &str = "NOT EXISTS (SELECT 1 FROM deliverable d \
    WHERE d.contract_id = contract.id AND d.status NOT IN ('approved', 'void'))";

const ALL_PAID: &str = "(SELECT COALESCE(SUM(d.amount_cents), 0) FROM deliverable d \
    WHERE d.contract_id = contract.id AND d.status = 'approved') \
    <= (SELECT COALESCE(SUM(s.amount_cents), 0) FROM payment_share s \
    JOIN payment p ON p.id = s.payment_id WHERE p.contract_id = contract.id \
    AND p.status IN ('succeeded', 'partially_refunded', 'refunded'))";

/// Which of these contracts have only approved or void deliverables and are fully paid, refunded or
/// not: a refund does not reopen a contract.
pub async fn settled(session: &mut Session, ids: &[ContractId]) -> Result<BTreeSet<ContractId>> {
    let query = Query::select()
        .column("id")
        .from("contract")
        .and_where(Expr::col("id").among(ids.iter().map(|id| id.get())))
        .and_where(Expr::cust(NOTHING_OPEN))
        .and_where(Expr::cust(ALL_PAID))
        .take();
    let rows: Vec<(ContractId,)> = session.all(query).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Contracts that were not confirmed in time.
pub async fn overdue(session: &mut Session, now: Time, behind: Behind) -> Result<Page<ContractId>> {
    const DUE: &str =
        due_ids!("contract", "expires_at", "status = 'generated' AND expires_at < $1");
    due::ids(session, DUE, now, behind).await
}

/// The reader of a job's contracts.
#[derive(Clone, Debug)]
pub enum Reader {
    /// The athlete's own contracts.
    Athlete(AthleteId),
    /// The brand's contracts with all athletes.
    Partner(PartnerId),
    /// Contracts of the athletes an agent currently represents.
    Agent(AgentId),
    /// Contracts of an institution's athletes, limited to certain sports if any are given.
    College(CollegeId, Vec<i64>),
}

/// The newest contract of each athlete for the job that this reader may see.
pub async fn readable(
    session: &mut Session,
    job: JobId,
    athlete: Option<AthleteId>,
    reader: &Reader,
) -> Result<Vec<Contract>> {
    let mut query = select();
    let own = |column| Expr::col(("contract", column));
    query.and_where(own("job_id").eq(job.get()));
    if let Some(athlete) = athlete {
        query.and_where(own("athlete_id").eq(athlete.get()));
    }
    match reader {
        Reader::Athlete(id) => query.and_where(own("athlete_id").eq(id.get())),
        Reader::Partner(id) => query.and_where(own("partner_id").eq(id.get())),
        Reader::Agent(id) => {
            let represented = Query::select()
                .column("athlete_id")
                .from("representation")
                .and_where(Expr::col("agent_id").eq(id.get()))
                .and_where(Expr::col("status").eq("active"))
                .take();
            query.and_where(own("athlete_id").in_subquery(represented))
        }
        Reader::College(id, sports) => {
            if !sports.is_empty() {
                let playing = Query::select()
                    .column("id")
                    .from("athlete")
                    .and_where(Expr::col("sport_id").among(sports.iter().copied()))
                    .take();
                query.and_where(own("athlete_id").in_subquery(playing));
            }
            query.and_where(own("college_id").eq(id.get()))
        }
    };
    query.order_by(("contract", "id"), sea_query::Order::Desc);
    let all: Vec<Contract> = session.all(query).await?;
    let mut newest: Vec<Contract> = Vec::new();
    for contract in all {
        if !newest.iter().any(|other| other.athlete_id == contract.athlete_id) {
            newest.push(contract);
        }
    }
    Ok(newest)
}

/// The contracts of these applications.
pub async fn of_applications(
    session: &mut Session,
    applications: &[ApplicationId],
) -> Result<Vec<Contract>> {
    if applications.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = select();
    let ids = applications.iter().map(|id| id.get());
    query.and_where(Expr::col("application_id").among(ids));
    session.all(query).await
}
