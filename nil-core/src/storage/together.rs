//! Several reading statements asked at once. On PostgreSQL they are one statement, and so one round
//! trip: each becomes a column with its rows as JSON. On SQLite, which is in this process, they run
//! one after the other.
//!
//! One statement sees one state of the database. Lock first what must not change, with a statement
//! of its own: statements asked together do not see what others committed while one of them waited.

use serde_json::{Map, Value};

use super::composing::Composed;
use super::record::{FromRow, Rows};
use super::{Dialect, Rendered, Session, Statement};
use crate::error::{Error, Result};

/// Statements to ask together.
#[derive(Debug)]
pub struct Together {
    dialect: Dialect,
    parts: Vec<Rendered>,
}

/// A statement that was asked with others, and how its rows are read.
pub struct Asked<T> {
    part: usize,
    read: Reading<T>,
}

type Reading<T> = Box<dyn FnOnce(Rows) -> Result<T> + Send>;

/// The rows of statements that were asked together.
#[derive(Debug)]
pub struct Answers(Vec<Option<Rows>>);

impl Together {
    /// Adds a statement. Its columns have names that differ, by which its rows are read.
    pub fn ask<R: FromRow, T>(
        &mut self,
        statement: impl Statement,
        read: impl FnOnce(Vec<R>) -> Result<T> + Send + 'static,
    ) -> Asked<T> {
        self.parts.push(statement.render(self.dialect));
        let read = |rows: Rows| read(rows.decode()?);
        Asked { part: self.parts.len() - 1, read: Box::new(read) }
    }

    /// All statements as the columns of one row.
    fn composed(parts: Vec<Rendered>) -> Rendered {
        let mut composed = Composed::default();
        for (number, part) in parts.into_iter().enumerate() {
            composed.write(if number == 0 { "SELECT " } else { ", " });
            composed.write("(SELECT jsonb_agg(part) FROM (");
            composed.add(part);
            composed.write(") part)");
        }
        composed.rendered()
    }
}

impl<T: 'static> Asked<T> {
    /// The same, made into something else.
    #[must_use]
    pub fn then<U>(self, made: impl FnOnce(T) -> U + Send + 'static) -> Asked<U> {
        let Self { part, read } = self;
        Asked { part, read: Box::new(|rows| Ok(made(read(rows)?))) }
    }
}

impl Answers {
    /// What a statement has found.
    pub fn of<T>(&mut self, asked: Asked<T>) -> Result<T> {
        let rows = self.0.get_mut(asked.part).and_then(Option::take);
        (asked.read)(rows.ok_or_else(|| Error::internal("no such statement was asked"))?)
    }
}

impl Session {
    /// Begins a list of statements to ask together.
    #[must_use]
    pub fn together(&self) -> Together {
        Together { parts: Vec::new(), dialect: self.dialect() }
    }

    /// Asks a single statement of those that can be asked together.
    pub async fn answer<T>(&mut self, ask: impl FnOnce(&mut Together) -> Asked<T>) -> Result<T> {
        let mut together = self.together();
        let asked = ask(&mut together);
        self.answers(together).await?.of(asked)
    }

    /// Asks all statements of a list.
    pub async fn answers(&mut self, asked: Together) -> Result<Answers> {
        let Together { parts, dialect } = asked;
        if dialect == Dialect::Postgres && parts.len() > 1 {
            return Box::pin(self.answers_at_once(parts)).await;
        }
        let mut answers = Vec::with_capacity(parts.len());
        for part in parts {
            answers.push(Some(self.rows_of(part).await?));
        }
        Ok(Answers(answers))
    }

    async fn answers_at_once(&mut self, parts: Vec<Rendered>) -> Result<Answers> {
        let count = parts.len();
        let row = self.record_of(Together::composed(parts)).await?;
        let answers = (0..count).map(|part| {
            // NULL: no rows.
            let rows = match row.at::<Option<Value>>(part)?.unwrap_or_default() {
                Value::Array(rows) => rows.into_iter().map(object).collect(),
                _ => Some(Vec::new()),
            };
            let rows = rows.ok_or_else(|| Error::internal("a row that is no object"))?;
            Ok(Some(Rows::Written(rows)))
        });
        answers.collect::<Result<_>>().map(Answers)
    }
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(row) => Some(row),
        _ => None,
    }
}
