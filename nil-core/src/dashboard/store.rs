//! The queries of the dashboard.

use chrono::TimeDelta;
use sea_query::{Expr, ExprTrait as _, Query, SelectStatement, UnionType};

use super::overview::{Books, DAYS, JobsInStatus, Part, Queue, QueueKind};
use crate::error::Result;
use crate::jobs::JobStatus;
use crate::kernel::{Cents, Time};
use crate::payments::CONFIRMED_WITHIN;
use crate::storage::{Dialect, FromRow, Narrow as _, Session, sql};

/// What happened on each day since this instant.
pub async fn days(session: &mut Session, since: Time) -> Result<Vec<Part>> {
    let dialect = session.dialect();
    let finished = counted(dialect, "app_user", "created_at", "kind", since)
        .and_where(Expr::col("status").ne("onboarding"))
        .take();
    let mut all = finished;
    for (table, column, what) in [
        ("application", "created_at", "'application'"),
        ("contract", "generated_at", "'hire'"),
        ("payment", "paid_at", "'payment'"),
    ] {
        all.union(UnionType::All, counted(dialect, table, column, what, since));
    }
    session.all(all).await
}

/// The rows of a table since this instant, counted by day and kind.
fn counted(
    dialect: Dialect,
    table: &'static str,
    column: &'static str,
    what: &str,
    since: Time,
) -> SelectStatement {
    let day = dialect.utc_day(column);
    let sum = |cents: &str| {
        if table == "payment" { format!("CAST(SUM({cents}) AS BIGINT)") } else { "0".to_owned() }
    };
    // PostgreSQL groups by no literal.
    let kind = (!what.starts_with('\'')).then(|| Expr::cust(what.to_owned()));
    let groups = [Some(Expr::cust(day.clone())), kind].into_iter().flatten();
    let (gross, fee) = (sum("amount_cents"), sum("fee_cents"));
    Query::select()
        .expr(Expr::cust(format!(
            "{day} AS day, {what} AS what, COUNT(*) AS count, {gross} AS gross_cents, {fee} AS fee_cents"
        )))
        .from(table)
        .only_from(column, Some(since))
        .add_group_by(groups)
        .take()
}

/// The number of rows after `FROM`, counted up to a limit.
macro_rules! counted {
    ($from:expr) => {
        concat!("(SELECT COUNT(*) FROM (SELECT 1 AS one FROM ", $from, " LIMIT 10001) q)")
    };
}

/// A queue: its name, the number of its rows, and the oldest instant in it.
macro_rules! queue {
    ($name:literal, $at:expr, $from:expr) => {
        concat!(
            "SELECT '",
            $name,
            "' AS kind, ",
            counted!($from),
            " AS count, (SELECT MIN(",
            $at,
            ") FROM ",
            $from,
            ") AS oldest_at"
        )
    };
}

/// The queues: `$1` is an hour ago, `$2` a day ago, `$3` thirty days ago.
macro_rules! queues {
    ($review:literal, $asked:literal) => {
        concat!(
            queue!("jobs_pending", "updated_at", "job WHERE status = 'pending'"),
            " UNION ALL ",
            queue!("manual_reviews", $asked, concat!("job WHERE ", $review)),
            " UNION ALL ",
            queue!("portal_users_pending", "created_at", "portal_user WHERE status = 'pending'"),
            " UNION ALL ",
            queue!("payouts_on_hold", "updated_at", "payout WHERE status = 'on_hold'"),
            " UNION ALL ",
            queue!(
                "payouts_failed",
                "p.updated_at",
                "payout p WHERE p.status = 'failed' AND p.updated_at >= $3 \
                 AND NOT EXISTS (SELECT 1 FROM payout r WHERE r.retry_of = p.id)"
            ),
            " UNION ALL ",
            queue!(
                "payouts_unconfirmed",
                "updated_at",
                "payout WHERE status = 'pending' AND updated_at < $2"
            ),
            " UNION ALL ",
            queue!(
                "charges_unanswered",
                "updated_at",
                "charge WHERE status = 'processing' AND updated_at < $1"
            ),
            " UNION ALL ",
            queue!(
                "refunds_unconfirmed",
                "updated_at",
                "refund WHERE status = 'pending' AND updated_at < $2"
            ),
            " UNION ALL ",
            queue!(
                "disputes_to_answer",
                "opened_at",
                "dispute WHERE status IN ('needs_response', 'warning')"
            ),
            " UNION ALL ",
            queue!(
                "processor_differences",
                "found_at",
                "processor_difference WHERE status = 'open'"
            ),
            " UNION ALL ",
            queue!("messages_dead", "created_at", "outbox WHERE status = 'dead'"),
            " UNION ALL ",
            queue!(
                "messages_fell_back",
                "created_at",
                "outbox WHERE fell_back IS NOT NULL AND created_at >= $3"
            ),
        )
    };
}

#[derive(FromRow)]
struct Counted {
    kind: QueueKind,
    count: i64,
    oldest_at: Option<Time>,
}

/// What waits for operators, in the order of the vocabulary.
pub async fn queues(session: &mut Session, now: Time) -> Result<Vec<Queue>> {
    const SQLITE: &str = queues!(
        "json_extract(manual_review, '$.status') = 'open'",
        "json_extract(manual_review, '$.at')"
    );
    const POSTGRES: &str = queues!(
        "manual_review ->> 'status' = 'open'",
        "CAST(manual_review ->> 'at' AS TIMESTAMPTZ)"
    );
    let month = i64::try_from(DAYS).unwrap_or_default();
    let statement = sql(SQLITE)
        .on_postgres(POSTGRES)
        .bind(now - TimeDelta::hours(1))
        .bind(now - CONFIRMED_WITHIN)
        .bind(now - TimeDelta::days(month));
    let rows: Vec<Counted> = session.all(statement).await?;
    let queue = |Counted { kind, count, oldest_at }| Queue { kind, count, oldest_at };
    Ok(rows.into_iter().map(queue).collect())
}

/// The jobs by status.
pub async fn jobs(session: &mut Session) -> Result<Vec<JobsInStatus>> {
    let mut statuses = JobStatus::ALL.iter().map(|status| {
        let jobs = Query::select()
            .expr(Expr::cust("1 AS one"))
            .from("job")
            .only("status", Some(*status))
            .limit(10_001)
            .take();
        Query::select()
            .expr_as(Expr::val(*status), "status")
            .expr_as(Expr::cust("COUNT(*)"), "count")
            .from_subquery(jobs, "q")
            .take()
    });
    let Some(mut all) = statuses.next() else {
        return Ok(Vec::new());
    };
    for status in statuses {
        all.union(UnionType::All, status);
    }
    let rows: Vec<(JobStatus, i64)> = session.all(all).await?;
    Ok(rows.into_iter().map(|(status, count)| JobsInStatus { status, count }).collect())
}

#[derive(FromRow)]
struct Balances {
    fees: Cents,
    subscriptions: Cents,
    processor_costs: Cents,
    dispute_costs: Cents,
    disputed: Cents,
    clearing: Cents,
    refunding: Cents,
    under_way: Cents,
}

/// The platform's own accounts, and the money of payouts that have not arrived.
pub async fn books(session: &mut Session) -> Result<Books> {
    macro_rules! balance {
        ($account:literal) => {
            concat!(
                "COALESCE((SELECT balance_cents FROM ledger_account WHERE name = '",
                $account,
                "'), 0)"
            )
        };
    }
    const TEXT: &str = concat!(
        "SELECT ",
        balance!("platform:fees"),
        " AS fees, ",
        balance!("platform:subscriptions"),
        " AS subscriptions, ",
        balance!("platform:processor_costs"),
        " AS processor_costs, ",
        balance!("platform:dispute_costs"),
        " AS dispute_costs, ",
        balance!("processor:disputed"),
        " AS disputed, ",
        balance!("processor:clearing"),
        " AS clearing, ",
        balance!("processor:refunding"),
        " AS refunding, CAST(COALESCE((SELECT SUM(amount_cents) FROM payout \
         WHERE status IN ('on_hold', 'pending', 'in_transit')), 0) AS BIGINT) AS under_way",
    );
    let found: Balances = session.one(sql(TEXT)).await?;
    // The accounts of costs are below zero; that of disputes contains what is advanced, too.
    let dispute_costs = -found.dispute_costs - found.disputed;
    Ok(Books {
        fees_cents: found.fees,
        subscriptions_cents: found.subscriptions,
        processor_costs_cents: -found.processor_costs,
        dispute_costs_cents: dispute_costs,
        disputed_cents: found.disputed,
        kept_cents: found.fees + found.subscriptions + found.processor_costs - dispute_costs,
        clearing_cents: found.clearing,
        refunding_cents: found.refunding,
        payouts_under_way_cents: found.under_way,
    })
}
