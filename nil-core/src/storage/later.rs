//! Writes whose results nobody waits for. On PostgreSQL they are kept until the transaction next
//! asks something, or commits, and then go together: one statement, and so one round trip. A
//! transaction that asks nothing is that statement alone. On SQLite each runs at once.
//!
//! They run in the order in which they came. None sees the rows that another writes, except by its
//! name: the first write to the table `message` is `message_0`. So one that changes a table
//! that another one writes to waits for that one first. Foreign keys are checked after all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::composing::Composed;
use super::statement::{Insert, Rendered, Sql, Statement, Update};
use super::{Dialect, Session, sql};
use crate::error::{Result, codes};

/// The number of values at which writes wait no longer: a statement takes 65,535.
const MOST_VALUES: usize = 30_000;

/// A write that waits.
#[derive(Debug)]
pub(super) struct Later {
    rendered: Rendered,
    table: &'static str,
    is_insert: bool,
    /// The columns that the others may see.
    returning: &'static str,
    outcome: Outcome,
}

/// What waits.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    writes: Vec<Later>,
    /// Texts to send to all servers.
    told: Vec<String>,
}

impl Waiting {
    /// Whether the writes need no transaction: if one of them changes nothing, the others stand.
    pub(super) fn can_be_alone(&self) -> bool {
        !self.writes.iter().any(|write| matches!(write.outcome, Outcome::OneRow))
    }

    /// Whether a write to this table has to wait for these.
    fn holds_up(&self, table: &str, is_insert: bool) -> bool {
        let meets = |other: &Later| other.table == table && !(is_insert && other.is_insert);
        let values = self.writes.iter().map(|write| write.rendered.values.0.len());
        values.sum::<usize>() > MOST_VALUES || self.writes.iter().any(meets)
    }
}

/// What is known of a write afterwards.
#[derive(Debug)]
enum Outcome {
    Nothing,
    /// It changes a row, or fails.
    OneRow,
    Count(Written),
    Id(Written),
}

/// What a write has done, once its transaction has committed: the number of its rows, or the id of
/// its only one.
#[derive(Clone, Debug, Default)]
pub struct Written(Arc<AtomicI64>);

impl Written {
    /// The number.
    #[must_use]
    pub fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Outcome {
    fn is(&self, number: i64) -> Result<()> {
        match self {
            Self::OneRow if number == 0 => return Err(codes::STATE_CHANGED.into()),
            Self::Count(written) | Self::Id(written) => {
                written.0.fetch_add(number, Ordering::Relaxed);
            }
            Self::Nothing | Self::OneRow => {}
        }
        Ok(())
    }
}

impl Session {
    /// Inserts any number of rows before the transaction asks something or commits; returns how
    /// many.
    pub async fn add_later(&mut self, rows: Insert) -> Result<Written> {
        let (table, written) = (rows.table(), Written::default());
        for piece in rows.pieces() {
            self.write_later(table, piece, true, Outcome::Count(written.clone())).await?;
        }
        Ok(written)
    }

    /// Changes exactly one row before the transaction asks something or commits; if it changes
    /// none, that fails with 409 `state_changed`.
    pub async fn change_later(&mut self, change: Update) -> Result<()> {
        self.write_later(change.table(), change, false, Outcome::OneRow).await
    }

    /// Inserts into this table by a text without `RETURNING`; returns the number of rows.
    pub async fn insert_later(&mut self, table: &'static str, rows: Sql) -> Result<Written> {
        let written = Written::default();
        self.write_later(table, rows, true, Outcome::Count(written.clone())).await?;
        Ok(written)
    }

    /// Changes any number of rows of this table by a text without `RETURNING`.
    pub async fn update_later(&mut self, table: &'static str, change: Sql) -> Result<()> {
        self.write_later(table, change, false, Outcome::Nothing).await
    }

    /// Sends a text to all servers on PostgreSQL, with the commit.
    pub fn notify_later(&mut self, text: String) {
        if self.dialect() == Dialect::Postgres {
            self.waiting.get_or_insert_default().told.push(text);
        }
    }

    /// On PostgreSQL, inserts one row by a text without `RETURNING`; returns its id. The writes
    /// that follow find `returning` of it, with the id.
    pub fn insert_one(
        &mut self,
        table: &'static str,
        row: Sql,
        returning: &'static str,
    ) -> Written {
        let written = Written::default();
        self.keep(table, row, true, returning, Outcome::Id(written.clone()));
        written
    }

    /// On PostgreSQL, changes rows of this table by a text without `RETURNING`. The writes that
    /// follow find `returning` of them.
    pub fn update_these(&mut self, table: &'static str, change: Sql, returning: &'static str) {
        self.keep(table, change, false, returning, Outcome::Nothing);
    }

    async fn write_later(
        &mut self,
        table: &'static str,
        statement: impl Statement,
        is_insert: bool,
        outcome: Outcome,
    ) -> Result<()> {
        if self.dialect() == Dialect::Sqlite {
            let changed = self.run(statement).await?;
            return outcome.is(i64::try_from(changed).unwrap_or(i64::MAX));
        }
        if self.waiting.as_ref().is_some_and(|waiting| waiting.holds_up(table, is_insert)) {
            Box::pin(self.write_now()).await?;
        }
        self.keep(table, statement, is_insert, "1", outcome);
        Ok(())
    }

    fn keep(
        &mut self,
        table: &'static str,
        statement: impl Statement,
        is_insert: bool,
        returning: &'static str,
        outcome: Outcome,
    ) {
        let rendered = statement.render(Dialect::Postgres);
        let waiting = self.waiting.get_or_insert_default();
        waiting.writes.push(Later { rendered, table, is_insert, returning, outcome });
    }

    /// Runs the writes that wait.
    pub async fn write_now(&mut self) -> Result<()> {
        let Some(waiting) = self.waiting.take() else { return Ok(()) };
        let Waiting { writes, told } = *waiting;
        let mut composed = Composed::default();
        let mut columns = String::new();
        let mut outcomes = Vec::with_capacity(writes.len());
        let mut tables: Vec<&str> = Vec::with_capacity(writes.len());
        for Later { rendered, table, returning, outcome, .. } in writes {
            let name =
                format!("{table}_{}", tables.iter().filter(|other| **other == table).count());
            composed.write(if tables.is_empty() { "WITH " } else { ", " });
            composed.write(&name);
            composed.write(" AS (");
            composed.add(rendered);
            composed.write(" RETURNING ");
            composed.write(returning);
            composed.write(")");
            // Asked for one after the other, which also runs them in this order.
            let of = match outcome {
                Outcome::Id(_) => "id",
                _ => "COUNT(*)",
            };
            columns.extend(["(SELECT ", of, " FROM ", &name, "), "]);
            outcomes.push(outcome);
            tables.push(table);
        }
        composed.write(" SELECT ");
        composed.write(&columns);
        composed.write("NULL");
        for text in told {
            composed.write(", ");
            composed.add(sql("pg_notify('nil_live', $1)").bind(text).render(Dialect::Postgres));
        }
        let row = self.record_of(composed.rendered()).await?;
        for (number, outcome) in outcomes.iter().enumerate() {
            // What the others have written must not be committed.
            outcome.is(row.at(number)?).inspect_err(|_| self.fail())?;
        }
        Ok(())
    }
}
