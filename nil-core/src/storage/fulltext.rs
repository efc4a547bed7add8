//! Full-text search: FTS5 on SQLite, a `tsvector` with a GIN index on PostgreSQL. Only this file
//! knows the difference.

use sea_query::extension::postgres::PgExpr;
use sea_query::extension::sqlite::SqliteExpr;
use sea_query::{Expr, ExprTrait as _, Func, Order, Query, SelectStatement};

use super::Dialect;
use crate::kernel::Words;

/// A table with a full-text index.
#[derive(Clone, Copy, Debug)]
pub struct FullText {
    /// The table; on PostgreSQL its column `words` holds the words of each row.
    pub table: &'static str,
    /// Its integer primary key.
    pub key: &'static str,
    /// The FTS5 table beside it, on SQLite.
    pub index: &'static str,
    /// The columns whose words are in the index: the name or title first.
    pub texts: [&'static str; 2],
}

impl FullText {
    /// Selects from the table: the rows that contain all words, or every row without words. On
    /// SQLite the words come first, because its planner would otherwise search the index once for
    /// each row.
    pub fn find(self, query: &mut SelectStatement, dialect: Dialect, words: Option<&Words>) {
        let Some(words) = words else {
            query.from(self.table);
            return;
        };
        match dialect {
            Dialect::Sqlite => query
                .from(self.index)
                .cross_join(self.table)
                .and_where(self.matches(words))
                .and_where(self.own_key().equals((self.index, "rowid"))),
            Dialect::Postgres => query.from(self.table).and_where(self.has(words)),
        };
    }

    /// Sorts what [`find`](Self::find) selects by the key. SQLite's index returns its rows in that
    /// order, one by one.
    pub fn by_key(self, query: &mut SelectStatement, dialect: Dialect, order: Order) {
        match dialect {
            Dialect::Sqlite => query.order_by((self.index, "rowid"), order),
            Dialect::Postgres => query.order_by((self.table, self.key), order),
        };
    }

    /// Selects from the table the rows that contain all words, in the order of their keys, as far
    /// as they are among the first `most` that the index has. On SQLite only.
    pub fn find_first(self, query: &mut SelectStatement, words: &Words, order: Order, most: u64) {
        let first = Query::select()
            .expr_as(Expr::col("rowid"), "id")
            .from(self.index)
            .and_where(self.matches(words))
            .order_by("rowid", order)
            .limit(most)
            .take();
        query
            .from_subquery(first, "first")
            .cross_join(self.table)
            .and_where(self.own_key().equals(("first", "id")));
    }

    /// One row if the index has more than `most` with these words. On SQLite only.
    pub fn behind(self, words: &Words, most: u64) -> SelectStatement {
        Query::select()
            .expr(Expr::cust("1"))
            .from(self.index)
            .and_where(self.matches(words))
            .limit(1)
            .offset(most)
            .take()
    }

    fn own_key(self) -> Expr {
        Expr::col((self.table, self.key))
    }

    /// The condition of an FTS5 table.
    fn matches(self, words: &Words) -> Expr {
        SqliteExpr::matches(Expr::col((self.index, self.index)), words.for_fts5())
    }

    /// The columns that tell the relevance of a row.
    pub fn weighed(self, dialect: Dialect) -> Vec<&'static str> {
        match dialect {
            Dialect::Sqlite => self.texts.to_vec(),
            Dialect::Postgres => vec!["words"],
        }
    }

    /// The relevance of a row of the table: higher is better. A word in a name or title weighs ten
    /// times one in the other text, and a word that is repeated adds less each time. The weights
    /// are those of `Sought::weight_in`.
    pub fn relevance(self, dialect: Dialect, words: &Words) -> Expr {
        self.relevance_in(self.table, dialect, words)
    }

    /// The relevance of a row of the subquery `from`, which has the columns
    /// [`weighed`](Self::weighed): higher is better.
    pub(super) fn relevance_in(self, from: &'static str, dialect: Dialect, words: &Words) -> Expr {
        match dialect {
            Dialect::Sqlite => self.of_texts("weight_of_words", from, words),
            Dialect::Postgres => {
                let rank: Expr = Func::cust("ts_rank")
                    .arg(Expr::cust("'{0.1, 0.1, 0.1, 1.0}'::real[]"))
                    .arg(Expr::col((from, "words")))
                    .arg(asked(words.any_for_tsquery()))
                    .into();
                // The sum of small floats depends on their order; equal matches must be equal.
                Func::round(rank.mul(Expr::cust("100000"))).into()
            }
        }
    }

    /// Keeps the rows that contain all words, of a query that selects a few rows of the table by
    /// other means: on SQLite the index is not asked.
    pub fn keep(self, query: &mut SelectStatement, dialect: Dialect, words: Option<&Words>) {
        let kept = words.map(|words| match dialect {
            Dialect::Sqlite => self.contains(self.table, words),
            Dialect::Postgres => self.has(words),
        });
        query.and_where_option(kept);
    }

    /// The condition of a `tsvector`.
    fn has(self, words: &Words) -> Expr {
        PgExpr::matches(Expr::col((self.table, "words")), asked(words.for_tsquery()))
    }

    /// Whether the texts of a row contain all words, without the index. On SQLite only.
    pub(super) fn contains(self, from: &'static str, words: &Words) -> Expr {
        self.of_texts("contains_words", from, words)
    }

    /// A function of the words and the texts.
    fn of_texts(self, function: &'static str, from: &'static str, words: &Words) -> Expr {
        let folded: Vec<&str> = words.folded().collect();
        let texts = self.texts.map(|text| Expr::col((from, text)));
        let arguments = std::iter::once(Expr::val(folded.join(" "))).chain(texts);
        Func::cust(function).args(arguments).into()
    }
}

fn asked(tsquery: String) -> Expr {
    Func::cust("to_tsquery").arg(Expr::cust("'pg_catalog.simple'")).arg(tsquery).into()
}
