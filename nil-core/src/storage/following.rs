//! Lists that are followed by key: a page after a row of the page before, without a count and
//! without an offset.

use std::fmt;

use sea_query::{Expr, ExprTrait as _, NullOrdering, Order, SelectStatement, Value};

use super::paging::{Found, PAGE};
use super::record::{FromRow, Read, Record};
use super::session::{Row, Session};
use crate::error::{Error, Result};
use crate::kernel::{Bookmark, FollowedPage, KeyValue, Listing, Pagination, Paging, Start};

/// The columns with the values that rows are sorted by.
const KEYS: [&str; 6] =
    ["list_key_1", "list_key_2", "list_key_3", "list_key_4", "list_key_5", "list_key_6"];

/// A value that a list is sorted by.
#[derive(Clone, Debug)]
pub struct Key {
    by: Expr,
    order: Order,
    /// Whether rows without the value exist; they are the last ones.
    optional: bool,
}

impl Key {
    /// The least value first.
    pub fn up(by: impl Into<Expr>) -> Self {
        Self::of(by, Order::Asc)
    }

    /// The greatest value first.
    pub fn down(by: impl Into<Expr>) -> Self {
        Self::of(by, Order::Desc)
    }

    /// A value in this order.
    pub fn of(by: impl Into<Expr>, order: Order) -> Self {
        Self { by: by.into(), order, optional: false }
    }

    /// Rows without the value come last.
    #[must_use]
    pub fn nulls_last(self) -> Self {
        Self { optional: true, ..self }
    }

    fn is_down(&self) -> bool {
        matches!(self.order, Order::Desc)
    }

    /// Sorts rows by this: the value, or the column that has it.
    fn sort(&self, rows: &mut SelectStatement, by: Expr) {
        if self.optional {
            rows.order_by_expr_with_nulls(by, self.order.clone(), NullOrdering::Last);
        } else {
            rows.order_by_expr(by, self.order.clone());
        }
    }

    fn beyond(&self, value: Value) -> Expr {
        let by = self.by.clone();
        if self.is_down() { by.lt(Expr::val(value)) } else { by.gt(Expr::val(value)) }
    }

    fn from(&self, value: Value) -> Expr {
        let by = self.by.clone();
        if self.is_down() { by.lte(Expr::val(value)) } else { by.gte(Expr::val(value)) }
    }
}

/// The value as it is bound; none for none.
fn bound(value: &KeyValue) -> Option<Value> {
    match value {
        KeyValue::Nothing => None,
        KeyValue::Number(number) => Some((*number).into()),
        KeyValue::Truth(truth) => Some((*truth).into()),
        KeyValue::Text(text) => Some(text.clone().into()),
        KeyValue::Time(time) => Some((*time).into()),
        KeyValue::Date(date) => Some((*date).into()),
    }
}

/// Whether a row comes after the row with these values.
fn behind(keys: &[(Key, Option<Value>)]) -> Expr {
    let Some(((first, value), rest)) = keys.split_first() else {
        return Expr::cust("1 = 0");
    };
    let alike = keys
        .iter()
        .all(|(key, value)| key.is_down() == first.is_down() && !key.optional && value.is_some());
    if alike {
        // The engines find the row in an index over all of them.
        let row = Expr::tuple(keys.iter().map(|(key, _)| key.by.clone()));
        let last = Expr::tuple(keys.iter().filter_map(|(_, value)| value.clone()).map(Expr::val));
        return if first.is_down() { row.lt(last) } else { row.gt(last) };
    }
    let Some(value) = value else {
        return first.by.clone().is_null().and(behind(rest));
    };
    let equal = first.by.clone().eq(Expr::val(value.clone())).and(behind(rest));
    let beyond = first.beyond(value.clone()).or(equal);
    if first.optional {
        beyond.or(first.by.clone().is_null())
    } else {
        // It follows from the rest, but only this finds a place in an index.
        first.from(value.clone()).and(beyond)
    }
}

/// The rows of a list with the values they are sorted by, which are unique together.
#[derive(Debug)]
pub struct Sorted {
    found: Found,
    keys: Vec<Key>,
    /// Whether the rows are groups of others.
    groups: bool,
}

impl Found {
    /// The rows in the order of these values, which are unique together.
    pub fn sorted(self, keys: impl IntoIterator<Item = Key>) -> Sorted {
        Sorted { found: self, keys: keys.into_iter().collect(), groups: false }
    }

    /// The groups of rows in the order of these values, which are unique together.
    pub fn groups_sorted(self, keys: impl IntoIterator<Item = Key>) -> Sorted {
        Sorted { groups: true, ..self.sorted(keys) }
    }
}

/// The rows of a list in the order of these values, which are unique together.
pub fn sorted(rows: SelectStatement, keys: impl IntoIterator<Item = Key>) -> Sorted {
    Found::from(rows).sorted(keys)
}

impl Sorted {
    /// The rows in order, with the values they are sorted by.
    fn ordered(mut self) -> Found {
        for (key, name) in self.keys.into_iter().zip(KEYS) {
            let rows = self.found.rows_mut();
            rows.expr_as(key.by.clone(), name);
            key.sort(rows, key.by.clone());
            // What a page is joined to may change the order of its rows.
            if let Some(shown) = self.found.shown_mut() {
                let by = Expr::col((PAGE, name));
                shown.expr_as(by.clone(), name);
                key.sort(shown, by);
            }
        }
        self.found
    }

    /// The rows after a row, at most so many.
    fn after(mut self, bookmark: &Bookmark, most: u64) -> Result<SelectStatement> {
        if self.keys.len() != bookmark.keys.len() {
            return Err(Error::invalid("after", "continues a list of an earlier version"));
        }
        let last = bookmark.keys.iter().map(bound);
        let keys: Vec<_> = self.keys.iter().cloned().zip(last).collect();
        let rows = self.found.rows_mut();
        if self.groups {
            rows.and_having(behind(&keys));
        } else {
            rows.and_where(behind(&keys));
        }
        Ok(self.ordered().first(most))
    }
}

/// A row with the values it is sorted by.
struct Keyed<T> {
    keys: Vec<KeyValue>,
    row: T,
}

impl<T: FromRow> FromRow for Keyed<T> {
    fn from_row(row: &Record) -> Read<Self> {
        let mut keys = Vec::new();
        for name in KEYS {
            // A list has as many as it is sorted by.
            let Some(value) = row.find(name)? else { break };
            keys.push(value);
        }
        Ok(Self { keys, row: T::from_row(row)? })
    }
}

impl<T> fmt::Debug for Keyed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Keyed").field(&self.keys).finish()
    }
}

/// A page of these rows, which tells how it continues if it does.
fn page<T>(
    rows: Vec<Keyed<T>>,
    mut position: Pagination,
    more: bool,
    place: &FollowedPage,
) -> Result<Listing<T>> {
    let mark = |last: &Keyed<T>| Bookmark {
        keys: last.keys.clone(),
        page: position.page,
        total: position.total,
        end: place.end,
    };
    let bookmark = rows.last().filter(|_| more).map(mark);
    position.next = bookmark.map(|bookmark| place.next(&bookmark)).transpose()?;
    let items = rows.into_iter().map(|keyed| keyed.row).collect();
    Ok(position.of(items))
}

impl Session {
    /// Reads a page of a list that is followed by key. The page of a number is read like every
    /// other ([`page`](Self::page)); the page after a row knows the total from before, and whether
    /// more follow from one row more.
    pub async fn follow<T: Row>(
        &mut self,
        sorted: Sorted,
        place: FollowedPage,
    ) -> Result<Listing<T>> {
        let bookmark = match &place.start {
            Start::Page(number) => {
                let paging = Paging { page: *number, per_page: place.per_page };
                let found = self.page::<Keyed<T>>(sorted.ordered(), paging).await?;
                let (rows, position) = found.split();
                let shown = i64::try_from(rows.len()).map_err(Error::internal)?;
                let more = paging.offset().saturating_add(shown) < position.total;
                return page(rows, position, more, &place);
            }
            Start::After(bookmark) => bookmark,
        };
        let limit = usize::try_from(place.per_page.get()).map_err(Error::internal)?;
        let most = place.per_page.get().unsigned_abs().saturating_add(1);
        let mut rows: Vec<Keyed<T>> = self.all(sorted.after(bookmark, most)?).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let paging = Paging::first(place.per_page);
        let number = bookmark.page.saturating_add(1);
        let position = Pagination { page: number, ..paging.of(bookmark.total) };
        page(rows, position, more, &place)
    }
}

#[cfg(test)]
mod tests {
    use sea_query::{Query, SqliteQueryBuilder};

    use super::*;

    fn condition(keys: Vec<Key>, values: Vec<KeyValue>) -> String {
        let mut rows = Query::select();
        rows.column("x").from("t");
        let last = Bookmark { keys: values, page: 1, total: 9, end: None };
        let text = sorted(rows, keys).after(&last, 3).unwrap().to_string(SqliteQueryBuilder);
        let (_, condition) = text.split_once(" WHERE ").unwrap();
        let (condition, _) = condition.split_once(" ORDER BY ").unwrap();
        condition.replace('"', "")
    }

    fn column(name: &'static str) -> Expr {
        Expr::col(name)
    }

    #[test]
    fn values_in_one_direction_are_compared_together() {
        let number = KeyValue::Number;
        let keys = vec![Key::down(column("a")), Key::down(column("id"))];
        assert_eq!(condition(keys, vec![number(7), number(9)]), "(a, id) < (7, 9)");
    }

    #[test]
    fn values_in_two_directions_begin_where_the_first_is() {
        let number = KeyValue::Number;
        let keys = vec![Key::up(column("a")), Key::down(column("id"))];
        assert_eq!(
            condition(keys, vec![number(7), number(9)]),
            "a >= 7 AND (a > 7 OR (a = 7 AND (id) < (9)))"
        );
    }

    #[test]
    fn rows_without_a_value_follow_those_with_one() {
        let keys = || vec![Key::up(column("a")).nulls_last(), Key::down(column("id"))];
        assert_eq!(
            condition(keys(), vec![KeyValue::Number(7), KeyValue::Number(9)]),
            "a > 7 OR (a = 7 AND (id) < (9)) OR a IS NULL"
        );
        let last = vec![KeyValue::Nothing, KeyValue::Number(9)];
        assert_eq!(condition(keys(), last), "a IS NULL AND (id) < (9)");
    }

    #[test]
    fn a_bookmark_of_another_order_is_refused() {
        let last = Bookmark { keys: vec![KeyValue::Number(7)], page: 1, total: 9, end: None };
        let keys = [Key::up(column("a")), Key::down(column("id"))];
        let rows = Query::select().column("x").from("t").take();
        assert!(sorted(rows, keys).after(&last, 3).is_err());
    }
}
