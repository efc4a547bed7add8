//! Optional conditions: they apply only if the input sets a value.

use sea_query::{
    Cond, Expr, ExprTrait as _, Func, IntoColumnRef, LikeExpr, Order, SelectStatement, Value,
};

use super::{Among as _, Dialect};
use crate::kernel::{NameSort, fold};

/// The escape character of patterns.
const ESCAPE: char = '\\';

/// Narrows a query by the conditions that an input sets.
pub trait Narrow {
    /// Only rows with this value, if given.
    fn only(&mut self, column: impl IntoColumnRef, value: Option<impl Into<Value>>) -> &mut Self;

    /// Only rows with one of these values, if any are given.
    fn only_among<V: Into<Value>>(
        &mut self,
        column: impl IntoColumnRef,
        values: impl IntoIterator<Item = V>,
    ) -> &mut Self;

    /// Only rows with this value or a greater one, if given.
    fn only_from(
        &mut self,
        column: impl IntoColumnRef,
        least: Option<impl Into<Value>>,
    ) -> &mut Self;

    /// Only rows with this value or a lesser one, if given.
    fn only_up_to(
        &mut self,
        column: impl IntoColumnRef,
        most: Option<impl Into<Value>>,
    ) -> &mut Self;

    /// Only rows with a lesser value than this, if given.
    fn only_before(
        &mut self,
        column: impl IntoColumnRef,
        end: Option<impl Into<Value>>,
    ) -> &mut Self;

    /// Only rows where this is in a range, if it has a beginning or an end.
    fn only_within<V: Into<Value>>(
        &mut self,
        column: Expr,
        least: Option<V>,
        most: Option<V>,
    ) -> &mut Self;

    /// Rows by their name or by their age, which their unique id follows.
    fn in_order(&mut self, sort: NameSort, name: Expr, id: Expr) -> &mut Self;

    /// Rows in the order of these columns, which are unique together; only those after the row with
    /// these values, if given.
    fn behind<const N: usize>(
        &mut self,
        keys: [(&'static str, &'static str); N],
        order: Order,
        last: Option<[Value; N]>,
    ) -> &mut Self;
}

/// The column of a range in a search. Unless the rows are sorted by it (`sorted`), SQLite's planner
/// must not use an index of it: it would read every row of the range, and sort them, where the
/// first rows in order are enough. `+` hides the column. PostgreSQL's planner knows how many rows a
/// range has.
pub fn ranged(
    dialect: Dialect,
    (table, column): (&'static str, &'static str),
    sorted: bool,
) -> Expr {
    match dialect {
        Dialect::Sqlite if !sorted => Expr::cust(format!("+{table}.{column}")),
        _ => Expr::col((table, column)),
    }
}

/// The column with the number of whose rows these are: an institution's, a sport's. If another
/// condition is `narrower`, such as a few athletes, the rows are found by that one: SQLite's
/// planner, which has no statistics, would read all of an institution's rows. `+` hides the column.
pub fn whose((table, column): (&'static str, &'static str), narrower: bool) -> Expr {
    if narrower { Expr::cust(format!("+{table}.{column}")) } else { Expr::col((table, column)) }
}

impl Narrow for SelectStatement {
    fn only(&mut self, column: impl IntoColumnRef, value: Option<impl Into<Value>>) -> &mut Self {
        match value {
            Some(value) => self.and_where(Expr::col(column).eq(Expr::val(value))),
            None => self,
        }
    }

    fn only_among<V: Into<Value>>(
        &mut self,
        column: impl IntoColumnRef,
        values: impl IntoIterator<Item = V>,
    ) -> &mut Self {
        let mut values = values.into_iter().map(|value| Expr::val(value)).peekable();
        match values.peek() {
            Some(_) => self.and_where(Expr::col(column).among(values)),
            None => self,
        }
    }

    fn only_from(
        &mut self,
        column: impl IntoColumnRef,
        least: Option<impl Into<Value>>,
    ) -> &mut Self {
        match least {
            Some(least) => self.and_where(Expr::col(column).gte(Expr::val(least))),
            None => self,
        }
    }

    fn only_up_to(
        &mut self,
        column: impl IntoColumnRef,
        most: Option<impl Into<Value>>,
    ) -> &mut Self {
        match most {
            Some(most) => self.and_where(Expr::col(column).lte(Expr::val(most))),
            None => self,
        }
    }

    fn only_before(
        &mut self,
        column: impl IntoColumnRef,
        end: Option<impl Into<Value>>,
    ) -> &mut Self {
        match end {
            Some(end) => self.and_where(Expr::col(column).lt(Expr::val(end))),
            None => self,
        }
    }

    fn only_within<V: Into<Value>>(
        &mut self,
        column: Expr,
        least: Option<V>,
        most: Option<V>,
    ) -> &mut Self {
        let most = most.map(|most| column.clone().lte(Expr::val(most)));
        self.and_where_option(least.map(|least| column.gte(Expr::val(least))))
            .and_where_option(most)
    }

    fn in_order(&mut self, sort: NameSort, name: Expr, id: Expr) -> &mut Self {
        match sort {
            NameSort::Newest => self.order_by_expr(id, Order::Desc),
            NameSort::Oldest => self.order_by_expr(id, Order::Asc),
            NameSort::NameUp => self.order_by_expr(name, Order::Asc).order_by_expr(id, Order::Asc),
            NameSort::NameDown => {
                self.order_by_expr(name, Order::Desc).order_by_expr(id, Order::Desc)
            }
        }
    }

    fn behind<const N: usize>(
        &mut self,
        keys: [(&'static str, &'static str); N],
        order: Order,
        last: Option<[Value; N]>,
    ) -> &mut Self {
        if let Some(last) = last {
            let row = Expr::tuple(keys.map(Expr::col));
            let last = Expr::tuple(last.map(Expr::val));
            self.and_where(match order {
                Order::Desc => row.lt(last),
                _ => row.gt(last),
            });
        }
        for key in keys {
            self.order_by(key, order.clone());
        }
        self
    }
}

/// The rows in which one of the texts contains these words, both folded (see [`fold`]): every row
/// without words.
pub fn contains(texts: impl IntoIterator<Item = Expr>, words: Option<&str>) -> Cond {
    let folded = fold(words.unwrap_or_default());
    let mut pattern = String::with_capacity(folded.len() + 2);
    for word in folded.split_whitespace() {
        pattern.push(if pattern.is_empty() { '%' } else { ' ' });
        for letter in word.chars() {
            if matches!(letter, '%' | '_' | ESCAPE) {
                pattern.push(ESCAPE);
            }
            pattern.push(letter);
        }
    }
    if pattern.is_empty() {
        return Cond::all();
    }
    pattern.push('%');
    let like = |text| {
        let like = LikeExpr::new(pattern.clone()).escape(ESCAPE);
        Expr::expr(Func::cust("fold_text").arg(text)).like(like)
    };
    texts.into_iter().fold(Cond::any(), |any, text| any.add(like(text)))
}
