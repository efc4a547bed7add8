//! One connection or one transaction, and the functions that run statements on it.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use sea_query::{Expr, ExprTrait as _, LockType, Query};

use super::embedded::{Answer, Asked, Taker, Wanted};
use super::later::Waiting;
use super::lent::{Lent, spent};
use super::postgres::{Server, Sharing};
use super::readers::{Readers, Taken};
use super::record::{Answered, FromRow, Read, Record, Rows};
use super::statement::{Insert, Rendered, Statement};
use super::watch::Watch;
use super::write_queue::Turn;
use super::{Dialect, sql};
use crate::error::{Error, Result, codes};

/// A struct that a row of either engine can be read into, on any thread.
pub trait Row: FromRow + Send {}

impl<T: FromRow + Send> Row for T {}

/// The parameter of finders. The first statement that fails ends it, on both engines: PostgreSQL
/// refuses further statements by itself, SQLite would continue with half a transaction.
#[derive(Debug)]
pub struct Session {
    on: On,
    failed: bool,
    watch: Watch,
    /// Writes that wait, and texts to send with them; never on SQLite.
    pub(super) waiting: Option<Box<Waiting>>,
}

#[derive(Debug)]
pub(super) enum On {
    /// SQLite, for reading.
    Readers(Readers),
    /// SQLite, for reading a snapshot.
    Snapshot(Taken),
    /// SQLite, for writing.
    Turn(Turn),
    /// SQLite: handed to a statement that failed or was cancelled.
    Given,
    /// PostgreSQL, for writing, before the first statement.
    Unbegun(Server),
    /// PostgreSQL, for reading.
    Connection(Lent),
    /// PostgreSQL, for reading, through a pool that shares sessions.
    Shared(Lent, Arc<Sharing>),
    /// PostgreSQL, and whether its statements have names.
    Transaction(Lent, bool),
}

/// The first of these records; 404 if there is none. For functions that complete lists of records:
/// a single record is a list of one.
pub fn first_of<T>(records: impl IntoIterator<Item = T>) -> Result<T> {
    records.into_iter().next().ok_or_else(|| codes::NOT_FOUND.into())
}

impl Session {
    pub(super) fn new(on: On, watch: Watch) -> Self {
        Self { on, failed: false, watch, waiting: None }
    }

    /// Runs a statement on the session's connection, after the writes that wait.
    async fn ask(&mut self, rendered: Rendered, wanted: Wanted) -> Result<Answered> {
        if self.waiting.is_some() {
            // Boxed: it asks in its turn.
            Box::pin(self.write_now()).await?;
        }
        if self.failed {
            return Err(spent());
        }
        self.watch.asked(&rendered.text, &rendered.values);
        // A future dropped in the middle of a statement leaves the session failed.
        self.failed = true;
        if let On::Unbegun(server) = &self.on {
            self.watch.begun();
            self.on = Box::pin(server.clone().begun()).await?;
        }
        let answered = match &mut self.on {
            On::Connection(on) => on.ask(rendered, wanted, true).await?,
            On::Transaction(on, named) => on.ask(rendered, wanted, *named).await?,
            // Boxed: every caller's future holds this one's, and most databases have no such pool.
            On::Shared(on, sharing) => Box::pin(ask_shared(on, sharing, rendered, wanted)).await?,
            _ => {
                let Rendered { text, values } = rendered;
                let asked = Asked { text, values, wanted };
                let Answer { cells, changed, .. } = self.ask_sqlite(asked).await?;
                Answered { rows: Rows::Cells(cells), changed }
            }
        };
        self.failed = false;
        Ok(answered)
    }

    /// A transaction's connection is given to the statement, which returns it unless it fails.
    async fn ask_sqlite(&mut self, asked: Asked) -> Result<Answer> {
        if let On::Readers(readers) = &self.on {
            return readers.ask(asked).await;
        }
        let answer;
        (self.on, answer) = match std::mem::replace(&mut self.on, On::Given) {
            On::Snapshot(taken) => {
                let (taken, answer) = taken.ask(asked).await?;
                (On::Snapshot(taken), answer)
            }
            On::Turn(turn) => {
                let (turn, answer) = turn.ask(asked).await?;
                (On::Turn(turn), answer)
            }
            _ => return Err(spent()),
        };
        Ok(answer)
    }

    /// Runs a statement and reads its rows into structs.
    async fn rows<T: Row>(&mut self, statement: impl Statement, wanted: Wanted) -> Result<Vec<T>> {
        let rendered = statement.render(self.dialect());
        let answered = self.ask(rendered, wanted).await?;
        answered.rows.decode().map_err(|error| {
            self.failed = true;
            Error::from(error)
        })
    }

    /// The rows of a statement, not yet read.
    pub(super) async fn rows_of(&mut self, rendered: Rendered) -> Result<Rows> {
        Ok(self.ask(rendered, Wanted::All).await?.rows)
    }

    /// The only row of a statement of PostgreSQL.
    pub(super) async fn record_of(&mut self, rendered: Rendered) -> Result<Record> {
        match self.ask(rendered, Wanted::First).await?.rows {
            Rows::Postgres(rows) => rows.into_iter().next().map(Record::from),
            Rows::Cells(_) | Rows::Written(_) => None,
        }
        .ok_or_else(|| Error::internal("a statement without its row"))
    }

    /// The number of rows that a statement changes.
    pub(super) async fn count_of(&mut self, rendered: Rendered) -> Result<u64> {
        Ok(self.ask(rendered, Wanted::Count).await?.changed)
    }

    /// The dialect of its engine.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match self.on {
            On::Readers(_) | On::Snapshot(_) | On::Turn(_) | On::Given => Dialect::Sqlite,
            On::Unbegun(_) | On::Connection(_) | On::Shared(..) | On::Transaction(..) => {
                Dialect::Postgres
            }
        }
    }

    /// Lifts the time limits of a transaction of PostgreSQL, but for that of locks. For work whose
    /// length grows with what is kept.
    pub async fn take_all_the_time(&mut self) -> Result<()> {
        if self.dialect() == Dialect::Sqlite {
            return Ok(());
        }
        let unlimited = "SELECT set_config('statement_timeout', '0', TRUE), \
            set_config('idle_in_transaction_session_timeout', '0', TRUE)";
        self.run(sql(unlimited)).await?;
        if let On::Transaction(transaction, _) = &mut self.on {
            transaction.take_all_the_time();
        }
        Ok(())
    }

    /// Makes the session one that cannot be committed.
    pub(super) fn fail(&mut self) {
        self.failed = true;
    }

    /// Whether a statement has failed in this session, so that it cannot run more.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// Every row.
    pub async fn all<T: Row>(&mut self, statement: impl Statement) -> Result<Vec<T>> {
        self.rows(statement, Wanted::All).await
    }

    /// Adds up the rows without keeping them: `add` takes each in turn. For statements with more
    /// rows than memory should hold.
    pub async fn fold<T, A>(
        &mut self,
        statement: impl Statement,
        add: impl Fn(&mut A, T) + Send + 'static,
    ) -> Result<A>
    where
        T: Row + 'static,
        A: Default + Send + 'static,
    {
        let (adder, sum) = Adder::new(add);
        let rendered = statement.render(self.dialect());
        self.ask(rendered, Wanted::Each(Box::new(adder))).await?;
        let sum = sum.lock().unwrap_or_else(PoisonError::into_inner).take();
        sum.ok_or_else(spent)?.map_err(|error| {
            self.failed = true;
            Error::from(error)
        })
    }

    /// The first row, if there is one.
    pub async fn first<T: Row>(&mut self, statement: impl Statement) -> Result<Option<T>> {
        Ok(self.rows(statement, Wanted::First).await?.pop())
    }

    /// The row, which must exist.
    pub async fn one<T: Row>(&mut self, statement: impl Statement) -> Result<T> {
        self.first(statement).await?.ok_or_else(|| codes::NOT_FOUND.into())
    }

    /// The single value of the single row.
    pub async fn value<T>(&mut self, statement: impl Statement) -> Result<T>
    where
        (T,): Row,
    {
        Ok(self.one::<(T,)>(statement).await?.0)
    }

    /// Locks the row with this id until the transaction ends, so that only one transaction changes
    /// it at a time; 404 if there is none.
    pub async fn lock(&mut self, table: &'static str, id: impl Into<i64>) -> Result<()> {
        let mut row = Query::select();
        row.column("id")
            .from(table)
            .and_where(Expr::col("id").eq(id.into()))
            .lock(LockType::NoKeyUpdate);
        self.value::<i64>(row).await.map(|_| ())
    }

    /// Whether the statement finds a row.
    pub async fn exists(&mut self, statement: impl Statement) -> Result<bool> {
        let rendered = statement.render(self.dialect());
        Ok(!self.ask(rendered, Wanted::First).await?.rows.is_empty())
    }

    /// The row returned by a guarded change; without a row, 409 `state_changed`.
    pub async fn changed<T: Row>(&mut self, statement: impl Statement) -> Result<T> {
        self.first(statement).await?.ok_or_else(|| codes::STATE_CHANGED.into())
    }

    /// Runs the statement; returns the number of rows it changed.
    pub async fn run(&mut self, statement: impl Statement) -> Result<u64> {
        let rendered = statement.render(self.dialect());
        self.count_of(rendered).await
    }

    /// Inserts any number of rows, in pieces: a statement can bind only so many values.
    pub async fn add(&mut self, rows: Insert) -> Result<()> {
        for piece in rows.pieces() {
            self.run(piece).await?;
        }
        Ok(())
    }

    /// Runs a guarded change of exactly one row; if it changes none, 409 `state_changed`.
    pub async fn change(&mut self, statement: impl Statement) -> Result<()> {
        match self.run(statement).await? {
            0 => Err(codes::STATE_CHANGED.into()),
            _ => Ok(()),
        }
    }

    /// Runs a guarded change of this many rows; if it changes fewer, 409 `state_changed`.
    pub async fn change_all(&mut self, rows: usize, statement: impl Statement) -> Result<()> {
        let changed = usize::try_from(self.run(statement).await?);
        if changed.is_ok_and(|changed| changed >= rows) {
            Ok(())
        } else {
            Err(codes::STATE_CHANGED.into())
        }
    }

    /// Runs the writes that wait; returns whether they were a transaction of their own.
    async fn write_last(&mut self) -> Result<bool> {
        if let (On::Unbegun(server), Some(waiting)) = (&self.on, &self.waiting)
            && waiting.can_be_alone()
        {
            self.on = server.reading().await?;
        }
        self.write_now().await?;
        Ok(matches!(self.on, On::Connection(_) | On::Shared(..)))
    }

    /// Commits durably. A session that failed, or that is not a transaction, cannot be committed.
    pub async fn commit(mut self) -> Result<()> {
        if self.waiting.is_some() && Box::pin(self.write_last()).await? {
            return Ok(());
        }
        if self.failed {
            return Err(spent());
        }
        match self.on {
            On::Turn(turn) => turn.commit().await,
            On::Transaction(mut transaction, _) => transaction.commit().await,
            On::Unbegun(_) => Ok(()),
            On::Readers(_) | On::Snapshot(_) | On::Given | On::Connection(_) | On::Shared(..) => {
                Err(spent())
            }
        }
    }
}

/// Adds up rows as they come.
struct Adder<T, A, F> {
    add: F,
    sum: A,
    /// Where its caller finds the sum.
    result: Shared<A>,
    row: PhantomData<fn(T)>,
}

type Shared<A> = Arc<Mutex<Option<Read<A>>>>;

impl<T, A: Default, F: Fn(&mut A, T)> Adder<T, A, F> {
    fn new(add: F) -> (Self, Shared<A>) {
        let result = Shared::default();
        let adder = Self { add, sum: A::default(), result: result.clone(), row: PhantomData };
        (adder, result)
    }
}

impl<T: Row, A: Default + Send, F: Fn(&mut A, T) + Send> Taker for Adder<T, A, F> {
    fn begin(&mut self) {
        self.sum = A::default();
    }

    fn take(&mut self, row: &Record) -> Read<()> {
        (self.add)(&mut self.sum, T::from_row(row)?);
        Ok(())
    }

    fn end(&mut self, taken: Read<()>) {
        let sum = std::mem::take(&mut self.sum);
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(taken.map(|()| sum));
    }
}

/// A statement in a transaction of its own: otherwise it would be parsed in one session and run in
/// another.
async fn ask_shared(
    on: &mut Lent,
    sharing: &Sharing,
    rendered: Rendered,
    wanted: Wanted,
) -> Result<Answered> {
    on.begin(sharing.begin.clone()).await?;
    let answered = on.ask(rendered, wanted, sharing.named).await?;
    on.commit().await?;
    Ok(answered)
}
