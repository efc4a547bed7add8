//! Reads the report of deliverables. One filter serves the page, the totals and the export.

use sea_query::{Expr, ExprTrait as _, Func, JoinType, Order, Query, SelectStatement};

use super::deliverable::PAID;
use crate::deals::deliverable::DeliverableStatus;
use crate::deals::report::{ReportRow, ReportTotals};
use crate::error::Result;
use crate::kernel::{AthleteId, Date, JobId, Listing, Paging, PartnerId, Time};
use crate::storage::{Found, Narrow as _, Session};

/// The unique order of lines: newest contract first.
const KEYS: [(&str, &str); 2] = [("contract", "id"), ("deliverable", "id")];

/// The deliverables to report; an empty list means all.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub partner: PartnerId,
    pub jobs: Vec<JobId>,
    pub athletes: Vec<AthleteId>,
    pub statuses: Vec<DeliverableStatus>,
    pub from: Option<Date>,
    pub to: Option<Date>,
    pub overdue: Option<bool>,
    pub now: Time,
}

fn own(column: &'static str) -> Expr {
    Expr::col(("deliverable", column))
}

impl Wanted {
    /// The selected deliverables.
    fn select(&self) -> SelectStatement {
        let mut query = Query::select();
        query
            .from("contract")
            .join(JoinType::InnerJoin, "deliverable", own("contract_id").equals(("contract", "id")))
            .and_where(Expr::col(("contract", "partner_id")).eq(self.partner.get()))
            .only_among(("contract", "job_id"), self.jobs.iter().copied())
            .only_among(("contract", "athlete_id"), self.athletes.iter().copied())
            .only_among(("deliverable", "status"), self.statuses.iter().copied())
            .only_from(("deliverable", "due_on"), self.from)
            .only_up_to(("deliverable", "due_on"), self.to);
        match self.overdue {
            Some(true) => query.and_where(self.is_overdue()),
            Some(false) => query.and_where(self.is_overdue().not()),
            None => &mut query,
        };
        query
    }

    fn is_overdue(&self) -> Expr {
        own("status").is_in(["pending", "denied"]).and(own("due_at").lt(self.now))
    }

    /// The selected deliverables with the columns of a line, in no particular order.
    fn unordered(&self) -> SelectStatement {
        let mut query = self.select();
        let join = |query: &mut SelectStatement, table, key: (&'static str, &'static str)| {
            query.join(JoinType::InnerJoin, table, Expr::col((table, "id")).equals(key));
        };
        join(&mut query, "milestone", ("deliverable", "milestone_id"));
        join(&mut query, "job", ("contract", "job_id"));
        join(&mut query, "athlete", ("contract", "athlete_id"));
        for (table, column, name) in [
            ("deliverable", "id", "deliverable_id"),
            ("contract", "job_id", "job_id"),
            ("job", "title", "job_title"),
            ("contract", "athlete_id", "athlete_id"),
            ("athlete", "display_name", "athlete_name"),
            ("contract", "id", "contract_id"),
            ("contract", "number", "contract_number"),
            ("milestone", "title", "title"),
            ("milestone", "platform", "platform"),
            ("milestone", "media_kind", "media_kind"),
            ("milestone", "quantity", "quantity"),
            ("deliverable", "status", "status"),
            ("deliverable", "due_on", "due_on"),
            ("deliverable", "due_at", "due_at"),
            ("deliverable", "submitted_at", "submitted_at"),
            ("deliverable", "reviewed_at", "reviewed_at"),
            ("deliverable", "revision", "revision"),
            ("deliverable", "amount_cents", "amount_cents"),
            ("deliverable", "post_urls", "links"),
        ] {
            query.expr_as(Expr::col((table, column)), name);
        }
        let files = "(SELECT COUNT(*) FROM file_use u WHERE u.kind = 'deliverable' \
                     AND u.record_id = deliverable.id)";
        query.expr_as(Expr::cust(PAID), "paid_cents").expr_as(Expr::cust(files), "files");
        query
    }
}

/// A page of the report, given its total number of lines.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    total: i64,
    paging: Paging,
) -> Result<Listing<ReportRow>> {
    let mut rows = wanted.unordered();
    rows.behind(KEYS, Order::Desc, None);
    session.page(Found::of_total(rows, total), paging).await
}

/// The next rows of the report; none after the last one.
pub async fn after(
    session: &mut Session,
    wanted: &Wanted,
    last: Option<&ReportRow>,
    most: u64,
) -> Result<Vec<ReportRow>> {
    let last = last.map(|last| [last.contract_id.into(), last.deliverable_id.into()]);
    let mut rows = wanted.unordered();
    rows.behind(KEYS, Order::Desc, last).limit(most);
    session.all(rows).await
}

/// The totals of the whole report.
pub async fn totals(session: &mut Session, wanted: &Wanted) -> Result<ReportTotals> {
    let sum = |what: Expr| {
        let sum = Expr::from(Func::sum(what));
        Expr::from(Func::coalesce([sum, Expr::val(0_i64)])).cast_as("BIGINT")
    };
    let counted = |condition: Expr, what: Expr| {
        sum(Expr::case(condition, what).finally(Expr::val(0_i64)).into())
    };
    let mut query = wanted.select();
    for status in DeliverableStatus::ALL {
        let one = Expr::val(1_i64);
        query.expr_as(counted(own("status").eq(status.as_str()), one), status.as_str());
    }
    query
        .expr_as(counted(wanted.is_overdue(), Expr::val(1_i64)), "overdue")
        .expr_as(sum(own("amount_cents")), "amount_cents")
        .expr_as(counted(own("status").eq("approved"), own("amount_cents")), "approved_cents")
        .expr_as(sum(Expr::cust(PAID)), "paid_cents");
    session.one(query).await
}
