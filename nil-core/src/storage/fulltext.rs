//! Full-text search: FTS5 on SQLite, a `tsvector` with a GIN index on PostgreSQL. Only this file knows the difference.

use sea_query::extension::postgres::PgExpr;
use sea_query::extension::sqlite::SqliteExpr;
use sea_query::{Expr, ExprTrait as _, Func, SelectStatement};

use super::Dialect;
use crate::kernel::Words;

/// A table with a full-text index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FullText {
    /// The table; on PostgreSQL its column `words` holds the words of each row.
    pub(crate) table: &'static str,
    /// Its integer primary key.
    pub(crate) key: &'static str,
    /// The FTS5 table beside it, on SQLite.
    pub(crate) index: &'static str,
}

impl FullText {
    /// Selects from the table: the rows that contain all words, or every row without words. On SQLite the words come
    /// first, because its planner would otherwise search the index once for each row.
    pub(crate) fn find(self, query: &mut SelectStatement, dialect: Dialect, words: Option<&Words>) {
        let Some(words) = words else {
            query.from(self.table);
            return;
        };
        match dialect {
            Dialect::Sqlite => query
                .from(self.index)
                .cross_join(self.table)
                .and_where(SqliteExpr::matches(
                    Expr::col((self.index, self.index)),
                    words.for_fts5(),
                ))
                .and_where(Expr::col((self.table, self.key)).equals((self.index, "rowid"))),
            Dialect::Postgres => query
                .from(self.table)
                .and_where(PgExpr::matches(Expr::col((self.table, "words")), wanted(words))),
        };
    }

    /// The relevance of a row found by [`find`](Self::find): higher is better. Words in a name or title weigh ten times
    /// the others.
    pub(crate) fn relevance(self, dialect: Dialect, words: &Words) -> Expr {
        match dialect {
            // In FTS5, a lower rank is better.
            Dialect::Sqlite => Expr::val(0_i64).sub(Expr::col((self.index, "rank"))),
            Dialect::Postgres => Func::cust("ts_rank")
                .arg(Expr::cust("'{0.1, 0.1, 0.1, 1.0}'::real[]"))
                .arg(Expr::col((self.table, "words")))
                .arg(wanted(words))
                .into(),
        }
    }
}

fn wanted(words: &Words) -> Expr {
    Func::cust("to_tsquery").arg(Expr::cust("'pg_catalog.simple'")).arg(words.for_tsquery()).into()
}
