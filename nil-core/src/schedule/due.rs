//! Processes due records page by page, whatever happens to each of them.

use std::fmt::Display;

use chrono::DateTime;

use crate::error::{Error, Kind, Result};
use crate::kernel::Time;
use crate::storage::{Row, Session, sql};

/// The start of a page: after the record with this instant and this id.
#[derive(Clone, Copy, Debug)]
pub struct Behind {
    pub at: Time,
    pub id: i64,
}

/// A page of due records, ordered by an instant and the id.
#[derive(Debug)]
pub struct Page<T> {
    due: Vec<(i64, T)>,
    last: Option<Behind>,
}

impl<T> Page<T> {
    /// From rows in order, keeps those that need work.
    pub fn of<Id: Into<i64>>(rows: Vec<(Time, Id, Option<T>)>) -> Self {
        let mut last = None;
        let mut due = Vec::with_capacity(rows.len());
        for (at, id, one) in rows {
            let id = id.into();
            last = Some(Behind { at, id });
            due.extend(one.map(|one| (id, one)));
        }
        Self { due, last }
    }
}

impl<Id: Copy + Into<i64>> From<Vec<(Time, Id)>> for Page<Id> {
    fn from(rows: Vec<(Time, Id)>) -> Self {
        let rows = rows.into_iter().map(|(at, id)| (at, id, Some(id)));
        Self::of(rows.collect())
    }
}

/// The statement of [`ids`]: the next records of a table by the instant `at`, those that fulfil a
/// condition on it and on `$1`. The column of their ids is `id`, unless another is named.
#[macro_export]
macro_rules! due_ids {
    ($table:literal, $at:literal, $which:literal) => {
        $crate::due_ids!($table, $at, "id", $which)
    };
    ($table:literal, $at:literal, $id:literal, $which:literal) => {
        concat!(
            "SELECT ",
            $at,
            ", ",
            $id,
            " FROM ",
            $table,
            " WHERE ",
            $which,
            " AND (",
            $at,
            ", ",
            $id,
            ") > ($2, $3) ORDER BY ",
            $at,
            ", ",
            $id,
            " LIMIT 500"
        )
    };
}
pub use due_ids;

/// A page of the ids of due records, by a statement made by [`due_ids`].
pub async fn ids<Id>(
    session: &mut Session,
    due: &'static str,
    until: Time,
    behind: Behind,
) -> Result<Page<Id>>
where
    Id: Copy + Into<i64>,
    (Time, Id): Row,
{
    let rows: Vec<(Time, Id)> =
        session.all(sql(due).bind(until).bind(behind.at).bind(behind.id)).await?;
    Ok(rows.into())
}

/// Processes every due record on its own, and returns how many were done. An error with one record
/// is logged under the name `what` and does not stop the others; the first such error is returned
/// at the end. Each page starts after the last record, so that records that stay due do not block
/// the rest.
pub async fn each<T, Found, Done>(
    what: &'static str,
    page: impl Fn(Behind) -> Found,
    one: impl Fn(T) -> Done,
) -> Result<usize>
where
    Found: Future<Output = Result<Page<T>>>,
    Done: Future<Output = Result<bool>>,
{
    let mut behind = Behind { at: DateTime::UNIX_EPOCH, id: 0 };
    let (mut done, mut failed) = (0, Failed::default());
    loop {
        let Page { due, last } = page(behind).await?;
        let Some(last) = last else { break };
        behind = last;
        for (id, item) in due {
            match one(item).await {
                Ok(true) => done += 1,
                Ok(false) => {}
                Err(error) => failed.note(what, id, error)?,
            }
        }
    }
    failed.or(done)
}

/// The first error of a run.
#[derive(Debug, Default)]
pub struct Failed(Option<Error>);

impl Failed {
    /// Logs an error and keeps it for the end. Returns `Err` if the database is unavailable: then
    /// the rest would fail as well.
    pub fn note(&mut self, what: &str, id: impl Display, error: Error) -> Result<()> {
        if error.kind() == Kind::Unavailable {
            return Err(error);
        }
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        tracing::error!(%error, cause, what, %id, "the worker will retry this later");
        self.0.get_or_insert(error);
        Ok(())
    }

    /// The result, unless an error occurred.
    pub fn or<T>(self, done: T) -> Result<T> {
        self.0.map_or(Ok(done), Err)
    }
}
