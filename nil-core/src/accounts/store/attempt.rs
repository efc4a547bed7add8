//! The rows of log-in attempts, keyed by a hash of the typed account.

use chrono::TimeDelta;

use crate::error::Result;
use crate::kernel::Time;
use crate::storage::{Session, insert, sql, update};

/// How long a wrong password counts.
const FAILURES_COUNT_FOR: TimeDelta = TimeDelta::minutes(15);

/// When the next attempt at `account` can be answered. Locks the row until the end of the
/// transaction, so that concurrent attempts are counted one after another.
pub async fn lock_turn(session: &mut Session, account: &str, now: Time) -> Result<Time> {
    session
        .value(
            sql("INSERT INTO login_turn (account, next_at) VALUES ($1, $2) \
                 ON CONFLICT (account) DO UPDATE SET next_at = login_turn.next_at \
                 RETURNING next_at")
            .bind(account)
            .bind(now),
        )
        .await
}

/// Sets the earliest time for answering the next attempt.
pub async fn set_turn(session: &mut Session, account: &str, next: Time) -> Result<()> {
    session.change(update("login_turn").set("next_at", next).when("account", account)).await
}

/// How many recent attempts at `account` failed or are undecided. One that is further ahead of the
/// clock than it would count is none: the clock was set back.
pub async fn failures(session: &mut Session, account: &str, now: Time) -> Result<i64> {
    session
        .value(
            sql("SELECT COUNT(*) FROM login_failure WHERE account = $1 AND at > $2 AND at < $3")
                .bind(account)
                .bind(now - FAILURES_COUNT_FOR)
                .bind(now + FAILURES_COUNT_FOR),
        )
        .await
}

/// Counts an attempt as failed until its password proves right.
pub async fn note(session: &mut Session, account: &str, now: Time) -> Result<()> {
    session.run(insert("login_failure").set("account", account).set("at", now)).await.map(|_| ())
}

/// Clears the failures of `account` after a correct password.
pub async fn forget_failures(session: &mut Session, account: &str) -> Result<()> {
    session.run(sql("DELETE FROM login_failure WHERE account = $1").bind(account)).await.map(|_| ())
}

/// An account and a network that it logs in from, both as keyed hashes.
#[derive(Clone, Debug)]
pub struct Known {
    pub account: String,
    pub network: String,
}

/// When the account last logged in from this network, if that is not longer ago than `since`.
pub async fn seen(
    session: &mut Session,
    account: &str,
    network: &str,
    since: Time,
) -> Result<Option<Time>> {
    let row: Option<(Time,)> = session
        .first(
            sql("SELECT seen_at FROM known_log_in \
                 WHERE account = $1 AND network = $2 AND seen_at > $3")
            .bind(account)
            .bind(network)
            .bind(since),
        )
        .await?;
    Ok(row.map(|(seen,)| seen))
}

/// Remembers a log-in from a network. Of each account, the twenty networks of the newest log-ins
/// are kept.
pub async fn remember(session: &mut Session, known: &Known, now: Time) -> Result<()> {
    const REST: &str = "DELETE FROM known_log_in WHERE account = $1 AND network NOT IN \
        (SELECT network FROM known_log_in WHERE account = $1 ORDER BY seen_at DESC, network LIMIT 20)";
    let noted = sql("INSERT INTO known_log_in (account, network, seen_at) VALUES ($1, $2, $3) \
                     ON CONFLICT (account, network) DO UPDATE SET seen_at = excluded.seen_at");
    let noted = noted.bind(known.account.clone()).bind(known.network.clone()).bind(now);
    session.run(noted).await?;
    session.run(sql(REST).bind(known.account.clone())).await.map(|_| ())
}

/// Forgets the networks of an account.
pub async fn forget_networks(session: &mut Session, account: &str) -> Result<()> {
    session.run(sql("DELETE FROM known_log_in WHERE account = $1").bind(account)).await.map(|_| ())
}
