//! The revenue of months, added up from charged payments and from subscriptions.

use std::collections::HashMap;

use sea_query::{
    Cond, Expr, ExprTrait as _, IntoColumnRef as _, Order, Query, SelectStatement, UnionType,
};

use crate::error::Result;
use crate::kernel::{Cents, Listing, Paging, Time, fold};
use crate::payments::browsing::revenue_line::{Revenue, RevenueBy, RevenueSort, RevenueSums};
use crate::payments::charges::payment::PaymentStatus;
use crate::storage::{Among as _, Dialect, FromRow, Narrow as _, Session, contains};

/// The revenue to add up.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    pub status: Option<PaymentStatus>,
    pub by: RevenueBy,
    pub from: Time,
    pub until: Time,
    /// Part of a name or of a month.
    pub q: Option<&'a str>,
    pub sort: RevenueSort,
}

/// Which lines of subscriptions.
#[derive(Clone, Copy)]
enum Subscriptions {
    Charged,
    Refunded,
}

/// The sums over a group of lines.
const SUMS: &str = "CAST(COALESCE(SUM(l.payments), 0) AS BIGINT) AS payments, \
    CAST(COALESCE(SUM(l.amount_cents), 0) AS BIGINT) AS amount_cents, \
    CAST(COALESCE(SUM(l.fee_cents), 0) AS BIGINT) AS fee_cents, \
    CAST(COALESCE(SUM(l.refunded_fee_cents), 0) AS BIGINT) AS refunded_fee_cents, \
    CAST(COALESCE(SUM(l.subscription_cents), 0) AS BIGINT) AS subscription_cents, \
    CAST(COALESCE(SUM(l.fee_cents - l.refunded_fee_cents + l.subscription_cents), 0) AS BIGINT) \
    AS revenue_cents";

impl Wanted<'_> {
    /// What earned something, each with its month and what it is about.
    fn earned(&self, dialect: Dialect) -> Option<SelectStatement> {
        let parts = [
            (self.by != RevenueBy::Plan).then(|| self.payments(dialect)),
            (self.by != RevenueBy::Institution && self.status.is_none())
                .then(|| self.subscriptions(dialect, Subscriptions::Charged)),
            (self.by != RevenueBy::Institution && self.status.is_none())
                .then(|| self.subscriptions(dialect, Subscriptions::Refunded)),
        ];
        let mut parts = parts.into_iter().flatten();
        let first = parts.next()?;
        Some(parts.fold(first, |mut all, part| all.union(UnionType::All, part).take()))
    }

    fn payments(&self, dialect: Dialect) -> SelectStatement {
        let id = match self.by {
            RevenueBy::Partner => "p.partner_id",
            RevenueBy::Institution => "p.college_id",
            RevenueBy::Month | RevenueBy::Plan => NOTHING,
        };
        let month = dialect.utc_month("p.paid_at");
        Query::select()
            .expr(Expr::cust(format!(
                "{month} AS month, {id} AS id, 1 AS payments, p.amount_cents, p.fee_cents, \
                 p.refunded_fee_cents, 0 AS subscription_cents"
            )))
            .from_as("payment", "p")
            .only_from(("p", "paid_at"), Some(self.from))
            .only_before(("p", "paid_at"), Some(self.until))
            .only(("p", "status"), self.status)
            .take()
    }

    /// What was charged for subscriptions, or refunded of that. A charge belongs to the plan that
    /// it paid for.
    fn subscriptions(&self, dialect: Dialect, what: Subscriptions) -> SelectStatement {
        let id = match self.by {
            RevenueBy::Partner => "s.partner_id",
            RevenueBy::Plan => "COALESCE(x.plan_id, d.plan_id)",
            RevenueBy::Month | RevenueBy::Institution => NOTHING,
        };
        let amount = match what {
            Subscriptions::Charged => "c.total_cents",
            Subscriptions::Refunded => "-r.amount_cents",
        };
        let month = dialect.utc_month("c.updated_at");
        let mut lines = Query::select();
        lines
            .expr(Expr::cust(format!(
                "{month} AS month, {id} AS id, 0 AS payments, 0 AS amount_cents, 0 AS fee_cents, \
                 0 AS refunded_fee_cents, {amount} AS subscription_cents"
            )))
            .from_as("subscription_charge", "c")
            .join_as(
                sea_query::JoinType::InnerJoin,
                "subscription_period",
                "d",
                Expr::col(("d", "id")).equals(("c", "period_id")),
            )
            .join_as(
                sea_query::JoinType::InnerJoin,
                "subscription",
                "s",
                Expr::col(("s", "id")).equals(("d", "subscription_id")),
            )
            .join_as(
                sea_query::JoinType::LeftJoin,
                "subscription_change",
                "x",
                Expr::col(("x", "id")).equals(("c", "change_id")),
            )
            .and_where(Expr::col(("c", "status")).eq("succeeded"))
            .only_from(("c", "updated_at"), Some(self.from))
            .only_before(("c", "updated_at"), Some(self.until));
        if matches!(what, Subscriptions::Refunded) {
            lines
                .join_as(
                    sea_query::JoinType::InnerJoin,
                    "subscription_refund",
                    "r",
                    Expr::col(("r", "charge_id")).equals(("c", "id")),
                )
                .and_where(Expr::col(("r", "status")).eq("succeeded"));
        }
        lines
    }

    /// The lines of which a name or the month contains the words, if there are any.
    fn found(&self) -> Cond {
        let words = self.q.filter(|words| !fold(words).trim().is_empty());
        let Some(words) = words else { return Cond::all() };
        let found = Cond::any().add(contains([Expr::col(("l", "month"))], Some(words)));
        let Some((table, name)) = self.by.named() else { return found };
        let ids = Query::select()
            .column("id")
            .from(table)
            .cond_where(contains([Expr::col(name)], Some(words)))
            .take();
        found.add(Expr::col(("l", "id")).in_subquery(ids))
    }

    /// The lines: what was earned in a month with one thing.
    fn lines(&self, dialect: Dialect) -> Option<SelectStatement> {
        let earned = self.earned(dialect)?;
        Some(
            Query::select()
                .expr(Expr::cust(format!("l.month, l.id, {SUMS}")))
                .from_subquery(earned, "l")
                .cond_where(self.found())
                .group_by_columns([("l", "month"), ("l", "id")])
                .take(),
        )
    }
}

impl RevenueBy {
    /// The table and the column of the names of what lines are about.
    const fn named(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Month => None,
            Self::Partner => Some(("partner", "company_name")),
            Self::Institution => Some(("college", "name")),
            Self::Plan => Some(("subscription_plan", "name")),
        }
    }
}

/// No id, as a number on both engines.
const NOTHING: &str = "CAST(NULL AS BIGINT)";

#[derive(FromRow)]
struct Totals {
    lines: i64,
    #[row(flatten)]
    sums: RevenueSums,
}

impl OfAll {
    const COLUMNS: &str = "CAST(COUNT(*) OVER () AS BIGINT) AS all_lines, \
        CAST(SUM(l.payments) OVER () AS BIGINT) AS all_payments, \
        CAST(SUM(l.amount_cents) OVER () AS BIGINT) AS all_amount_cents, \
        CAST(SUM(l.fee_cents) OVER () AS BIGINT) AS all_fee_cents, \
        CAST(SUM(l.refunded_fee_cents) OVER () AS BIGINT) AS all_refunded_fee_cents, \
        CAST(SUM(l.subscription_cents) OVER () AS BIGINT) AS all_subscription_cents, \
        CAST(SUM(l.revenue_cents) OVER () AS BIGINT) AS all_revenue_cents";

    fn sums(&self) -> RevenueSums {
        RevenueSums {
            payments: self.payments,
            amount_cents: self.amount_cents,
            fee_cents: self.fee_cents,
            refunded_fee_cents: self.refunded_fee_cents,
            subscription_cents: self.subscription_cents,
            revenue_cents: self.revenue_cents,
        }
    }
}

/// The number of lines, and the sums of all.
pub async fn totals(session: &mut Session, wanted: &Wanted<'_>) -> Result<(i64, RevenueSums)> {
    let Some(lines) = wanted.lines(session.dialect()) else {
        return Ok((0, RevenueSums::default()));
    };
    let query = Query::select()
        .expr(Expr::cust(format!("COUNT(*) AS lines, {SUMS}")))
        .from_subquery(lines, "l")
        .take();
    let totals: Totals = session.one(query).await?;
    Ok((totals.lines, totals.sums))
}

#[derive(FromRow)]
struct Line {
    month: String,
    id: Option<i64>,
    #[row(flatten)]
    sums: RevenueSums,
    #[row(flatten)]
    all: OfAll,
}

/// The number of lines and the sums of all, beside each line of a page.
#[derive(FromRow)]
struct OfAll {
    #[row(rename = "all_lines")]
    lines: i64,
    #[row(rename = "all_payments")]
    payments: i64,
    #[row(rename = "all_amount_cents")]
    amount_cents: Cents,
    #[row(rename = "all_fee_cents")]
    fee_cents: Cents,
    #[row(rename = "all_refunded_fee_cents")]
    refunded_fee_cents: Cents,
    #[row(rename = "all_subscription_cents")]
    subscription_cents: Cents,
    #[row(rename = "all_revenue_cents")]
    revenue_cents: Cents,
}

/// A page of lines with the names of what they are about, and the sums of all lines. What was
/// earned is added up once for both, unless the page is empty.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted<'_>,
    paging: Paging,
) -> Result<(Listing<Revenue>, RevenueSums)> {
    let Some(lines) = wanted.lines(session.dialect()) else {
        return Ok((Listing::new(Vec::new(), paging, 0), RevenueSums::default()));
    };
    let mut lines = Query::select()
        .expr(Expr::cust(format!("l.*, {}", OfAll::COLUMNS)))
        .from_subquery(lines, "l")
        .take();
    let revenue = || ("l", "revenue_cents").into_column_ref();
    let month = || ("l", "month").into_column_ref();
    let ([first, second], down) = match wanted.sort {
        RevenueSort::Newest => ([month(), revenue()], true),
        RevenueSort::Oldest => ([month(), revenue()], false),
        RevenueSort::Largest => ([revenue(), month()], true),
        RevenueSort::Smallest => ([revenue(), month()], false),
    };
    let (order, last) = if down { (Order::Desc, Order::Asc) } else { (Order::Asc, Order::Desc) };
    lines.order_by(first, order.clone()).order_by(second, order).order_by(("l", "id"), last);
    lines.limit(paging.limit().unsigned_abs()).offset(paging.offset().unsigned_abs());
    let found: Vec<Line> = session.all(lines).await?;
    let (total, sums) = match found.first() {
        Some(first) => (first.all.lines, first.all.sums()),
        None => totals(session, wanted).await?,
    };
    let names = names(session, wanted.by, &found).await?;
    let page = Listing::new(found, paging, total).map(|line| Revenue {
        month: line.month,
        id: line.id,
        name: line.id.and_then(|id| names.get(&id).cloned()),
        sums: line.sums,
    });
    Ok((page, sums))
}

async fn names(
    session: &mut Session,
    by: RevenueBy,
    lines: &[Line],
) -> Result<HashMap<i64, String>> {
    let Some((table, name)) = by.named() else { return Ok(HashMap::new()) };
    let ids = lines.iter().filter_map(|line| line.id);
    let query = Query::select()
        .columns(["id", name])
        .from(table)
        .and_where(Expr::col("id").among(ids))
        .take();
    let rows: Vec<(i64, String)> = session.all(query).await?;
    Ok(rows.into_iter().collect())
}
