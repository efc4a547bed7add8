//! The rows of requests for public records and of files handed out, and the groups of athletes in a
//! file.

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};

use super::filter::{listed, own};
use crate::error::Result;
use crate::figures::filter::Wanted;
use crate::figures::records_request::{RecordsDisclosure, RecordsRequest};
use crate::figures::transaction::TransactionSource;
use crate::kernel::{
    AthleteId, CollegeId, ContractId, Date, FollowedPage, Listing, PortalUserId,
    RecordsDisclosureId, RecordsRequestId, Time,
};
use crate::storage::{
    Among as _, FromRow, Key, Narrow as _, Selected as _, Session, Stored, insert, sorted, update,
};

/// The most files shown with a page of requests.
const SHOWN: u64 = 1_000;

/// A request to add.
#[derive(Clone, Debug, Stored)]
pub struct NewRequest<'a> {
    #[row(rename = "college_id")]
    pub college: CollegeId,
    #[row(rename = "noted_by")]
    pub by: PortalUserId,
    pub requester: &'a str,
    pub legal_basis: &'a str,
    pub received_on: Date,
    #[row(rename = "from_on")]
    pub from: Option<Date>,
    #[row(rename = "to_on")]
    pub to: Option<Date>,
}

/// Adds a request.
pub async fn add(session: &mut Session, new: &NewRequest<'_>, now: Time) -> Result<RecordsRequest> {
    session
        .one(
            insert("public_records_request")
                .with(new.columns())
                .set("created_at", now)
                .returning(RecordsRequest::COLUMNS),
        )
        .await
}

fn of_college(college: CollegeId) -> SelectStatement {
    Query::select()
        .columns(RecordsRequest::COLUMNS.iter().copied())
        .from("public_records_request")
        .and_where(Expr::col("college_id").eq(college.get()))
        .take()
}

/// A request to this institution. 404 for any other.
pub async fn find(
    session: &mut Session,
    college: CollegeId,
    id: RecordsRequestId,
) -> Result<RecordsRequest> {
    let mut query = of_college(college);
    query.and_where(Expr::col("id").eq(id.get()));
    session.one(query).await
}

/// A page of the requests to this institution, newest first, without the files.
pub async fn page(
    session: &mut Session,
    college: CollegeId,
    place: FollowedPage,
) -> Result<Listing<RecordsRequest>> {
    session.follow(sorted(of_college(college), [Key::down(Expr::col("id"))]), place).await
}

/// The files handed out for these requests, newest first.
pub async fn disclosures(
    session: &mut Session,
    requests: &[RecordsRequestId],
) -> Result<Vec<RecordsDisclosure>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    session
        .all(
            Query::select()
                .columns([
                    "id",
                    "request_id",
                    "file_name",
                    "smallest_group",
                    "handed_out_by",
                    "created_at",
                    "completed_at",
                    "contracts",
                    "transactions",
                    "bytes",
                    "sha256",
                ])
                .from("public_records_disclosure")
                .and_where(Expr::col("request_id").among(requests.iter().map(|id| id.get())))
                .order_by("id", Order::Desc)
                .limit(SHOWN)
                .take(),
        )
        .await
}

/// Records that a file is being handed out.
pub async fn begin(
    session: &mut Session,
    request: RecordsRequestId,
    by: PortalUserId,
    (name, least): (&str, i64),
    now: Time,
) -> Result<RecordsDisclosureId> {
    let (id,): (RecordsDisclosureId,) = session
        .one(
            insert("public_records_disclosure")
                .set("request_id", request)
                .set("file_name", name)
                .set("smallest_group", least)
                .set("handed_out_by", by)
                .set("created_at", now)
                .returning(&["id"]),
        )
        .await?;
    Ok(id)
}

/// What was handed out.
#[derive(Clone, Copy, Debug)]
pub struct Completed<'a> {
    pub contracts: i64,
    pub transactions: i64,
    pub bytes: i64,
    pub sha256: &'a str,
}

/// Records that a whole file has been made.
pub async fn complete(
    session: &mut Session,
    id: RecordsDisclosureId,
    file: &Completed<'_>,
    now: Time,
) -> Result<()> {
    session
        .change(
            update("public_records_disclosure")
                .set("completed_at", now)
                .set("contracts", file.contracts)
                .set("transactions", file.transactions)
                .set("bytes", file.bytes)
                .set("sha256", file.sha256)
                .when("id", id),
        )
        .await
}

/// An athlete, and a sport and a category that a file shows of them.
#[derive(Clone, Debug, FromRow)]
pub struct Member {
    pub athlete_id: AthleteId,
    pub sport: Option<String>,
    pub category: String,
}

/// Adds who is in which group to a query over rows with an athlete, with the names of their sport
/// and category.
fn grouped(mut query: SelectStatement, athlete: Expr, sport: &'static str) -> SelectStatement {
    query
        .distinct()
        .expr_as(athlete, "athlete_id")
        .expr_as(Expr::cust("s.name"), "sport")
        .expr_as(Expr::cust("k.name"), "category")
        .join_as(JoinType::LeftJoin, "sport", "s", Expr::cust(sport));
    query
}

/// Who is in which group of the transactions and of the contracts.
pub async fn members(session: &mut Session, wanted: &Wanted) -> Result<Vec<Member>> {
    let mut query = listed(wanted);
    let category = Expr::cust("k.id = t.category_id");
    query.join_as(JoinType::InnerJoin, "job_category", "k", category);
    let query = grouped(query, own("athlete_id"), "s.id = t.sport_id");
    let mut all: Vec<Member> = session.all(query).await?;
    let mut query = contracts(wanted);
    for (table, alias, on) in [
        ("athlete", "a", "a.id = x.athlete_id"),
        ("job", "j", "j.id = x.job_id"),
        ("job_category", "k", "k.id = j.category_id"),
    ] {
        query.join_as(JoinType::InnerJoin, table, alias, Expr::cust(on));
    }
    let query = grouped(query, Expr::col(("x", "athlete_id")), "s.id = a.sport_id");
    let of_contracts: Vec<Member> = session.all(query).await?;
    all.extend(of_contracts);
    Ok(all)
}

fn contracts(wanted: &Wanted) -> SelectStatement {
    Query::select()
        .from_as("contract", "x")
        .and_where(Expr::col(("x", "college_id")).eq(wanted.college.get()))
        .only_from(("x", "generated_at"), wanted.since())
        .only_before(("x", "generated_at"), wanted.until())
        .take()
}

/// The ids of the contracts that are asked about.
pub async fn contract_ids(session: &mut Session, wanted: &Wanted) -> Result<Vec<ContractId>> {
    let mut query = contracts(wanted);
    query.expr_as(Expr::col(("x", "id")), "id");
    let rows: Vec<(ContractId,)> = session.all(query).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The records of the transactions that are asked about.
pub async fn transaction_ids(
    session: &mut Session,
    wanted: &Wanted,
) -> Result<Vec<(TransactionSource, i64)>> {
    let mut query = listed(wanted);
    query.expr_as(own("source"), "source").expr_as(own("record_id"), "record_id");
    session.all(query).await
}
