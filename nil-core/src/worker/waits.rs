//! Ends waits that were written by a clock that has been set back since: messages, exports and
//! checks would wait for as long as the clock was ahead. Looked for when a process begins, and when
//! it sees that the clock went back.

use crate::error::Result;
use crate::kernel::latest_written;
use crate::platform::Platform;
use crate::schedule::due::Failed;
use crate::storage::sql;

/// A kind of waits, which end at an instant in a column.
struct Rule {
    what: &'static str,
    /// Whether there are any that began after `$2` and have not ended by `$1`.
    any: &'static str,
    /// Ends them at `$1`.
    end: &'static str,
}

macro_rules! rule {
    ($what:literal, $table:literal $end:literal where $waits:literal since $begun:literal) => {
        Rule {
            what: $what,
            any: concat!(
                "SELECT CAST(1 AS BIGINT) FROM ",
                $table,
                " WHERE ",
                $waits,
                " AND ",
                $end,
                " > $1 AND ",
                $begun,
                " > $2 LIMIT 1"
            ),
            end: concat!(
                "UPDATE ",
                $table,
                " SET ",
                $end,
                " = $1 WHERE ",
                $waits,
                " AND ",
                $end,
                " > $1 AND ",
                $begun,
                " > $2"
            ),
        }
    };
}

const RULES: [Rule; 5] = [
    rule!("messages", "outbox" "next_at" where "status = 'pending'"
        since "COALESCE(waits_since, created_at)"),
    rule!("exports", "export_report" "due_at" where "status IN ('queued', 'processing')"
        since "updated_at"),
    rule!("looks at published posts", "watched_post" "look_at" where "look_at IS NOT NULL"
        since "updated_at"),
    rule!("looks at wallets", "payout_account" "look_at" where "look_at IS NOT NULL"
        since "looked_at"),
    rule!("second erasures", "departure" "due_at" where "due_at IS NOT NULL" since "left_at"),
];

/// Ends them all, if this process has not looked yet or the clock went back since.
pub(super) async fn end_impossible(platform: &Platform) -> Result<()> {
    let now = platform.now();
    if !platform.chores().went_back(now) {
        return Ok(());
    }
    let ahead = latest_written(now);
    let mut failed = Failed::default();
    for rule in &RULES {
        let mut session = platform.db().read().await?;
        let any = session.first::<(i64,)>(sql(rule.any).bind(now).bind(ahead)).await?;
        drop(session);
        if any.is_none() {
            continue;
        }
        let mut session = platform.db().begin().await?;
        let ended = session.run(sql(rule.end).bind(now).bind(ahead)).await;
        match ended {
            Ok(rows) => {
                session.commit().await?;
                let what = rule.what;
                tracing::warn!(what, rows, "the clock was set back: these wait no longer");
            }
            Err(error) => failed.note("waits", rule.what, error)?,
        }
    }
    failed.or(())?;
    platform.chores().saw(now);
    Ok(())
}
