//! Searches for words among the newest (or oldest) rows, without the full-text index.
//!
//! A list by age that asks for a common word fills its page with the first rows that meet its other conditions, while
//! the index would read every row that contains the word. A list with a rare condition has few rows that could contain
//! it at all. So the first [`WINDOW`] rows are looked through; only if they do not decide the page, the index is asked.

use sea_query::{
    CommonTableExpression, Expr, ExprTrait as _, Func, Order, Query, SelectStatement, WithClause,
};
use sqlx::FromRow;

use super::fulltext::FullText;
use super::paging::{TOTAL, most_counted, scalar};
use super::plan::plan;
use super::record::Joined;
use super::session::{Row, Session};
use crate::error::Result;
use crate::kernel::{Extent, Listing, Paging, Words};

/// The number of rows that are looked through.
const WINDOW: u64 = 512;
/// The number of rows behind the page that are counted: each is read for its text.
const AHEAD: i64 = 25;
/// The column that tells whether there are rows behind the window.
const MORE: &str = "more";

/// A list by age with words, on SQLite. PostgreSQL's planner decides by itself between an index of words and one of
/// ages.
#[derive(Debug)]
pub(crate) struct Scan<'a> {
    pub(crate) text: FullText,
    /// The columns whose words its index has.
    pub(crate) texts: [&'static str; 2],
    pub(crate) words: &'a Words,
    /// Selects from the table, with all conditions but the words.
    pub(crate) rows: SelectStatement,
    /// The order of the ids.
    pub(crate) order: Order,
}

#[derive(FromRow)]
struct Scanned<T> {
    #[sqlx(rename = "list_total")]
    total: i64,
    more: bool,
    /// None in the only row of an empty page.
    #[sqlx(flatten)]
    row: Joined<T>,
}

impl Scan<'_> {
    fn key(&self) -> Expr {
        Expr::col((self.text.table, self.text.key))
    }

    /// The condition of [`FullText::find`] without the index, for rows of the window.
    fn contains(&self) -> Expr {
        let folded: Vec<String> = self.words.folded().collect();
        let texts = self.texts.map(|text| Expr::col(("looked", text)));
        let arguments = std::iter::once(Expr::val(folded.join(" "))).chain(texts);
        Func::cust("contains_words").args(arguments).into()
    }

    /// The statement of a page; `show` adds the columns (with the key as `id`) and left joins. It always returns a row.
    fn page(
        &self,
        show: impl FnOnce(&mut SelectStatement),
        paging: Paging,
        most: i64,
    ) -> SelectStatement {
        let mut window = self.rows.clone();
        window.order_by_expr(self.key(), self.order.clone());
        let mut behind = window.clone();
        behind.expr(Expr::cust("1")).limit(1).offset(WINDOW);
        window
            .expr_as(self.key(), "id")
            .columns(self.texts.map(|text| (self.text.table, text)))
            .limit(WINDOW);
        // The rows of the window come one by one, in its order, and only until enough are found.
        let found = Query::select()
            .column("id")
            .from_subquery(window, "looked")
            .and_where(self.contains())
            .limit(most.unsigned_abs())
            .take();
        let cut = Query::select()
            .column("id")
            .from("found")
            .order_by("id", self.order.clone())
            .limit(paging.limit().unsigned_abs())
            .offset(paging.offset().unsigned_abs())
            .take();
        let count = || scalar(Query::select().expr(Expr::cust("COUNT(*)")).from("found").take());
        let nothing = Query::select().expr(Expr::cust("1")).take();
        let mut page = Query::select();
        page.from_subquery(nothing, "always")
            .left_join(self.text.table, self.key().in_subquery(cut));
        show(&mut page);
        // The end of the window matters only if too few were found in it.
        let more = Expr::case(count().lt(most), Expr::exists(behind)).finally(true);
        let found =
            CommonTableExpression::new().table_name("found").column("id").query(found).to_owned();
        page.expr_as(count(), TOTAL)
            .expr_as(more, MORE)
            .order_by_expr(self.key(), self.order.clone())
            .with_cte(WithClause::new().cte(found).to_owned());
        page
    }
}

/// The plan for a page.
pub(crate) async fn plan_of_scan(
    session: &mut Session,
    scan: &Scan<'_>,
    show: impl FnOnce(&mut SelectStatement),
    paging: Paging,
) -> Result<String> {
    plan(session, scan.page(show, paging, most_counted(paging, AHEAD))).await
}

impl Session {
    /// Reads a page by looking through the first rows; none if these do not decide it.
    pub(crate) async fn scan<T: Row>(
        &mut self,
        scan: &Scan<'_>,
        show: impl FnOnce(&mut SelectStatement),
        paging: Paging,
    ) -> Result<Option<(Listing<T>, Extent)>> {
        let most = most_counted(paging, AHEAD);
        let rows: Vec<Scanned<T>> = self.all(scan.page(show, paging, most)).await?;
        let Some((total, more)) = rows.first().map(|row| (row.total, row.more)) else {
            return Ok(None);
        };
        if more && total < paging.offset().saturating_add(paging.limit()) {
            return Ok(None);
        }
        let items = rows.into_iter().filter_map(|scanned| scanned.row.0).collect();
        let extent = Extent { total_is_exact: !more && total < most };
        Ok(Some((Listing::new(items, paging, total), extent)))
    }
}
