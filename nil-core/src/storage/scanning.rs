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

    /// The condition of [`FullText::find`] without the index.
    fn contains(&self) -> Expr {
        let folded: Vec<String> = self.words.folded().collect();
        let texts = self.texts.map(|text| Expr::col((self.text.table, text)));
        let arguments = std::iter::once(Expr::val(folded.join(" "))).chain(texts);
        Func::cust("contains_words").args(arguments).into()
    }

    fn ids(&self) -> SelectStatement {
        let mut ids = self.rows.clone();
        ids.expr_as(self.key(), "id").order_by_expr(self.key(), self.order.clone());
        ids
    }

    /// The statement of a page; `show` adds the columns (with the key as `id`) and left joins. It always returns a row.
    fn page(
        &self,
        show: impl FnOnce(&mut SelectStatement),
        paging: Paging,
        most: i64,
    ) -> SelectStatement {
        let edge = self.ids().limit(1).offset(WINDOW - 1).to_owned();
        let edge_id = Query::select().column("id").from("edge").to_owned();
        let within = |all: i64| Func::coalesce([scalar(edge_id.clone()), Expr::val(all)]);
        let within = match self.order {
            Order::Asc => self.key().lte(within(i64::MAX)),
            _ => self.key().gte(within(i64::MIN)),
        };
        let found = self
            .ids()
            .and_where(self.contains())
            .and_where(within)
            .limit(most.unsigned_abs())
            .to_owned();
        let cut = Query::select()
            .column("id")
            .from("found")
            .order_by("id", self.order.clone())
            .limit(paging.limit().unsigned_abs())
            .offset(paging.offset().unsigned_abs())
            .to_owned();
        let nothing = Query::select().expr(Expr::cust("1")).to_owned();
        let mut page = Query::select();
        page.from_subquery(nothing, "always")
            .left_join(self.text.table, self.key().in_subquery(cut));
        show(&mut page);
        let count = Query::select().expr(Expr::cust("COUNT(*)")).from("found").to_owned();
        let named = |name: &'static str, query: SelectStatement| {
            CommonTableExpression::new().table_name(name).column("id").query(query).to_owned()
        };
        page.expr_as(scalar(count), TOTAL)
            .expr_as(Expr::exists(edge_id), MORE)
            .order_by_expr(self.key(), self.order.clone())
            .with_cte(
                WithClause::new().cte(named("edge", edge)).cte(named("found", found)).to_owned(),
            );
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
    plan(session, scan.page(show, paging, most_counted(paging, None))).await
}

impl Session {
    /// Reads a page by looking through the first rows; none if these do not decide it.
    pub(crate) async fn scan<T: Row>(
        &mut self,
        scan: &Scan<'_>,
        show: impl FnOnce(&mut SelectStatement),
        paging: Paging,
    ) -> Result<Option<(Listing<T>, Extent)>> {
        let most = most_counted(paging, None);
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
