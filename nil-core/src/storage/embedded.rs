//! One connection to SQLite, called in place: a statement runs on the caller's thread.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{CachedStatement, Connection, ErrorCode, OpenFlags, StatementStatus};
use sea_query::Values;
use sqlx::SqlStr;

use super::PATIENCE;
use super::cells::Cells;
use super::functions::add_functions;
use super::record::{Read, Record};
use super::values::Bound;

/// The number of prepared statements a connection keeps.
const PREPARED: usize = 400;
/// The number of SQLite's steps between two checks of the time limit.
const STEPS: i32 = 1_000;
/// A writing statement with more steps than this takes longer than a millisecond or two.
const HEAVY: i32 = 50_000;

/// An open connection.
#[derive(Debug)]
pub(super) struct Embedded {
    connection: Connection,
    limit: Limit,
}

/// A statement with its values.
pub(super) struct Asked {
    pub(super) text: SqlStr,
    pub(super) values: Values,
    pub(super) wanted: Wanted,
}

/// Takes the rows of a statement one by one, so that they are not kept.
pub(super) trait Taker: Send {
    /// Forgets the rows of a run that was interrupted.
    fn begin(&mut self);
    /// Takes the current row. An error ends the statement.
    fn take(&mut self, row: &Record) -> Read<()>;
    /// Hands over the result of all rows, or the error of one.
    fn end(&mut self, taken: Read<()>);
}

/// The result of a statement.
pub(super) struct Answer {
    pub(super) cells: Cells,
    /// The number of rows changed.
    pub(super) changed: u64,
    /// Whether it took so long that it should run aside the next time.
    pub(super) long: bool,
}

/// The part of the result that is wanted.
pub(super) enum Wanted {
    /// Every row.
    All,
    /// The first row.
    First,
    /// The number of rows changed.
    Count,
    /// Every row, but none is kept.
    Each(Box<dyn Taker>),
}

impl Embedded {
    /// Opens the file for the single writer, and creates it if necessary. Waits for other
    /// processes.
    pub(super) fn writer(path: &Path) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let writer = Self::open(path, flags)?;
        writer.waiting(|writer| {
            // `FULL`: an acknowledged commit is durable, so every commit waits for the disk.
            writer.say(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
            )?;
            // What is deleted is overwritten, instead of standing in free pages until they are used
            // again.
            writer.say("PRAGMA secure_delete = ON")?;
            // Another tool's statistics grow stale: they once told that a table is short which is
            // long now. Statements are written, and their plans tested, for a planner without any.
            writer.script("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4")
        })?;
        Ok(writer)
    }

    /// Opens an existing file for reading.
    pub(super) fn reader(path: &Path) -> rusqlite::Result<Self> {
        Self::open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
    }

    fn open(path: &Path, flags: OpenFlags) -> rusqlite::Result<Self> {
        // Only one thread at a time uses the connection, so it needs no lock of its own.
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(Duration::ZERO)?;
        // Plans do not depend on bound values. Otherwise SQLite plans a statement again whenever a
        // value that it compares with an index's statistics changes: after ANALYZE that is at
        // almost every call.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        add_functions(&connection)?;
        let limit = Limit::default();
        let looked_at = limit.clone();
        connection.progress_handler(STEPS, Some(move || looked_at.is_over()))?;
        Ok(Self { connection, limit })
    }

    /// The time limit of the running statement.
    pub(super) fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Runs fixed statements that return nothing, such as `BEGIN`. They have no time limit: SQLite
    /// writes its full-text index when a savepoint begins or ends.
    pub(super) fn say(&self, texts: &str) -> rusqlite::Result<()> {
        self.limit.lift();
        for text in texts.split(';') {
            self.connection.prepare_cached(text)?.raw_query().next()?;
        }
        Ok(())
    }

    /// Runs a script that is not worth preparing.
    pub(super) fn script(&self, text: &str) -> rusqlite::Result<()> {
        self.limit.lift();
        self.connection.execute_batch(text)
    }

    /// Whether no transaction is open: none was begun, or SQLite has rolled it back by itself.
    pub(super) fn is_idle(&self) -> bool {
        self.connection.is_autocommit()
    }

    /// Moves the write-ahead log into the file and empties it, with all that stands in it of rows
    /// that are gone; returns whether nobody was reading who still needs it.
    pub(super) fn empty_log(&self) -> rusqlite::Result<bool> {
        self.limit.lift();
        let busy: i64 =
            self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        Ok(busy == 0)
    }

    /// Runs a closure that may wait for other processes: not in place, but where threads may block.
    pub(super) fn waiting<T>(
        &self,
        work: impl FnOnce(&Self) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        self.connection.busy_timeout(PATIENCE)?;
        let done = work(self);
        self.connection.busy_timeout(Duration::ZERO)?;
        done
    }

    /// Runs a statement in place.
    pub(super) fn run(
        &self,
        asked: &mut Asked,
        reading: Option<Duration>,
    ) -> rusqlite::Result<Answer> {
        self.limit.renew();
        self.run_renewed(asked, reading)
    }

    /// Runs a statement to its end, or to its first row. A reading statement has the time limit
    /// `reading` and can be stopped. A writing statement has no limit: interrupting it would roll
    /// back the whole transaction, including the work of others.
    pub(super) fn run_renewed(
        &self,
        asked: &mut Asked,
        reading: Option<Duration>,
    ) -> rusqlite::Result<Answer> {
        let mut statement = self.connection.prepare_cached(asked.text.as_str())?;
        let reads = statement.readonly();
        match (reads, reading) {
            (true, Some(time)) => self.limit.set(time),
            (true, None) => {}
            (false, _) => self.limit.lift(),
        }
        bind(&mut statement, &asked.values)?;
        let cells = match &mut asked.wanted {
            Wanted::Each(taker) => {
                each(statement.raw_query(), taker.as_mut())?;
                Cells::default()
            }
            wanted => collected(statement.raw_query(), wanted)?,
        };
        // SQLite keeps the previous number after a statement that changes nothing.
        let changed = if reads { 0 } else { self.connection.changes() };
        let steps = statement.reset_status(StatementStatus::VmStep);
        Ok(Answer { cells, changed, long: !reads && steps > HEAVY })
    }
}

/// The rows of a statement, as far as they are wanted.
fn collected(mut rows: rusqlite::Rows<'_>, wanted: &Wanted) -> rusqlite::Result<Cells> {
    let mut cells = Cells::default();
    while let Some(row) = rows.next()? {
        match wanted {
            Wanted::Count => continue,
            _ => cells.add(row)?,
        }
        if matches!(wanted, Wanted::First) {
            // With RETURNING, all changes are made before the first row comes.
            break;
        }
    }
    Ok(cells)
}

/// Shows each row to the taker, in the same cells.
fn each(mut rows: rusqlite::Rows<'_>, taker: &mut dyn Taker) -> rusqlite::Result<()> {
    taker.begin();
    let mut record = Record::from(Cells::default());
    while let Some(row) = rows.next()? {
        record.replace(row)?;
        if let Err(error) = taker.take(&record) {
            taker.end(Err(error));
            return Ok(());
        }
    }
    taker.end(Ok(()));
    Ok(())
}

/// Binds each parameter by the number in its name. SQLite treats `$2` as a name and numbers names
/// in the order of their first use; `?` has no name and is counted.
fn bind(statement: &mut CachedStatement<'_>, values: &Values) -> rusqlite::Result<()> {
    for place in 1..=statement.parameter_count() {
        let number = match statement.parameter_name(place) {
            Some(name) => name.trim_start_matches(['$', '?']).parse().unwrap_or(usize::MAX),
            None => place,
        };
        let value = values.0.get(number.wrapping_sub(1));
        let value = value.ok_or(rusqlite::Error::InvalidParameterCount(number, values.0.len()))?;
        statement.raw_bind_parameter(place, Bound(value))?;
    }
    Ok(())
}

/// Whether a statement ended because of its time limit.
pub(super) fn is_over(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}

/// Whether another process holds a lock.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// When the statement running on a connection must end: microseconds since [`START`].
#[derive(Clone, Debug)]
pub(super) struct Limit(Arc<AtomicU64>);

/// It has no limit and cannot be stopped.
const NEVER: u64 = u64::MAX;
/// It runs until it is stopped.
const OPEN: u64 = u64::MAX - 1;
/// It has been stopped.
const STOPPED: u64 = 0;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn elapsed() -> u64 {
    u64::try_from(START.elapsed().as_micros()).unwrap_or(OPEN)
}

impl Default for Limit {
    fn default() -> Self {
        Self(Arc::new(AtomicU64::new(OPEN)))
    }
}

impl Limit {
    /// Resets the limit of the previous statement.
    pub(super) fn renew(&self) {
        self.0.store(OPEN, Ordering::SeqCst);
    }

    /// Sets the statement's time limit, unless it has already been stopped.
    fn set(&self, time: Duration) {
        let end = elapsed().saturating_add(u64::try_from(time.as_micros()).unwrap_or(OPEN));
        let _ = self.0.compare_exchange(OPEN, end, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// The statement can neither time out nor be stopped.
    fn lift(&self) {
        self.0.store(NEVER, Ordering::SeqCst);
    }

    /// Ends the running statement, if it may be ended.
    pub(super) fn stop(&self) {
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |limit| {
            (limit != NEVER).then_some(STOPPED)
        });
    }

    fn is_over(&self) -> bool {
        match self.0.load(Ordering::Relaxed) {
            NEVER | OPEN => false,
            limit => elapsed() >= limit,
        }
    }
}

/// Statements for the tests of readers and writers.
#[cfg(test)]
pub(super) mod asking {
    use sqlx::SqlSafeStr as _;

    use super::super::record::Rows;
    use super::*;

    pub(in super::super) const ENDLESS: &str = "WITH RECURSIVE n(i) AS \
        (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n";

    pub(in super::super) fn asked(text: &'static str) -> Asked {
        Asked { text: text.into_sql_str(), values: Values(Vec::new()), wanted: Wanted::All }
    }

    pub(in super::super) fn number(answer: Answer) -> i64 {
        Rows::Cells(answer.cells).decode::<(i64,)>().unwrap()[0].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `.cargo/config.toml` sets how SQLite is built.
    #[test]
    fn readers_share_no_lock_of_the_engines() {
        let connection = Connection::open_in_memory().unwrap();
        let mut options = connection.prepare("PRAGMA compile_options").unwrap();
        let options = options.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let options: Vec<String> = options.map(Result::unwrap).collect();
        assert!(!options.contains(&"ENABLE_MEMORY_MANAGEMENT".into()), "{options:?}");
        assert!(options.contains(&"DEFAULT_MEMSTATUS=0".into()), "{options:?}");
    }
}
