//! Transactions, contracts and disclosed jobs for exports.

use sea_query::{Cond, Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};

use super::filter::{late, listed, own, persons};
use super::transaction::{KEYS, NAMES, OWN, joined as named};
use crate::accounts::Gender;
use crate::contracts::ContractStatus;
use crate::disclosures::{ClearanceStatus, DisclosedJobStatus, PayerKind};
use crate::error::Result;
use crate::figures::filter::Wanted;
use crate::figures::transaction::{Marks, TransactionSource, TransactionStatus};
use crate::jobs::Compensation;
use crate::kernel::{AthleteId, Cents, ContractId, Date, DisclosedJobId, JobId, Time};
use crate::storage::{Among as _, FromRow, Narrow as _, Session, contains};

/// A row of the transactions table: only what the table shows, because there are many, and in the
/// order of the columns.
#[derive(Clone, Debug, FromRow)]
pub struct TransactionLine {
    /// The payment or the disclosed job.
    pub record_id: i64,
    pub source: TransactionSource,
    pub athlete_id: AthleteId,
    pub gender: Option<Gender>,
    pub payment_type: Compensation,
    pub gross_cents: Cents,
    pub fee_cents: Cents,
    pub net_cents: Cents,
    pub refunded_cents: Cents,
    pub status: TransactionStatus,
    pub occurred_at: Time,
    /// Whether totals include it.
    pub counted: bool,
    pub contract_id: Option<ContractId>,
    #[row(flatten)]
    pub marks: Marks,
    pub number: String,
    pub athlete: String,
    pub sport: Option<String>,
    pub payer: String,
    pub category: String,
    pub currency: String,
}

/// The next transactions, newest first; empty after the last one.
pub async fn transactions(
    session: &mut Session,
    wanted: &Wanted,
    last: Option<&TransactionLine>,
    most: u64,
) -> Result<Vec<TransactionLine>> {
    let last =
        last.map(|last| [last.occurred_at.into(), last.source.into(), last.record_id.into()]);
    let mut query = transaction_lines(wanted);
    query.behind(KEYS, Order::Desc, last).limit(most);
    session.all(query).await
}

/// The transactions of these records, in any order; one that is no longer asked about is left out.
pub async fn transactions_of(
    session: &mut Session,
    wanted: &Wanted,
    records: &[(TransactionSource, i64)],
) -> Result<Vec<TransactionLine>> {
    let mut all = Vec::new();
    for source in [TransactionSource::Platform, TransactionSource::Disclosed] {
        let ids: Vec<i64> =
            records.iter().filter(|record| record.0 == source).map(|record| record.1).collect();
        if ids.is_empty() {
            continue;
        }
        let mut query = transaction_lines(wanted);
        query.and_where(own("source").eq(source.as_str())).and_where(own("record_id").among(ids));
        let lines: Vec<TransactionLine> = session.all(query).await?;
        all.extend(lines);
    }
    Ok(all)
}

fn transaction_lines(wanted: &Wanted) -> SelectStatement {
    let mut query = named(listed(wanted));
    for column in ["record_id"].into_iter().chain(OWN) {
        query.expr_as(own(column), column);
    }
    query.expr_as(own("counted"), "counted");
    query.expr_as(late(wanted.now), "late");
    for (expression, name) in NAMES {
        query.expr_as(Expr::cust(expression), name);
    }
    query
}

/// A row of the contracts table.
#[derive(Clone, Debug, FromRow)]
pub struct ContractLine {
    pub id: ContractId,
    pub number: String,
    pub status: ContractStatus,
    pub job_id: JobId,
    pub job_title: String,
    pub athlete_id: AthleteId,
    pub athlete: String,
    pub payer: String,
    pub sport: Option<String>,
    pub category: String,
    pub agreed_amount_cents: Cents,
    pub generated_at: Time,
    pub executed_at: Option<Time>,
    pub cancelled_at: Option<Time>,
    pub completed_at: Option<Time>,
    pub document_sha256: String,
    /// The name of its document, if it is in the archive.
    #[row(skip)]
    pub file: Option<String>,
}

/// The next contracts of the institution's athletes in the order of their ids, generated in the
/// requested period; empty after the last one.
pub async fn contracts(
    session: &mut Session,
    wanted: &Wanted,
    last: Option<ContractId>,
    most: u64,
) -> Result<Vec<ContractLine>> {
    let mut query = contract_lines(wanted);
    query.behind([("x", "id")], Order::Asc, last.map(|last| [last.into()])).limit(most);
    session.all(query).await
}

/// These contracts, in any order; one that is no longer asked about is left out.
pub async fn contracts_of(
    session: &mut Session,
    wanted: &Wanted,
    ids: &[ContractId],
) -> Result<Vec<ContractLine>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = contract_lines(wanted);
    query.and_where(Expr::col(("x", "id")).among(ids.iter().map(|id| id.get())));
    session.all(query).await
}

fn contract_lines(wanted: &Wanted) -> SelectStatement {
    let mut query = Query::select();
    for column in [
        "id",
        "number",
        "status",
        "job_id",
        "athlete_id",
        "agreed_amount_cents",
        "generated_at",
        "executed_at",
        "cancelled_at",
        "completed_at",
        "document_sha256",
    ] {
        query.expr_as(Expr::col(("x", column)), column);
    }
    query
        .expr_as(Expr::cust("j.title"), "job_title")
        .expr_as(Expr::cust("b.company_name"), "payer")
        .expr_as(Expr::cust("s.name"), "sport")
        .expr_as(Expr::cust("k.name"), "category")
        .from_as("contract", "x");
    joined(&mut query, wanted);
    for (kind, table, alias, on) in [
        (JoinType::InnerJoin, "job", "j", "j.id = x.job_id"),
        (JoinType::InnerJoin, "partner", "b", "b.id = x.partner_id"),
        (JoinType::InnerJoin, "job_category", "k", "k.id = j.category_id"),
        (JoinType::LeftJoin, "sport", "s", "s.id = a.sport_id"),
    ] {
        query.join_as(kind, table, alias, Expr::cust(on));
    }
    query
        .cond_where(of_source(wanted, TransactionSource::Platform))
        .cond_where(mentioned(wanted, ["x.number", "a.display_name", "b.company_name"]))
        .only_among(("j", "category_id"), wanted.categories.iter().copied())
        .only_from(("x", "generated_at"), wanted.since())
        .only_before(("x", "generated_at"), wanted.until());
    query
}

/// A row of the disclosed jobs table.
#[derive(Clone, Debug, FromRow)]
pub struct DisclosureLine {
    pub id: DisclosedJobId,
    pub status: DisclosedJobStatus,
    pub athlete_id: AthleteId,
    pub athlete: String,
    pub payer: String,
    pub payer_kind: PayerKind,
    pub title: String,
    pub category: String,
    pub compensation: Compensation,
    pub amount_cents: Cents,
    pub signed_on: Date,
    pub due_at: Time,
    pub first_submitted_at: Time,
    pub associated_entity: bool,
    pub decided_by: Option<String>,
    pub decided_at: Option<Time>,
    pub clearinghouse: Option<ClearanceStatus>,
    pub clearinghouse_due_at: Option<Time>,
    pub clearinghouse_reference: Option<String>,
}

impl DisclosureLine {
    /// Whether it was submitted late.
    pub fn is_late(&self) -> bool {
        self.due_at < self.first_submitted_at && self.status != DisclosedJobStatus::Withdrawn
    }
}

/// The next disclosed jobs of the institution's athletes in the order of their ids, signed in the
/// requested period; empty after the last one. Drafts are private to athletes and left out.
pub async fn disclosures(
    session: &mut Session,
    wanted: &Wanted,
    last: Option<DisclosedJobId>,
    most: u64,
) -> Result<Vec<DisclosureLine>> {
    let mut query = Query::select();
    for column in [
        "id",
        "status",
        "athlete_id",
        "payer_kind",
        "title",
        "compensation",
        "amount_cents",
        "signed_on",
        "due_at",
        "first_submitted_at",
        "associated_entity",
        "decided_by",
        "decided_at",
    ] {
        query.expr_as(Expr::col(("x", column)), column);
    }
    for (expression, name) in [
        ("x.payer_name", "payer"),
        ("k.name", "category"),
        ("h.status", "clearinghouse"),
        ("h.due_at", "clearinghouse_due_at"),
        ("h.reference", "clearinghouse_reference"),
    ] {
        query.expr_as(Expr::cust(expression), name);
    }
    query.from_as("disclosed_job", "x");
    joined(&mut query, wanted);
    query
        .join_as(JoinType::InnerJoin, "job_category", "k", Expr::cust("k.id = x.category_id"))
        .join_as(JoinType::LeftJoin, "clearance", "h", Expr::cust("h.disclosed_job_id = x.id"))
        .and_where(Expr::cust("x.first_submitted_at IS NOT NULL"));
    query
        .cond_where(of_source(wanted, TransactionSource::Disclosed))
        .cond_where(mentioned(wanted, ["'DISCLOSED-' || x.id", "a.display_name", "x.payer_name"]))
        .only_among(("x", "category_id"), wanted.categories.iter().copied())
        .only_from(("x", "signed_on"), wanted.from)
        .only_up_to(("x", "signed_on"), wanted.to)
        .behind([("x", "id")], Order::Asc, last.map(|last| [last.into()]))
        .limit(most);
    session.all(query).await
}

/// Joins the athlete to `x`, and limits it to the institution and the requested athletes.
fn joined(query: &mut SelectStatement, wanted: &Wanted) {
    query
        .expr_as(Expr::cust("a.display_name"), "athlete")
        .join_as(JoinType::InnerJoin, "athlete", "a", Expr::cust("a.id = x.athlete_id"))
        .cond_where(persons(wanted, "a", "id"))
        .and_where(Expr::col(("x", "college_id")).eq(wanted.college.get()));
}

/// Limits to the rows whose number, athlete's or payer's name contains the words asked for.
fn mentioned(wanted: &Wanted, columns: [&'static str; 3]) -> Cond {
    contains(columns.map(Expr::cust), wanted.words.as_deref())
}

fn of_source(wanted: &Wanted, source: TransactionSource) -> Cond {
    let none = !wanted.sources.is_empty() && !wanted.sources.contains(&source);
    Cond::all().add_option(none.then(|| Expr::cust("1 = 0")))
}
