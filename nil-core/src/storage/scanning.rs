//! Searches for words, by age or by relevance, that read little more than they show.
//!
//! A list by age is cut from the first rows that contain the words. A list by relevance ranks the
//! newest of them and continues by age: ranking all would read all, and a common word has most
//! rows. On SQLite the first rows are found in the [`Way`] that suits the words and the other
//! conditions; PostgreSQL's planner chooses by itself.

use sea_query::{
    CommonTableExpression, Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement,
    WithClause,
};

use super::Dialect;
use super::FromRow;
use super::fulltext::FullText;
use super::paging::{MOST_COUNTED, TOTAL, most_counted, scalar};
use super::plan::plan;
use super::record::Joined;
use super::session::{Row, Session};
use crate::error::{Error, Result};
use crate::kernel::{Extent, Listing, Paging, Words};

/// The number of rows that are looked through, or that the index is asked for.
const WINDOW: u64 = 512;
/// The number of rows behind the page that are counted: each is read for its text.
const AHEAD: i64 = 25;
/// The least number of rows that are ranked.
const RANKED: i64 = 100;
/// The column that tells whether there are rows behind those that were looked at.
const MORE: &str = "more";

/// The order of a list.
#[derive(Clone, Debug)]
pub enum By {
    /// The order of the ids.
    Age(Order),
    /// The best match first, of equal matches the newest. Only the newest [`RANKED`] matches are
    /// ranked, and those after them until the end of a page; the others follow by age.
    Relevance,
}

/// A list of the rows that contain some words.
#[derive(Debug)]
pub struct Scan<'a> {
    #[doc(hidden)]
    pub text: FullText,
    #[doc(hidden)]
    pub words: &'a Words,
    /// All conditions but the words, for a query that selects from the table.
    pub narrowed: SelectStatement,
    #[doc(hidden)]
    pub by: By,
    /// Whether the total is counted up to [`MOST_COUNTED`].
    pub exact: bool,
}

/// How the first rows are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The first rows that meet the other conditions are read, and their texts looked through: fast
    /// for common words, and for conditions that few rows meet.
    Window,
    /// The index is asked for the first rows with the words, and those are kept that meet the other
    /// conditions: fast for conditions that most rows meet.
    First,
    /// The rows with the words that meet the other conditions are found without a limit on how many
    /// are looked at: this way always decides the page.
    All,
}

#[derive(FromRow)]
struct Scanned<T> {
    #[row(rename = "list_total")]
    total: i64,
    more: bool,
    /// None in the only row of an empty page.
    #[row(flatten)]
    row: Joined<T>,
}

/// A page and how much is read for it.
struct Cut {
    paging: Paging,
    by: By,
    /// The number of rows that decide the page, if there are as many.
    needed: i64,
    /// The number of rows that are found at most.
    found: i64,
    /// The number of rows that are counted at most.
    counted: i64,
}

impl Scan<'_> {
    fn cut(&self, paging: Paging) -> Cut {
        let behind = paging.offset().saturating_add(paging.limit());
        let ranked = ranked(paging);
        let (by, needed) = match &self.by {
            By::Relevance if paging.offset() < ranked => (By::Relevance, ranked),
            // What is not ranked continues by age.
            By::Relevance => (By::Age(Order::Desc), behind),
            By::Age(order) => (By::Age(order.clone()), behind),
        };
        let most = Ord::max(needed, most_counted(paging, AHEAD));
        let (found, counted) =
            if self.exact { (needed, MOST_COUNTED) } else { (most, Ord::min(most, MOST_COUNTED)) };
        Cut { paging, by, needed, found, counted }
    }

    /// The ways to find the rows, in the order in which they are tried.
    fn ways(&self, dialect: Dialect, by: &By) -> &'static [Way] {
        match by {
            _ if self.exact || dialect == Dialect::Postgres => &[Way::All],
            By::Age(_) => &[Way::Window, Way::All],
            By::Relevance => &[Way::First, Way::Window, Way::All],
        }
    }

    fn key(&self) -> Expr {
        Expr::col((self.text.table, self.text.key))
    }

    /// The first rows with the words, found in this way, with whatever tells their relevance.
    fn first(&self, dialect: Dialect, way: Way, order: &Order, most: i64) -> SelectStatement {
        let text = self.text;
        let mut rows = self.narrowed.clone();
        match way {
            Way::Window => {
                rows.from(text.table).order_by_expr(self.key(), order.clone()).limit(WINDOW)
            }
            Way::First => {
                text.find_first(&mut rows, self.words, order.clone(), WINDOW);
                rows.limit(most.unsigned_abs())
            }
            Way::All => {
                text.find(&mut rows, dialect, Some(self.words));
                text.by_key(&mut rows, dialect, order.clone());
                rows.limit(most.unsigned_abs())
            }
        };
        let weighed = text.weighed(dialect).into_iter().map(|column| (text.table, column));
        rows.expr_as(self.key(), "id").columns(weighed);
        // The rows come one by one, in their order, and only until enough are found.
        let mut found = Query::select();
        found.column("id").from_subquery(rows, "looked").limit(most.unsigned_abs());
        if way == Way::Window {
            found.and_where(text.contains("looked", self.words));
        }
        found
    }

    /// Whether there are rows behind those that this way looks at.
    fn more(&self, way: Way, order: &Order) -> Option<Expr> {
        let behind = match way {
            Way::Window => self
                .narrowed
                .clone()
                .expr(Expr::cust("1"))
                .from(self.text.table)
                .order_by_expr(self.key(), order.clone())
                .limit(1)
                .offset(WINDOW)
                .take(),
            Way::First => self.text.behind(self.words, WINDOW),
            Way::All => return None,
        };
        Some(Expr::exists(behind))
    }

    /// The statement of a page; `show` adds the columns and left joins. It always returns a row.
    fn page(
        &self,
        dialect: Dialect,
        way: Way,
        cut: &Cut,
        show: impl FnOnce(&mut SelectStatement),
    ) -> SelectStatement {
        let order = match &cut.by {
            By::Age(order) => order.clone(),
            By::Relevance => Order::Desc,
        };
        let mut found = self.first(dialect, way, &order, cut.found);
        let mut named = CommonTableExpression::new();
        named.table_name("found").column("id");
        let mut shown =
            Query::select().column("id").from("found").order_by("id", order.clone()).take();
        if matches!(cut.by, By::Relevance) {
            found.expr(self.text.relevance_in("looked", dialect, self.words));
            named.column("score");
            let ranked = shown.column("score").limit(cut.needed.unsigned_abs()).take();
            shown = Query::select()
                .columns(["id", "score"])
                .from_subquery(ranked, "ranked")
                .order_by("score", Order::Desc)
                .order_by("id", order.clone())
                .take();
        }
        shown.limit(cut.paging.limit().unsigned_abs()).offset(cut.paging.offset().unsigned_abs());
        let count = || scalar(Query::select().expr(Expr::cust("COUNT(*)")).from("found").take());
        let total = if self.exact { scalar(self.counted(dialect, cut.counted)) } else { count() };
        // What is behind matters only if too few were found.
        let more = match self.more(way, &order) {
            Some(behind) => Expr::case(count().lt(cut.found), behind).finally(false).into(),
            None => Expr::cust("FALSE"),
        };
        let nothing = Query::select().expr(Expr::cust("1")).take();
        let mut page = Query::select();
        page.from_subquery(nothing, "always")
            .join_subquery(JoinType::LeftJoin, shown, "shown", Expr::cust("TRUE"))
            .left_join(self.text.table, self.key().equals(("shown", "id")));
        show(&mut page);
        page.expr_as(total, TOTAL).expr_as(more, MORE);
        if matches!(cut.by, By::Relevance) {
            page.order_by(("shown", "score"), Order::Desc);
        }
        page.order_by(("shown", "id"), order)
            .with_cte(WithClause::new().cte(named.query(found).to_owned()).to_owned());
        page
    }

    /// The number of all rows, up to `most`.
    fn counted(&self, dialect: Dialect, most: i64) -> SelectStatement {
        let mut rows = self.narrowed.clone();
        self.text.find(&mut rows, dialect, Some(self.words));
        rows.expr(Expr::cust("1")).limit(most.unsigned_abs());
        Query::select().expr(Expr::cust("COUNT(*)")).from_subquery(rows, "counted").take()
    }
}

/// The number of rows that are ranked: whole pages, so that no page is sorted in both ways.
fn ranked(paging: Paging) -> i64 {
    let pages = RANKED.saturating_add(paging.limit() - 1) / paging.limit();
    pages.saturating_mul(paging.limit())
}

/// The plans of the statements that may read a page.
pub async fn plans_of_scan(
    session: &mut Session,
    scan: &Scan<'_>,
    show: impl Fn(&mut SelectStatement),
    paging: Paging,
) -> Result<Vec<String>> {
    let (dialect, cut) = (session.dialect(), scan.cut(paging));
    let mut plans = Vec::new();
    for way in scan.ways(dialect, &cut.by) {
        plans.push(plan(session, scan.page(dialect, *way, &cut, &show)).await?);
    }
    Ok(plans)
}

impl Session {
    /// Reads a page of a list by words.
    pub async fn scan<T: Row>(
        &mut self,
        scan: &Scan<'_>,
        show: impl Fn(&mut SelectStatement),
        paging: Paging,
    ) -> Result<(Listing<T>, Extent)> {
        let (dialect, cut) = (self.dialect(), scan.cut(paging));
        for way in scan.ways(dialect, &cut.by) {
            let rows: Vec<Scanned<T>> = self.all(scan.page(dialect, *way, &cut, &show)).await?;
            let first = rows.first().map(|row| (row.total, row.more));
            let (total, more) = first.ok_or_else(|| Error::internal("a page without a total"))?;
            if more && total < cut.needed {
                continue;
            }
            let items = rows.into_iter().filter_map(|scanned| scanned.row.0).collect();
            let extent = Extent { total_is_exact: !more && total < cut.counted };
            let total = Ord::min(total, cut.counted);
            return Ok((Listing::new(items, paging, total), extent));
        }
        Err(Error::internal("no way decided a page"))
    }
}
