//! Lists: one statement, which reads a page and counts the rows.

use sea_query::{
    CommonTableExpression, Expr, ExprTrait as _, Order, Query, SelectStatement, SubQueryStatement,
    WithClause,
};

use super::FromRow;
use super::session::{Row, Session};
use crate::error::Result;
use crate::kernel::{Extent, Feed, Limit, Listing, Paging};

/// The maximum number of rows of a search that are counted if the caller wants to know exactly.
pub(super) const MOST_COUNTED: i64 = 10_000;
/// The number of rows behind the page that are counted otherwise.
const AHEAD: i64 = 100;
/// The column with the number of rows of the whole list.
pub(super) const TOTAL: &str = "list_total";
/// The name of a page's rows in a query that shows them.
pub const PAGE: &str = "page";

/// The rows of a list, and how they are counted. A `SelectStatement` is a list whose rows are all
/// counted.
#[derive(Clone, Debug)]
pub struct Found {
    rows: SelectStatement,
    total: Total,
    around: Around,
}

/// What stands around the rows of a list in its statements.
#[derive(Clone, Debug, Default)]
struct Around {
    /// Named queries that the rows and their count select from.
    with: Option<WithClause>,
    /// Selects from the rows of the page, as [`PAGE`].
    shown: Option<Box<SelectStatement>>,
}

#[derive(Clone, Debug)]
enum Total {
    /// Counted by this statement.
    Counted(Box<SelectStatement>),
    Known(i64),
}

impl From<SelectStatement> for Found {
    fn from(rows: SelectStatement) -> Self {
        let count = bare(&rows).expr(Expr::cust("COUNT(*)")).take();
        Self::counted_by(rows, count)
    }
}

impl Found {
    /// Rows counted by another statement with fewer joins.
    #[must_use]
    pub fn counted_by(rows: SelectStatement, count: SelectStatement) -> Self {
        Self { rows, total: Total::Counted(Box::new(count)), around: Around::default() }
    }

    /// Rows whose number is known.
    #[must_use]
    pub fn of_total(rows: SelectStatement, total: i64) -> Self {
        Self { rows, total: Total::Known(total), around: Around::default() }
    }

    /// Rows counted up to [`MOST_COUNTED`]: an unlimited count reads everything.
    #[must_use]
    pub fn by_words(rows: SelectStatement) -> Self {
        let counted = bare(&rows).expr(Expr::cust("1")).take();
        Search { rows, counted, most: MOST_COUNTED, around: Around::default() }.into()
    }

    /// Adds to the rows what is read beside them: columns, and joins that neither add rows nor take
    /// any away. The rows are counted without them.
    #[must_use]
    pub fn beside(mut self, add: impl FnOnce(&mut SelectStatement)) -> Self {
        add(&mut self.rows);
        self
    }

    /// Reads more about the rows of a page, as [`Search::showing`] does: what it costs to read or
    /// to join is not spent on the rows that are only sorted.
    #[must_use]
    pub fn showing(mut self, shown: SelectStatement) -> Self {
        self.around.shown = Some(Box::new(shown));
        self
    }

    /// The statement that reads the page, and the one that counts if the page is empty.
    fn statements(self, paging: Paging) -> (SelectStatement, Option<SelectStatement>) {
        let mut rows = self.rows;
        rows.limit(paging.limit().unsigned_abs()).offset(paging.offset().unsigned_abs());
        let mut rows = shown(rows, self.around.shown);
        let mut count = match self.total {
            Total::Counted(count) => Some(*count),
            Total::Known(_) => None,
        };
        if let Some(count) = &count {
            rows.expr_as(scalar(count.clone()), TOTAL);
        }
        if let Some(with) = self.around.with {
            count.as_mut().map(|count| count.with_cte(with.clone()));
            rows.with_cte(with);
        }
        (rows, count)
    }

    /// The statement of the rows, to add to.
    pub(super) fn rows_mut(&mut self) -> &mut SelectStatement {
        &mut self.rows
    }

    /// The statement that shows the rows of a page, to add to, if there is one.
    pub(super) fn shown_mut(&mut self) -> Option<&mut SelectStatement> {
        self.around.shown.as_deref_mut()
    }

    /// The statement that reads so many rows.
    pub(super) fn first(self, most: u64) -> SelectStatement {
        let mut rows = self.rows;
        rows.limit(most);
        shown(rows, self.around.shown)
    }

    /// The statement that reads the page.
    pub(super) fn page(self, paging: Paging) -> SelectStatement {
        self.statements(paging).0
    }
}

/// The rows of a search. Counting all of them would read all of them, so they are counted up to a
/// limit.
#[derive(Clone, Debug)]
pub struct Search {
    rows: SelectStatement,
    /// The rows to count, without columns.
    counted: SelectStatement,
    most: i64,
    around: Around,
}

impl Search {
    /// The rows of a page, and as many behind it as are counted without a wish for the exact total.
    /// Unless they are `ranked` by relevance, these are counted in the order of the page: by the
    /// same index, which ends early.
    #[must_use]
    pub fn of(rows: SelectStatement, paging: Paging, exact: Option<bool>, ranked: bool) -> Self {
        let mut counted = if ranked || exact == Some(true) {
            bare(&rows)
        } else {
            rows.clone().clear_selects().take()
        };
        counted.expr(Expr::cust("1"));
        Self::counting(rows, counted, paging, exact)
    }

    /// The rows of a page, with a separate statement for counting. Counting stops at a limit, which
    /// is higher with a wish for the exact total.
    #[must_use]
    pub fn counting(
        rows: SelectStatement,
        counted: SelectStatement,
        paging: Paging,
        exact: Option<bool>,
    ) -> Self {
        let most = if exact == Some(true) { MOST_COUNTED } else { most_counted(paging, AHEAD) };
        Self { rows, counted, most, around: Around::default() }
    }

    /// Reads more about the rows of a page in the same statement, but not about those before it:
    /// `shown` selects from them as [`PAGE`], in their order.
    #[must_use]
    pub fn showing(mut self, shown: SelectStatement) -> Self {
        self.around.shown = Some(Box::new(shown));
        self
    }

    /// Gives the statements a query that they select from by its name; it runs once in each.
    #[must_use]
    pub fn with(mut self, named: CommonTableExpression) -> Self {
        self.around.with = Some(WithClause::new().cte(named).to_owned());
        self
    }
}

impl From<Search> for Found {
    fn from(mut search: Search) -> Self {
        search.counted.limit(search.most.unsigned_abs());
        let mut count = Query::select();
        count.expr(Expr::cust("COUNT(*)")).from_subquery(search.counted, "counted");
        Self { around: search.around, ..Self::counted_by(search.rows, count) }
    }
}

/// The number of rows after which counting stops, if this many behind the page are counted.
pub(super) fn most_counted(paging: Paging, ahead: i64) -> i64 {
    let counted = paging.offset().saturating_add(paging.limit()).saturating_add(ahead);
    Ord::min(counted, MOST_COUNTED)
}

/// The rows of a page, as they are shown.
fn shown(page: SelectStatement, shown: Option<Box<SelectStatement>>) -> SelectStatement {
    match shown {
        Some(mut shown) => shown.from_subquery(page, PAGE).take(),
        None => page,
    }
}

/// The value of a statement's single row.
pub fn scalar(statement: SelectStatement) -> Expr {
    Expr::SubQuery(None, Box::new(SubQueryStatement::SelectStatement(statement)))
}

/// The query without its columns and its order.
fn bare(rows: &SelectStatement) -> SelectStatement {
    rows.clone().clear_selects().clear_order_by().take()
}

/// A row with the number of rows of its list.
#[derive(FromRow)]
struct Placed<T> {
    #[row(rename = "list_total")]
    total: i64,
    #[row(flatten)]
    row: T,
}

impl Session {
    /// Reads a page and the total: one statement, unless the page is behind the end of the list.
    pub async fn page<T: Row>(
        &mut self,
        found: impl Into<Found>,
        paging: Paging,
    ) -> Result<Listing<T>> {
        let found = found.into();
        if let Total::Known(total) = found.total {
            let items = self.all(found.page(paging)).await?;
            return Ok(Listing::new(items, paging, total));
        }
        let (page, count) = found.statements(paging);
        let rows: Vec<Placed<T>> = self.all(page).await?;
        let total = match (rows.first(), count) {
            (Some(first), _) => first.total,
            (None, Some(count)) if paging.offset() > 0 => self.value(count).await?,
            (None, _) => 0,
        };
        let items = rows.into_iter().map(|placed| placed.row).collect();
        Ok(Listing::new(items, paging, total))
    }

    /// Reads a page of a search, and whether its total is exact.
    pub async fn search<T: Row>(
        &mut self,
        search: Search,
        paging: Paging,
    ) -> Result<(Listing<T>, Extent)> {
        let most = search.most;
        let page = self.page(search, paging).await?;
        let extent = Extent { total_is_exact: page.pagination.total < most };
        Ok((page, extent))
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
