//! Lists: one query, which reads a page and counts all rows.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement};

use super::session::{Row, Session};
use crate::error::Result;
use crate::kernel::{Feed, Limit, Listing, Paging};

/// The maximum number of counted rows of a search. A search that finds more reports this number.
const MOST_COUNTED: i64 = 10_000;

/// The rows of a list, and how they are counted. A `SelectStatement` is a list whose rows are all counted.
#[derive(Clone, Debug)]
pub struct Found {
    rows: SelectStatement,
    total: Total,
}

#[derive(Clone, Debug)]
enum Total {
    /// Counted by this statement, up to a limit if given.
    Counted(Box<SelectStatement>, Option<i64>),
    Known(i64),
}

impl From<SelectStatement> for Found {
    fn from(rows: SelectStatement) -> Self {
        let count = bare(&rows).expr(Expr::cust("COUNT(*)")).to_owned();
        Self::counted_by(rows, count)
    }
}

impl Found {
    /// Rows counted up to [`MOST_COUNTED`]: an unlimited count reads everything.
    #[must_use]
    pub fn by_words(rows: SelectStatement) -> Self {
        let counted = bare(&rows).expr(Expr::cust("1")).to_owned();
        Self::by_words_counting(rows, counted)
    }

    /// The same, with a separate statement for counting.
    #[must_use]
    pub fn by_words_counting(rows: SelectStatement, mut counted: SelectStatement) -> Self {
        let most = MOST_COUNTED;
        counted.limit(most.unsigned_abs());
        let mut count = Query::select();
        count.expr(Expr::cust("COUNT(*)")).from_subquery(counted, "counted");
        Self { rows, total: Total::Counted(Box::new(count), Some(most)) }
    }

    /// Rows counted by another statement with fewer joins.
    #[must_use]
    pub fn counted_by(rows: SelectStatement, count: SelectStatement) -> Self {
        Self { rows, total: Total::Counted(Box::new(count), None) }
    }

    /// Rows whose number is known.
    #[must_use]
    pub fn of_total(rows: SelectStatement, total: i64) -> Self {
        Self { rows, total: Total::Known(total) }
    }

    /// The statements: a page, and the count if there is one.
    pub fn statements(self, paging: Paging) -> impl Iterator<Item = SelectStatement> {
        let count = match self.total {
            Total::Counted(count, _) => Some(*count),
            Total::Known(_) => None,
        };
        std::iter::once(cut(self.rows, paging)).chain(count)
    }
}

fn cut(mut rows: SelectStatement, paging: Paging) -> SelectStatement {
    rows.limit(paging.limit().unsigned_abs()).offset(paging.offset().unsigned_abs());
    rows
}

/// The query without its columns and its order.
fn bare(rows: &SelectStatement) -> SelectStatement {
    rows.clone().clear_selects().clear_order_by().to_owned()
}

impl Session {
    /// Reads a page. If the page is not full, it tells the total; otherwise the rows are counted.
    pub async fn page<T: Row>(
        &mut self,
        found: impl Into<Found>,
        paging: Paging,
    ) -> Result<Listing<T>> {
        let Found { rows, total } = found.into();
        let items: Vec<T> = self.all(cut(rows, paging)).await?;
        let read = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let is_last = read < paging.limit() && (read > 0 || paging.offset() == 0);
        let total = match total {
            Total::Known(total) => total,
            Total::Counted(_, most) if is_last => {
                let total = paging.offset().saturating_add(read);
                most.map_or(total, |most| Ord::min(total, most))
            }
            Total::Counted(count, _) => self.value(*count).await?,
        };
        Ok(Listing::new(items, paging, total))
    }

    /// Reads the newest rows, or those before an id, by the ids of a table or its alias.
    pub async fn feed<T: Row>(
        &mut self,
        mut rows: SelectStatement,
        table: &'static str,
        before: Option<impl Into<i64>>,
        limit: Limit,
        id: impl Fn(&T) -> i64,
    ) -> Result<Feed<T>> {
        if let Some(before) = before {
            rows.and_where(Expr::col((table, "id")).lt(before.into()));
        }
        rows.order_by((table, "id"), Order::Desc).limit(limit.and_one().unsigned_abs());
        Ok(Feed::new(self.all(rows).await?, limit, id))
    }
}
