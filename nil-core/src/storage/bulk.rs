//! Writing millions of rows: what each engine needs before and after.

use sqlx::{AssertSqlSafe, SqlSafeStr as _};

use super::{Dialect, Rendered, Session, Statement, sql};
use crate::error::Result;
use sea_query::Values;

/// Lets the SQLite connection keep pages of indexes in memory, 256 MiB of them: rows come in the
/// order of their numbers, and the pages of other indexes would be written and read again for each
/// of them.
pub async fn begin(session: &mut Session) -> Result<()> {
    match session.dialect() {
        Dialect::Sqlite => session.run(sql("PRAGMA cache_size = -262144")).await.map(|_| ()),
        Dialect::Postgres => Ok(()),
    }
}

/// Gives the memory back; on PostgreSQL, continues the numbers of these tables after their last
/// row, which it does not do by itself where rows came with numbers, and gathers statistics. SQLite
/// has none in real use, and plans without them.
pub async fn end(session: &mut Session, tables: &[&'static str]) -> Result<()> {
    match session.dialect() {
        Dialect::Sqlite => {
            session.run(sql("PRAGMA cache_size = -2000")).await?;
        }
        Dialect::Postgres => {
            for table in tables {
                let _: Option<(Option<i64>,)> = session.first(Renumber(table)).await?;
            }
        }
    }
    gather_statistics(session, &[]).await
}

/// On PostgreSQL, gathers the statistics of these tables, or of all, as its autovacuum would within
/// minutes.
pub async fn gather_statistics(session: &mut Session, tables: &[&str]) -> Result<()> {
    match session.dialect() {
        Dialect::Sqlite => Ok(()),
        Dialect::Postgres => session.run(Analyze(tables)).await.map(|_| ()),
    }
}

/// Continues the numbers of a table; for PostgreSQL.
struct Renumber(&'static str);

impl Statement for Renumber {
    fn render(self, _: Dialect) -> Rendered {
        let table = self.0;
        let text = format!(
            "SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT MAX(id) FROM {table}))"
        );
        constant(text)
    }
}

/// Gathers statistics; for PostgreSQL.
struct Analyze<'a>(&'a [&'a str]);

impl Statement for Analyze<'_> {
    fn render(self, _: Dialect) -> Rendered {
        constant(format!("ANALYZE {}", self.0.join(", ")))
    }
}

fn constant(text: String) -> Rendered {
    Rendered { text: AssertSqlSafe(text).into_sql_str(), values: Values(Vec::new()) }
}
