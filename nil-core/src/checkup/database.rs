//! Looks at the database.

use super::Finding;
use super::finding::reason;
use crate::backoffice::belonging;
use crate::error::{Error, Result};
use crate::kernel::Time;
use crate::platform::Platform;
use crate::storage::moving::{GO_ON, HALF_FILLED, says_half_filled};
use crate::storage::{self, Dialect, partitions, sql};

const DATABASE: &str = "database";
const CLOCK: &str = "clock";

/// What to do about a database that does not answer.
const REACH_IT: &str = "See that it runs, and that `database` is its address (`nil config show`).";

/// The oldest PostgreSQL that the suites run on.
const OLDEST: i64 = 150_000;
/// The connections of a server that listen.
const LISTENING: i64 = 2;
/// From which difference of the clocks on times look wrong, in seconds.
const APART: i64 = 2;

/// What PostgreSQL says about itself.
struct Engine {
    version: String,
    number: i64,
    encoding: String,
    locale: String,
    connections: i64,
    replica: bool,
    now: Time,
}

/// What keeps the database from being opened.
#[must_use]
pub fn unopened(error: &Error) -> Finding {
    if says_half_filled(error) {
        return Finding::bad(DATABASE, HALF_FILLED, GO_ON);
    }
    Finding::bad(DATABASE, error.message().to_owned(), REACH_IT)
}

/// Looks at the engine and its clock.
pub(super) async fn engine(platform: &Platform) -> Vec<Finding> {
    let said = match platform.db().dialect() {
        Dialect::Sqlite => sqlite(platform).await,
        Dialect::Postgres => postgres(platform).await,
    };
    said.unwrap_or_else(|error| vec![Finding::bad(DATABASE, reason(&error), REACH_IT)])
}

async fn sqlite(platform: &Platform) -> Result<Vec<Finding>> {
    let mut session = platform.db().read().await?;
    let version: String = session.value(sql("SELECT sqlite_version()")).await?;
    let journal: String =
        session.value(sql("SELECT journal_mode FROM pragma_journal_mode")).await?;
    let bytes: i64 = session
        .value(sql(
            "SELECT p.page_count * s.page_size FROM pragma_page_count p, pragma_page_size s",
        ))
        .await?;
    let says = format!("SQLite {version}, {} MiB.", bytes / (1024 * 1024));
    Ok(vec![if journal == "wal" {
        Finding::good(DATABASE, says)
    } else {
        let mend = "Keep the file on a disk of this machine: network drives cannot share memory.";
        Finding::bad(DATABASE, format!("{says} Its journal is `{journal}` instead of `wal`."), mend)
    }])
}

async fn postgres(platform: &Platform) -> Result<Vec<Finding>> {
    let mut session = platform.db().read().await?;
    let asked = sql(
        "SELECT current_setting('server_version'), current_setting('server_version_num')::bigint, \
            current_setting('server_encoding'), d.datcollate::text, \
            current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint, \
            pg_is_in_recovery(), clock_timestamp() \
        FROM pg_database d WHERE d.datname = current_database()",
    );
    let (version, number, encoding, locale, connections, replica, now) = session.one(asked).await?;
    let engine = Engine { version, number, encoding, locale, connections, replica, now };
    let pooling = &platform.config().pooling;
    // One asks how far a replica is behind.
    let asking = i64::from(pooling.replica.is_some());
    let own = i64::from(pooling.connections) + LISTENING + asking;
    Ok(judged(&engine, own, platform.now()))
}

/// Looks at the replica, if there is one.
pub(super) async fn replica(platform: &Platform) -> Option<Finding> {
    const REPLICA: &str = "replica";
    Some(match platform.db().replica_behind().await? {
        Ok(bytes) => {
            let says = format!("It answers, {} KiB of the log behind the primary.", bytes / 1024);
            Finding::good(REPLICA, says)
        }
        Err(why) => {
            let mend = "Give a streaming replica of the database in `database_replica`. Until then all is read from the primary.";
            Finding::warning(REPLICA, why, mend)
        }
    })
}

/// Looks whether the ranges of divided tables have room, if the engine divides any.
pub(super) async fn partitions(platform: &Platform) -> Option<Finding> {
    const PARTITIONS: &str = "partitions";
    let rooms = match partitions::rooms_of(platform.db()).await {
        Ok(rooms) => rooms,
        Err(error) => return Some(Finding::unread(PARTITIONS, &error)),
    };
    let least = rooms.iter().min_by_key(|room| room.left())?;
    let says = format!("The ranges of `{}` take {} more rows.", least.table, least.left());
    Some(if least.left() > 0 {
        Finding::good(PARTITIONS, says)
    } else {
        let mend = "Run a worker (`nil serve` or `nil worker`): it makes the next range. Until then rows go to the rest, and nothing fails.";
        Finding::warning(PARTITIONS, says, mend)
    })
}

/// Judges the engine for servers that open `own` connections each.
fn judged(engine: &Engine, own: i64, here: Time) -> Vec<Finding> {
    let Engine { version, encoding, locale, connections, .. } = engine;
    let says =
        format!("PostgreSQL {version}, {encoding}, locale {locale}, {connections} connections.");
    let finding = if engine.replica {
        let mend = "Give the address of the primary in `database`.";
        Finding::bad(DATABASE, format!("{says} It is a replica, which cannot be written to."), mend)
    } else if engine.number < OLDEST {
        Finding::bad(DATABASE, says, "Upgrade PostgreSQL to 15 or newer.")
    } else if encoding != "UTF8" {
        let mend = "Make the database anew: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0. Then restore a backup.";
        Finding::bad(DATABASE, says, mend)
    } else if *connections < 2 * own {
        let mend = format!(
            "A server needs {own} connections, and two run while one replaces the other: raise max_connections, or set `database_connections`."
        );
        Finding::warning(DATABASE, says, mend)
    } else {
        Finding::good(DATABASE, says)
    };
    let apart = (here - engine.now).num_seconds().abs();
    let says = format!("The database's clock and this machine's are {apart} seconds apart.");
    let clock = if apart < APART {
        Finding::good(CLOCK, says)
    } else {
        Finding::warning(CLOCK, says, "Let both machines keep their time by NTP.")
    };
    vec![finding, clock]
}

/// Looks for missing migrations; whether there are none.
pub(super) async fn migrations(platform: &Platform) -> (bool, Finding) {
    const MIGRATIONS: &str = "migrations";
    let finding = match storage::pending(platform.db()).await {
        Ok(drift) if drift.is_none() => {
            return (
                true,
                Finding::good(MIGRATIONS, "The database has the tables of this version."),
            );
        }
        Ok(drift) if drift.unknown.is_empty() => Finding::bad(
            MIGRATIONS,
            format!("{} migrations are missing.", drift.missing.len()),
            "Make a backup, then run `nil migrate`, or start the server.",
        ),
        Ok(_) => Finding::bad(
            MIGRATIONS,
            "The database was made by a newer version.",
            "Install that version, or restore a backup of this one.",
        ),
        Err(error) => Finding::unread(MIGRATIONS, &error),
    };
    (false, finding)
}

/// Checks that the secret key is the database's.
pub(super) async fn key(platform: &Platform) -> Finding {
    const KEY: &str = "secret key";
    match belonging::begun(platform.db()).await {
        Ok(false) => {
            return Finding::good(KEY, "The database has none yet; it takes the first one.");
        }
        Ok(true) => {}
        Err(error) => return Finding::unread(KEY, &error),
    }
    match belonging::confirm(platform.db(), platform.vault()).await {
        Ok(()) => Finding::good(KEY, "It is the one that the database was begun with."),
        Err(error) => Finding::bad(
            KEY,
            error.message().to_owned(),
            "Put secret.key back from where you keep it. Without it, what is sealed cannot be opened.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::super::State;
    use super::*;

    fn engine(change: impl FnOnce(&mut Engine)) -> Vec<State> {
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        let mut engine = Engine {
            version: "15.4".into(),
            number: 150_004,
            encoding: "UTF8".into(),
            locale: "C.UTF-8".into(),
            connections: 97,
            replica: false,
            now,
        };
        change(&mut engine);
        judged(&engine, 26, now).iter().map(|finding| finding.state).collect()
    }

    #[test]
    fn what_postgres_must_be_is_judged() {
        assert_eq!(engine(|_| {}), [State::Good, State::Good]);
        assert_eq!(engine(|engine| engine.encoding = "SQL_ASCII".into())[0], State::Bad);
        assert_eq!(engine(|engine| engine.number = 140_011)[0], State::Bad);
        assert_eq!(engine(|engine| engine.replica = true)[0], State::Bad);
        assert_eq!(engine(|engine| engine.connections = 40)[0], State::Warning);
        for seconds in [-90, 90] {
            let late = |engine: &mut Engine| engine.now += TimeDelta::seconds(seconds);
            assert_eq!(self::engine(late), [State::Good, State::Warning]);
        }
    }
}
