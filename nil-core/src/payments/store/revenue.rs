//! The revenue of months, added up from charged payments and from subscriptions.

use std::collections::HashMap;

use sea_query::{
    Cond, Expr, ExprTrait as _, IntoColumnRef as _, JoinType, Order, Query, SelectStatement,
    UnionType,
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

/// Which lines of payments.
#[derive(Clone, Copy)]
enum Payments {
    Charged,
    /// What their charges cost.
    Cost(Cost),
}

/// Which lines of subscriptions.
#[derive(Clone, Copy)]
enum Subscriptions {
    Charged,
    Refunded,
    /// What their charges cost.
    Cost(Cost),
}

/// Which costs.
#[derive(Clone, Copy)]
enum Cost {
    /// The processor's own.
    Processor,
    /// Disputes.
    Disputes,
}

impl Cost {
    /// The costs that an entry of a transfer is. What a card keeps of a lost dispute, beside what a
    /// refund took from payees, is the platform's loss; a dispute decided anew takes it back.
    const fn columns(self) -> &'static str {
        match self {
            Self::Processor => {
                "CASE WHEN e.account = 'processor:costs' THEN e.amount_cents ELSE 0 END \
                 AS processor_cost_cents, 0 AS dispute_fee_cents, 0 AS dispute_loss_cents"
            }
            Self::Disputes => {
                "0 AS processor_cost_cents, CASE WHEN e.account = 'processor:costs' \
                 THEN e.amount_cents ELSE 0 END AS dispute_fee_cents, \
                 CASE WHEN e.account LIKE '%:card' THEN e.amount_cents ELSE 0 END \
                 AS dispute_loss_cents"
            }
        }
    }
}

/// No costs.
const NO_COSTS: &str = "0 AS processor_cost_cents, 0 AS dispute_fee_cents, 0 AS dispute_loss_cents";

/// The sums over a group of lines.
const SUMS: &str = "CAST(COALESCE(SUM(l.payments), 0) AS BIGINT) AS payments, \
    CAST(COALESCE(SUM(l.amount_cents), 0) AS BIGINT) AS amount_cents, \
    CAST(COALESCE(SUM(l.fee_cents), 0) AS BIGINT) AS fee_cents, \
    CAST(COALESCE(SUM(l.refunded_fee_cents), 0) AS BIGINT) AS refunded_fee_cents, \
    CAST(COALESCE(SUM(l.subscription_cents), 0) AS BIGINT) AS subscription_cents, \
    CAST(COALESCE(SUM(l.fee_cents - l.refunded_fee_cents + l.subscription_cents), 0) AS BIGINT) \
    AS revenue_cents, \
    CAST(COALESCE(SUM(l.processor_cost_cents), 0) AS BIGINT) AS processor_cost_cents, \
    CAST(COALESCE(SUM(l.dispute_fee_cents), 0) AS BIGINT) AS dispute_fee_cents, \
    CAST(COALESCE(SUM(l.dispute_loss_cents), 0) AS BIGINT) AS dispute_loss_cents, \
    CAST(COALESCE(SUM(l.fee_cents - l.refunded_fee_cents + l.subscription_cents \
    - l.processor_cost_cents - l.dispute_fee_cents - l.dispute_loss_cents), 0) AS BIGINT) \
    AS kept_cents";

impl Wanted<'_> {
    /// What earned something, each with its month and what it is about.
    fn earned(&self, dialect: Dialect) -> Option<SelectStatement> {
        let of_payments = self.by != RevenueBy::Plan;
        let costs_of_payments = of_payments && self.status.is_none();
        let of_subscriptions = self.by != RevenueBy::Institution && self.status.is_none();
        let parts = [
            of_payments.then(|| self.payments(dialect, Payments::Charged)),
            costs_of_payments.then(|| self.payments(dialect, Payments::Cost(Cost::Processor))),
            costs_of_payments.then(|| self.payments(dialect, Payments::Cost(Cost::Disputes))),
            of_subscriptions.then(|| self.subscriptions(dialect, Subscriptions::Charged)),
            of_subscriptions.then(|| self.subscriptions(dialect, Subscriptions::Refunded)),
            of_subscriptions
                .then(|| self.subscriptions(dialect, Subscriptions::Cost(Cost::Processor))),
            of_subscriptions
                .then(|| self.subscriptions(dialect, Subscriptions::Cost(Cost::Disputes))),
        ];
        let mut parts = parts.into_iter().flatten();
        let first = parts.next()?;
        Some(parts.fold(first, |mut all, part| all.union(UnionType::All, part).take()))
    }

    fn payments(&self, dialect: Dialect, what: Payments) -> SelectStatement {
        let id = match (self.by, what) {
            (RevenueBy::Partner, _) => "p.partner_id",
            (RevenueBy::Institution, Payments::Charged) => "p.college_id",
            (RevenueBy::Institution, Payments::Cost(_))
            | (RevenueBy::Month | RevenueBy::Plan, _) => NOTHING,
        };
        let month = dialect.utc_month("p.paid_at");
        let sums = match what {
            Payments::Charged => format!(
                "1 AS payments, p.amount_cents, p.fee_cents, p.refunded_fee_cents, \
                 0 AS subscription_cents, {NO_COSTS}"
            ),
            Payments::Cost(cost) => format!(
                "0 AS payments, 0 AS amount_cents, 0 AS fee_cents, 0 AS refunded_fee_cents, \
                 0 AS subscription_cents, {}",
                cost.columns()
            ),
        };
        let mut lines = Query::select();
        lines
            .expr(Expr::cust(format!("{month} AS month, {id} AS id, {sums}")))
            .from_as("payment", "p")
            .only_from(("p", "paid_at"), Some(self.from))
            .only_before(("p", "paid_at"), Some(self.until))
            .only(("p", "status"), self.status);
        if let Payments::Cost(cost) = what {
            // Each charge counts once, with its first payment.
            lines.and_where(Expr::cust(
                "p.id = (SELECT MIN(f.id) FROM payment f WHERE f.charge_id = p.charge_id)",
            ));
            with_cost(&mut lines, cost, CHARGE, ("p", "charge_id"));
        }
        lines
    }

    /// What was charged for subscriptions, or refunded of that. A charge belongs to the plan that
    /// it paid for.
    fn subscriptions(&self, dialect: Dialect, what: Subscriptions) -> SelectStatement {
        let id = match self.by {
            RevenueBy::Partner => "s.partner_id",
            RevenueBy::Plan => "COALESCE(x.plan_id, d.plan_id)",
            RevenueBy::Month | RevenueBy::Institution => NOTHING,
        };
        let (amount, costs) = match what {
            Subscriptions::Charged => ("c.total_cents", NO_COSTS),
            Subscriptions::Refunded => ("-r.amount_cents", NO_COSTS),
            Subscriptions::Cost(cost) => ("0", cost.columns()),
        };
        let month = dialect.utc_month("c.updated_at");
        let mut lines = Query::select();
        lines
            .expr(Expr::cust(format!(
                "{month} AS month, {id} AS id, 0 AS payments, 0 AS amount_cents, 0 AS fee_cents, \
                 0 AS refunded_fee_cents, {amount} AS subscription_cents, {costs}"
            )))
            .from_as("subscription_charge", "c")
            .join_as(
                JoinType::InnerJoin,
                "subscription_period",
                "d",
                Expr::col(("d", "id")).equals(("c", "period_id")),
            )
            .join_as(
                JoinType::InnerJoin,
                "subscription",
                "s",
                Expr::col(("s", "id")).equals(("d", "subscription_id")),
            )
            .join_as(
                JoinType::LeftJoin,
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
                    JoinType::InnerJoin,
                    "subscription_refund",
                    "r",
                    Expr::col(("r", "charge_id")).equals(("c", "id")),
                )
                .and_where(Expr::col(("r", "status")).eq("succeeded"));
        }
        if let Subscriptions::Cost(cost) = what {
            with_cost(&mut lines, cost, SUBSCRIPTION_CHARGE, ("c", "id"));
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

/// A kind of charge: that of its ids, and the column by which a dispute names it.
#[derive(Clone, Copy)]
struct ChargeKind {
    name: &'static str,
    disputed: &'static str,
}

const CHARGE: ChargeKind = ChargeKind { name: "charge", disputed: "charge_id" };
const SUBSCRIPTION_CHARGE: ChargeKind =
    ChargeKind { name: "subscription_charge", disputed: "subscription_charge_id" };

/// Joins what the ledger says that a charge cost, by what the transfers refer to: one or a few for
/// each charge. No index of the ledger goes by time.
fn with_cost(
    lines: &mut SelectStatement,
    cost: Cost,
    of: ChargeKind,
    charge: (&'static str, &'static str),
) {
    let (table, column) = charge;
    let named = match cost {
        Cost::Processor => format!(
            "t.reason = 'processor_cost' AND t.refers_to = '{}:' || {table}.{column}",
            of.name
        ),
        Cost::Disputes => {
            lines.join_as(
                JoinType::InnerJoin,
                "dispute",
                "q",
                Expr::col(("q", of.disputed)).equals(charge),
            );
            "t.reason IN ('dispute_fee', 'dispute_fee_changed', 'dispute_lost', \
             'dispute_overturned') AND t.refers_to = 'dispute:' || q.id"
                .to_owned()
        }
    };
    lines.join_as(JoinType::InnerJoin, "ledger_transfer", "t", Expr::cust(named)).join_as(
        JoinType::InnerJoin,
        "ledger_entry",
        "e",
        Expr::col(("e", "transfer_id")).equals(("t", "id")),
    );
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
        CAST(SUM(l.revenue_cents) OVER () AS BIGINT) AS all_revenue_cents, \
        CAST(SUM(l.processor_cost_cents) OVER () AS BIGINT) AS all_processor_cost_cents, \
        CAST(SUM(l.dispute_fee_cents) OVER () AS BIGINT) AS all_dispute_fee_cents, \
        CAST(SUM(l.dispute_loss_cents) OVER () AS BIGINT) AS all_dispute_loss_cents, \
        CAST(SUM(l.kept_cents) OVER () AS BIGINT) AS all_kept_cents";

    fn sums(&self) -> RevenueSums {
        RevenueSums {
            payments: self.payments,
            amount_cents: self.amount_cents,
            fee_cents: self.fee_cents,
            refunded_fee_cents: self.refunded_fee_cents,
            subscription_cents: self.subscription_cents,
            revenue_cents: self.revenue_cents,
            processor_cost_cents: self.processor_cost_cents,
            dispute_fee_cents: self.dispute_fee_cents,
            dispute_loss_cents: self.dispute_loss_cents,
            kept_cents: self.kept_cents,
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
    #[row(rename = "all_processor_cost_cents")]
    processor_cost_cents: Cents,
    #[row(rename = "all_dispute_fee_cents")]
    dispute_fee_cents: Cents,
    #[row(rename = "all_dispute_loss_cents")]
    dispute_loss_cents: Cents,
    #[row(rename = "all_kept_cents")]
    kept_cents: Cents,
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
