//! Records the statements that a piece of work runs.

use sea_query::Values;
use sqlx::SqlStr;

use super::plan::plan;
use super::watch::Seen;
use super::{Db, Dialect, Rendered, Statement, sql};
use crate::error::Result;

/// The statements of one database while it was watched.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// The number of transactions begun; on SQLite, turns of the single writer.
    pub transactions: usize,
    /// Every statement in order, with the plan the engine would use on a large table.
    pub plans: Vec<(String, String)>,
}

/// How much one database did while it was watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counted {
    /// The number of statements.
    pub statements: usize,
    /// The number of transactions begun.
    pub transactions: usize,
}

struct Again(SqlStr, Values);

impl Statement for Again {
    fn render(self, _: Dialect) -> Rendered {
        Rendered { text: self.0, values: self.1 }
    }
}

impl Db {
    /// Runs some work, and returns all statements that this handle of the database ran meanwhile,
    /// from any caller. For tests and for finding slow statements; only one caller may watch at a
    /// time.
    pub async fn watched<T>(&self, work: impl Future<Output = T>) -> Result<(T, Watched)> {
        let (done, seen) = self.recorded(work).await;
        let mut plans = Vec::with_capacity(seen.statements.len());
        let mut session = self.begin().await?;
        if session.dialect() == Dialect::Postgres {
            // Small tables are always scanned: here the available indexes matter.
            session.run(sql("SET LOCAL enable_seqscan = off")).await?;
        }
        for (text, values) in seen.statements {
            let said = text.as_str().to_owned();
            plans.push((said, plan(&mut session, Again(text, values)).await?));
        }
        let watched = Watched { transactions: seen.transactions, plans };
        Ok((done, watched))
    }

    /// Only counts the statements. The same limits apply.
    pub async fn counted<T>(&self, work: impl Future<Output = T>) -> (T, Counted) {
        let (done, seen) = self.recorded(work).await;
        let counted =
            Counted { statements: seen.statements.len(), transactions: seen.transactions };
        (done, counted)
    }

    async fn recorded<T>(&self, work: impl Future<Output = T>) -> (T, Seen) {
        let watch = self.watch();
        watch.begin();
        let done = work.await;
        (done, watch.end())
    }
}
