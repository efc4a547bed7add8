//! The parts that sqlx requires of a database besides its rows: a connection, transactions, statements, arguments.
//! Statements are not run through sqlx's types here, so none of these is ever created: one empty enum stands for all of
//! them.

use std::str::FromStr;
use std::time::Duration;

use sqlx::error::BoxDynError;
use sqlx::{
    Arguments, Column, ConnectOptions, Connection, Either, Encode, Error, Result, SqlStr,
    Statement, Transaction, Type,
};
use sqlx_core::transaction::TransactionManager;

use super::record::{Kind, Store};

/// A part of [`Store`] that is never created.
#[derive(Clone, Copy, Debug)]
pub enum Unused {}

/// Arguments cannot be an empty enum, because they have a default.
#[derive(Debug, Default)]
pub struct NoArguments;

fn unused() -> Error {
    Error::Configuration("statements are run by a session".into())
}

impl Column for Unused {
    type Database = Store;

    fn ordinal(&self) -> usize {
        match *self {}
    }

    fn name(&self) -> &str {
        match *self {}
    }

    fn type_info(&self) -> &Kind {
        match *self {}
    }
}

impl Connection for Unused {
    type Database = Store;
    type Options = Self;

    async fn close(self) -> Result<()> {
        match self {}
    }

    async fn close_hard(self) -> Result<()> {
        match self {}
    }

    async fn ping(&mut self) -> Result<()> {
        match *self {}
    }

    async fn begin(&mut self) -> Result<Transaction<'_, Store>> {
        match *self {}
    }

    fn shrink_buffers(&mut self) {
        match *self {}
    }

    async fn flush(&mut self) -> Result<()> {
        match *self {}
    }

    fn should_flush(&self) -> bool {
        match *self {}
    }
}

impl FromStr for Unused {
    type Err = Error;

    fn from_str(_: &str) -> Result<Self> {
        Err(unused())
    }
}

impl ConnectOptions for Unused {
    type Connection = Self;

    fn from_url(_: &sqlx_core::Url) -> Result<Self> {
        Err(unused())
    }

    async fn connect(&self) -> Result<Self> {
        match *self {}
    }

    fn log_statements(self, _: log::LevelFilter) -> Self {
        self
    }

    fn log_slow_statements(self, _: log::LevelFilter, _: Duration) -> Self {
        self
    }
}

impl TransactionManager for Unused {
    type Database = Store;

    async fn begin(connection: &mut Self, _: Option<SqlStr>) -> Result<()> {
        match *connection {}
    }

    async fn commit(connection: &mut Self) -> Result<()> {
        match *connection {}
    }

    async fn rollback(connection: &mut Self) -> Result<()> {
        match *connection {}
    }

    fn start_rollback(connection: &mut Self) {
        match *connection {}
    }

    fn get_transaction_depth(connection: &Self) -> usize {
        match *connection {}
    }
}

impl Statement for Unused {
    type Database = Store;

    fn into_sql(self) -> SqlStr {
        match self {}
    }

    fn sql(&self) -> &SqlStr {
        match *self {}
    }

    fn parameters(&self) -> Option<Either<&[Kind], usize>> {
        match *self {}
    }

    fn columns(&self) -> &[Self] {
        match *self {}
    }

    sqlx_core::impl_statement_query!(NoArguments);
}

impl Arguments for NoArguments {
    type Database = Store;

    fn reserve(&mut self, _: usize, _: usize) {}

    fn add<'t, T: Encode<'t, Store> + Type<Store>>(&mut self, _: T) -> Result<(), BoxDynError> {
        Err(unused().into())
    }

    fn len(&self) -> usize {
        0
    }
}
