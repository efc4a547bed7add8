//! What is kept for nobody any more goes: a few rows at a time, each piece in a transaction of its own,
//! and only where a look through the index says that there is something.

use chrono::TimeDelta;

use super::paging::Failed;
use crate::error::{Kind, Result};
use crate::kernel::Time;
use crate::platform::Platform;
use crate::storage::sql;

/// One kind of rows, and when they go. `docs/operating.md` has the same table.
struct Rule {
    what: &'static str,
    /// How long after the instant that `$1` is compared with.
    after: TimeDelta,
    /// Finds out whether there is one.
    any: &'static str,
    /// Removes up to five hundred.
    remove: &'static str,
}

const RULES: [Rule; 11] = [
    Rule {
        what: "answers to idempotency keys",
        after: TimeDelta::zero(),
        any: "SELECT CAST(1 AS BIGINT) FROM idempotency WHERE expires_at <= $1 LIMIT 1",
        remove: "DELETE FROM idempotency WHERE (caller, key) IN (SELECT caller, key \
            FROM idempotency WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)",
    },
    Rule {
        what: "sessions",
        after: TimeDelta::zero(),
        any: "SELECT CAST(1 AS BIGINT) FROM session WHERE expires_at <= $1 LIMIT 1",
        remove: "DELETE FROM session WHERE id IN (SELECT id FROM session \
            WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)",
    },
    Rule {
        what: "links",
        after: TimeDelta::zero(),
        any: "SELECT CAST(1 AS BIGINT) FROM link_token WHERE expires_at <= $1 LIMIT 1",
        remove: "DELETE FROM link_token WHERE (purpose, subject_id) IN (SELECT purpose, subject_id \
            FROM link_token WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)",
    },
    Rule {
        what: "requests for access whose mailbox nobody showed",
        after: TimeDelta::zero(),
        any: "SELECT CAST(1 AS BIGINT) FROM portal_registration WHERE expires_at <= $1 LIMIT 1",
        remove: "DELETE FROM portal_registration WHERE id IN (SELECT id FROM portal_registration \
            WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)",
    },
    Rule {
        what: "one-time codes",
        after: TimeDelta::zero(),
        any: "SELECT CAST(1 AS BIGINT) FROM one_time_code WHERE expires_at <= $1 LIMIT 1",
        remove: "DELETE FROM one_time_code WHERE (purpose, subject_id) IN \
            (SELECT purpose, subject_id FROM one_time_code \
             WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)",
    },
    Rule {
        what: "nonces of signed requests",
        after: TimeDelta::zero(),
        any: "SELECT CAST(1 AS BIGINT) FROM used_nonce WHERE expires_at <= $1 LIMIT 1",
        remove: "DELETE FROM used_nonce WHERE (api_key_id, nonce) IN (SELECT api_key_id, nonce \
            FROM used_nonce WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)",
    },
    Rule {
        what: "counts of mails to an address",
        after: TimeDelta::zero(),
        any: "SELECT CAST(1 AS BIGINT) FROM mail_allowance WHERE day_ends_at <= $1 LIMIT 1",
        remove: "DELETE FROM mail_allowance WHERE recipient IN (SELECT recipient \
            FROM mail_allowance WHERE day_ends_at <= $1 ORDER BY day_ends_at LIMIT 500)",
    },
    Rule {
        what: "turns at an account's log-in",
        after: TimeDelta::hours(1),
        any: "SELECT CAST(1 AS BIGINT) FROM login_turn WHERE next_at <= $1 LIMIT 1",
        remove: "DELETE FROM login_turn WHERE account IN (SELECT account FROM login_turn \
            WHERE next_at <= $1 ORDER BY next_at LIMIT 500)",
    },
    Rule {
        what: "failed log-ins",
        after: TimeDelta::hours(1),
        any: "SELECT CAST(1 AS BIGINT) FROM login_failure WHERE at <= $1 LIMIT 1",
        remove: "DELETE FROM login_failure WHERE id IN (SELECT id FROM login_failure \
            WHERE at <= $1 ORDER BY at LIMIT 500)",
    },
    // Nobody is told of a date that is more than thirty days past.
    Rule {
        what: "reminders",
        after: TimeDelta::days(60),
        any: "SELECT CAST(1 AS BIGINT) FROM reminder WHERE due_at <= $1 LIMIT 1",
        remove: "DELETE FROM reminder WHERE (event, subject_id, due_at) IN \
            (SELECT event, subject_id, due_at FROM reminder \
             WHERE due_at <= $1 ORDER BY due_at LIMIT 500)",
    },
    // The newest row stays: SQLite would give its id to the next one, and feeds and couriers know
    // messages by their id.
    Rule {
        what: "messages that were delivered or given up",
        after: TimeDelta::days(30),
        any: "SELECT CAST(1 AS BIGINT) FROM outbox WHERE status <> 'pending' AND created_at <= $1 \
            AND id < (SELECT MAX(id) FROM outbox) LIMIT 1",
        remove: "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox \
            WHERE status <> 'pending' AND created_at <= $1 \
            AND id < (SELECT MAX(id) FROM outbox) ORDER BY created_at LIMIT 500)",
    },
];

/// How many pieces of one kind go at a time; the rest goes the next time.
const PIECES: usize = 20;

/// Removes what every rule says; answers how many rows.
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
