//! Statements: fixed SQL text, or built by sea-query if the shape depends on the input.

use sea_query::{
    DeleteStatement, Expr, ExprTrait, InsertStatement, OnConflict, PostgresQueryBuilder, Query,
    SelectStatement, SqliteQueryBuilder, UpdateStatement, Value, Values,
};
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

use super::Dialect;
use crate::kernel::{Machine, Moved, Time};

/// A statement's text for one engine, with the values it binds.
#[derive(Debug)]
pub struct Rendered {
    /// The text.
    pub text: SqlStr,
    /// The values, in order.
    pub values: Values,
}

/// A statement that can run on either engine.
pub trait Statement: Send {
    /// The text and the values for `dialect`.
    fn render(self, dialect: Dialect) -> Rendered;
}

/// Fixed SQL text with `$1`, `$2`, … and its values. Created by [`sql`].
#[derive(Debug)]
pub struct Sql {
    text: &'static str,
    /// PostgreSQL's own text, and a clause added to the text for PostgreSQL.
    on_postgres: Option<&'static str>,
    locking: Option<&'static str>,
    values: Vec<Value>,
}

/// A fixed statement. The text is the same for both engines.
#[must_use]
pub fn sql(text: &'static str) -> Sql {
    Sql { text, on_postgres: None, locking: None, values: Vec::new() }
}

impl Sql {
    /// Binds the next value.
    #[must_use]
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Locks the selected rows on PostgreSQL, with a clause such as `FOR UPDATE OF a` at the end;
    /// SQLite has one writer and needs no lock.
    #[must_use]
    pub fn locking(mut self, clause: &'static str) -> Self {
        self.locking = Some(clause);
        self
    }

    /// Uses another text on PostgreSQL. Both texts bind the same values.
    #[must_use]
    pub fn on_postgres(mut self, text: &'static str) -> Self {
        self.on_postgres = Some(text);
        self
    }
}

impl Statement for Sql {
    fn render(self, dialect: Dialect) -> Rendered {
        let text = match (dialect, self.on_postgres, self.locking) {
            (Dialect::Postgres, _, Some(clause)) => {
                AssertSqlSafe(format!("{} {clause}", self.text)).into_sql_str()
            }
            (Dialect::Postgres, Some(text), None) => text.into_sql_str(),
            _ => self.text.into_sql_str(),
        };
        Rendered { text, values: Values(self.values) }
    }
}

macro_rules! built_statement {
    ($($statement:ty),+) => {$(
        impl Statement for $statement {
            fn render(self, dialect: Dialect) -> Rendered {
                let (text, values) = match dialect {
                    Dialect::Sqlite => self.build(SqliteQueryBuilder),
                    Dialect::Postgres => self.build(PostgresQueryBuilder),
                };
                Rendered { text: AssertSqlSafe(text).into_sql_str(), values }
            }
        }
    )+};
}

built_statement!(SelectStatement, InsertStatement, UpdateStatement, DeleteStatement);

/// Columns with their values, shared by an insert and an update.
#[derive(Debug, Default)]
pub struct Columns(Vec<(&'static str, Value)>);

impl Columns {
    /// A column with its value.
    #[must_use]
    pub fn set(mut self, column: &'static str, value: impl Into<Value>) -> Self {
        self.0.push((column, value.into()));
        self
    }
}

/// A struct whose fields are written to columns. Derived: `#[derive(storage::Stored)]`.
pub trait Stored {
    /// The columns with their values.
    fn columns(&self) -> Columns;
}

/// A struct of which two can be compared, for the audit trail. Derived:
/// `#[derive(storage::Compared)]`.
pub trait Compared {
    /// The names of the fields that differ.
    fn differences(&self, other: &Self) -> Vec<&'static str>;
}

/// An insert that names each column beside its value. Created by [`insert`].
#[derive(Clone, Debug)]
pub struct Insert {
    table: &'static str,
    columns: Vec<&'static str>,
    values: Vec<Expr>,
    rows: Vec<Vec<Expr>>,
    condition: Option<&'static str>,
    unless: Option<OnConflict>,
    returning: Option<&'static [&'static str]>,
}

/// The number of rows that one statement inserts.
const AT_ONCE: usize = 500;

/// Starts an insert into `table`.
#[must_use]
pub fn insert(table: &'static str) -> Insert {
    Insert {
        table,
        columns: Vec::new(),
        values: Vec::new(),
        rows: Vec::new(),
        condition: None,
        unless: None,
        returning: None,
    }
}

impl Insert {
    /// A column with its value.
    #[must_use]
    pub fn set(mut self, column: &'static str, value: impl Into<Value>) -> Self {
        self.columns.push(column);
        self.values.push(Expr::val(value));
        self
    }

    /// A column with the value of an expression.
    #[must_use]
    pub fn set_to(mut self, column: &'static str, expression: &'static str) -> Self {
        self.columns.push(column);
        self.values.push(Expr::cust(expression));
        self
    }

    /// Inserts its only row if the condition holds.
    #[must_use]
    pub fn only_if(mut self, condition: &'static str) -> Self {
        self.condition = Some(condition);
        self
    }

    /// These columns with their values.
    #[must_use]
    pub fn with(self, columns: Columns) -> Self {
        columns.0.into_iter().fold(self, |row, (column, value)| row.set(column, value))
    }

    /// Ends a row and begins the next one, which sets the same columns in the same order.
    #[must_use]
    pub fn row(mut self) -> Self {
        let width = self.values.len();
        self.rows.push(std::mem::take(&mut self.values));
        self.columns.truncate(width);
        self
    }

    /// The table.
    pub(super) fn table(&self) -> &'static str {
        self.table
    }

    /// Ends the last row, if it has not been ended.
    fn ended(self) -> Self {
        if self.values.is_empty() { self } else { self.row() }
    }

    /// Does nothing if a row with the same `columns` exists.
    #[must_use]
    pub fn unless_exists(mut self, columns: &'static [&'static str]) -> Self {
        self.unless = Some(OnConflict::columns(columns.iter().copied()).do_nothing().to_owned());
        self
    }

    /// Overwrites `updates` if a row with the same `columns` exists.
    #[must_use]
    pub fn or_update(
        mut self,
        columns: &'static [&'static str],
        updates: &'static [&'static str],
    ) -> Self {
        self.unless = Some(
            OnConflict::columns(columns.iter().copied())
                .update_columns(updates.iter().copied())
                .to_owned(),
        );
        self
    }

    /// This insert as several ones of at most [`AT_ONCE`] rows each; none without rows.
    pub(super) fn pieces(mut self) -> impl Iterator<Item = Self> {
        self = self.ended();
        let mut rows = std::mem::take(&mut self.rows).into_iter();
        std::iter::from_fn(move || {
            let rows: Vec<_> = rows.by_ref().take(AT_ONCE).collect();
            (!rows.is_empty()).then(|| Self { rows, ..self.clone() })
        })
    }

    /// Returns these columns of the inserted rows.
    #[must_use]
    pub fn returning(mut self, columns: &'static [&'static str]) -> Self {
        self.returning = Some(columns);
        self
    }
}

impl Statement for Insert {
    fn render(self, dialect: Dialect) -> Rendered {
        let Self { table, columns, rows, condition, unless, returning, .. } = self.ended();
        let mut query = Query::insert();
        query.into_table(table).columns(columns);
        for row in rows {
            let Some(condition) = condition else {
                query.values_panic(row);
                continue;
            };
            let row = Query::select().exprs(row).and_where(Expr::cust(condition)).take();
            let unfit = query.select_from(row).err();
            debug_assert!(unfit.is_none(), "{unfit:?}: each column has a value");
        }
        if let Some(unless) = unless {
            query.on_conflict(unless);
        }
        if let Some(columns) = returning {
            query.returning(Query::returning().columns(columns.iter().copied()));
        }
        query.render(dialect)
    }
}

/// An update that names each column beside its value. Created by [`update`].
#[derive(Debug)]
pub struct Update(UpdateStatement, &'static str);

/// Starts an update of `table`. Without a condition it would change every row, so add one.
#[must_use]
pub fn update(table: &'static str) -> Update {
    let mut query = Query::update();
    query.table(table);
    Update(query, table)
}

/// A row that takes a step of its machine, now; 409 unless it is still in the step's first state.
pub fn advance<M: Machine>(
    table: &'static str,
    id: impl Into<Value>,
    moved: Moved<M>,
    now: Time,
) -> Update {
    update(table).set("updated_at", now).change(moved).when("id", id)
}

impl Update {
    /// A column with its new value.
    #[must_use]
    pub fn set(mut self, column: &'static str, value: impl Into<Value>) -> Self {
        self.0.value(column, Expr::val(value));
        self
    }

    /// A column with its new value, if one is given; otherwise the column stays as it is.
    #[must_use]
    pub fn given(self, column: &'static str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.set(column, value),
            None => self,
        }
    }

    /// These columns with their new values.
    #[must_use]
    pub fn with(self, columns: Columns) -> Self {
        columns.0.into_iter().fold(self, |row, (column, value)| row.set(column, value))
    }

    /// Adds to a number.
    #[must_use]
    pub fn add(mut self, column: &'static str, value: impl Into<Value>) -> Self {
        self.0.value(column, Expr::col(column).add(Expr::val(value)));
        self
    }

    /// A change of status that a machine permitted: writes the new status, guarded by the old one.
    #[must_use]
    pub fn change<M: Machine>(self, moved: Moved<M>) -> Self {
        self.set("status", moved.to().word()).when("status", moved.from().word())
    }

    /// Only rows where the column has this value.
    #[must_use]
    pub fn when(mut self, column: &'static str, value: impl Into<Value>) -> Self {
        self.0.and_where(Expr::col(column).eq(Expr::val(value)));
        self
    }

    /// The table.
    pub(super) fn table(&self) -> &'static str {
        self.1
    }

    /// Returns these columns of the changed rows.
    #[must_use]
    pub fn returning(mut self, columns: &'static [&'static str]) -> Self {
        self.0.returning(Query::returning().columns(columns.iter().copied()));
        self
    }

    /// Only rows where the condition holds.
    #[must_use]
    pub fn and(mut self, condition: Expr) -> Self {
        self.0.and_where(condition);
        self
    }
}

impl Statement for Update {
    fn render(self, dialect: Dialect) -> Rendered {
        self.0.render(dialect)
    }
}

/// Lists in conditions.
pub trait Among: ExprTrait {
    /// Whether it is one of these values. The list is padded with its last value to a length of 1,
    /// 2, 4, 8 and so on, so that lists of many lengths share few statement texts, each prepared
    /// once.
    fn among<V: Into<Expr>>(self, values: impl IntoIterator<Item = V>) -> Expr
    where
        Self: Sized,
    {
        let mut list: Vec<Expr> = values.into_iter().map(Into::into).collect();
        if let Some(last) = list.last().cloned()
            && list.len() <= EVENED
        {
            list.resize(list.len().next_power_of_two(), last);
        }
        self.is_in(list)
    }
}

/// Longer lists are rare, and engines limit the number of bound values.
const EVENED: usize = 1_024;

impl<T: ExprTrait> Among for T {}
