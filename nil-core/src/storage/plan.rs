//! An engine's query plan for a statement.

use sqlx::{AssertSqlSafe, SqlSafeStr};

use super::{Dialect, Found, FromRow, Rendered, Session, Statement};
use crate::error::Result;
use crate::kernel::Paging;

struct Explained(Rendered);

impl Statement for Explained {
    fn render(self, _: Dialect) -> Rendered {
        self.0
    }
}

#[derive(FromRow)]
struct OfSqlite {
    detail: String,
}

#[derive(FromRow)]
struct OfPostgres {
    #[row(rename = "QUERY PLAN")]
    line: String,
}

/// The engine's plan for a statement, without running it: which indexes it uses, what it sorts.
pub(super) async fn plan(session: &mut Session, statement: impl Statement) -> Result<String> {
    let dialect = session.dialect();
    let Rendered { text, values } = statement.render(dialect);
    let explain = match dialect {
        Dialect::Sqlite => "EXPLAIN QUERY PLAN",
        Dialect::Postgres => "EXPLAIN",
    };
    let text = AssertSqlSafe(format!("{explain} {}", text.as_str())).into_sql_str();
    let explained = Explained(Rendered { text, values });
    let lines: Vec<String> = match dialect {
        Dialect::Sqlite => {
            let lines: Vec<OfSqlite> = session.all(explained).await?;
            lines.into_iter().map(|line| line.detail).collect()
        }
        Dialect::Postgres => {
            let lines: Vec<OfPostgres> = session.all(explained).await?;
            lines.into_iter().map(|line| line.line).collect()
        }
    };
    Ok(lines.join("\n"))
}

/// The plans for the statements of a list.
pub async fn plans_of(
    session: &mut Session,
    found: impl Into<Found>,
    paging: Paging,
) -> Result<Vec<String>> {
    Ok(vec![plan(session, found.into().page(paging)).await?])
}
