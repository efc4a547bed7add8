//! Removes data that is no longer needed: a few rows at a time, each piece in its own transaction,
//! and only if an index lookup finds any.

use chrono::TimeDelta;

use crate::error::{Kind, Result};
use crate::kernel::Time;
use crate::platform::Platform;
use crate::schedule::due::Failed;
use crate::storage::sql;

/// A kind of rows, and when they are removed. `docs/operating.md` has the same table.
struct Rule {
    what: &'static str,
    /// The time after the instant that `$1` is compared with.
    after: TimeDelta,
    /// Checks whether there are any such rows.
    any: &'static str,
    /// Removes up to five hundred.
    remove: &'static str,
}

/// A rule for the rows of a table, named by their key, that meet a condition on `$1`. The order
/// leads the planner to the index: with `LIMIT 1` alone, PostgreSQL assumes that a third of a large
/// table matches, and reads it from the start.
macro_rules! rule {
    ($what:literal, $after:expr, $key:literal of $table:literal where $condition:literal by $order:literal) => {
        Rule {
            what: $what,
            after: $after,
            any: concat!(
                "SELECT CAST(1 AS BIGINT) FROM ",
                $table,
                " WHERE ",
                $condition,
                " ORDER BY ",
                $order,
                " LIMIT 1"
            ),
            remove: concat!(
                "DELETE FROM ",
                $table,
                " WHERE (",
                $key,
                ") IN (SELECT ",
                $key,
                " FROM ",
                $table,
                " WHERE ",
                $condition,
                " ORDER BY ",
                $order,
                " LIMIT 500)"
            ),
        }
    };
}

const RULES: [Rule; 19] = [
    rule!("answers to idempotency keys", TimeDelta::zero(),
        "caller, key" of "idempotency" where "expires_at <= $1" by "expires_at"),
    rule!("sessions", TimeDelta::zero(), "id" of "session" where "expires_at <= $1" by "expires_at"),
    rule!("sign-ons that were begun", TimeDelta::zero(),
        "state_hash" of "sign_on_start" where "expires_at <= $1" by "expires_at"),
    rule!("messages of identity providers", TimeDelta::zero(),
        "token_hash" of "sign_on_log_out" where "expires_at <= $1" by "expires_at"),
    rule!("links", TimeDelta::zero(),
        "purpose, subject_id" of "link_token" where "expires_at <= $1" by "expires_at"),
    rule!("access requests with an unverified mailbox", TimeDelta::zero(),
        "id" of "portal_registration" where "expires_at <= $1" by "expires_at"),
    rule!("one-time codes", TimeDelta::zero(),
        "purpose, subject_id" of "one_time_code" where "expires_at <= $1" by "expires_at"),
    rule!("nonces of signed requests", TimeDelta::zero(),
        "api_key_id, nonce" of "used_nonce" where "expires_at <= $1" by "expires_at"),
    rule!("counts of mails to an address", TimeDelta::zero(),
        "recipient" of "mail_allowance" where "day_ends_at <= $1" by "day_ends_at"),
    rule!("queue entries for log-ins to an account", TimeDelta::hours(1),
        "account" of "login_turn" where "next_at <= $1" by "next_at"),
    rule!("failed log-ins", TimeDelta::hours(1), "id" of "login_failure" where "at <= $1" by "at"),
    rule!("networks of log-ins", TimeDelta::days(90),
        "account, network" of "known_log_in" where "seen_at <= $1" by "seen_at"),
    // No reminder is sent for a date more than thirty days in the past.
    rule!("reminders", TimeDelta::days(60),
        "event, subject_id, due_at" of "reminder" where "due_at <= $1" by "due_at"),
    rule!("assignments, snoozes and reminders in inboxes", TimeDelta::days(400),
        "kind, record_id" of "inbox_item" where "updated_at <= $1" by "updated_at"),
    rule!("members of squad lists whom no file names any more", TimeDelta::days(400),
        "id" of "squad_member" where "seen_at <= $1" by "seen_at"),
    rule!("exports", TimeDelta::days(90), "id" of "export_report" where
        "expires_at <= $1 AND object_key IS NULL" by "expires_at"),
    // The newest row stays: SQLite would reuse its id for the next row, and feeds and couriers
    // identify messages by id.
    rule!("messages that were delivered or given up", TimeDelta::days(30), "id" of "outbox" where
        "status <> 'pending' AND created_at <= $1 AND id < (SELECT MAX(id) FROM outbox)" by "created_at"),
    // Longer than messages are kept: a report of one that is gone is refused.
    rule!("reports about messages", TimeDelta::days(40), "id" of "delivery_report" where
        "received_at <= $1" by "received_at"),
    rule!("deliveries to webhooks that ended", TimeDelta::days(30), "id" of "webhook_delivery" where
        "status <> 'pending' AND created_at <= $1 AND id < (SELECT MAX(id) FROM webhook_delivery)"
        by "created_at"),
];

/// The number of pieces of one kind removed at a time; the rest is removed the next time.
const PIECES: usize = 20;

/// Applies every rule; returns the number of rows removed.
pub(super) async fn prune(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    let mut failed = Failed::default();
    let mut removed = 0;
    for rule in &RULES {
        match follow(platform, rule, now - rule.after).await {
            Ok(rows) => removed += rows,
            Err(error) if error.kind() == Kind::Again => {}
            Err(error) => failed.note("pruning", rule.what, error)?,
        }
    }
    failed.or(removed)
}

async fn follow(platform: &Platform, rule: &Rule, until: Time) -> Result<usize> {
    let mut removed = 0;
    for _ in 0..PIECES {
        let mut session = platform.db().read().await?;
        let any: Option<(i64,)> = session.first(sql(rule.any).bind(until)).await?;
        drop(session);
        if any.is_none() {
            break;
        }
        let mut session = platform.db().begin().await?;
        let rows = session.run(sql(rule.remove).bind(until)).await?;
        session.commit().await?;
        removed += usize::try_from(rows).unwrap_or(usize::MAX);
    }
    Ok(removed)
}
