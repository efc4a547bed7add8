//! The store: one set of statements, run on SQLite or on PostgreSQL.
//!
//! - [`Db`] is the open database, [`Session`] one connection or one transaction of it. Finders take
//!   `&mut Session` and so serve inside and outside a transaction.
//! - Fixed statements are SQL text ([`sql`]), the same for both engines, with `$1`, `$2`, …;
//!   statements whose shape depends on the input are built with sea-query. Inserts and updates name
//!   each column beside its value ([`insert`], [`update`]).
//! - On SQLite, [`desk`] gives writers their turns and commits them in durable batches.

mod db;
mod desk;
mod error;
mod fulltext;
mod listening;
mod migrate;
mod plan;
mod session;
mod statement;
mod watching;

pub use db::{Db, Dialect, Location};
pub use error::Constraint;
pub(crate) use fulltext::{FullText, MOST_COUNTED, counted};
pub(crate) use listening::Ear;
pub use migrate::{Drift, migrate, pending};
pub(crate) use plan::plan;
pub use session::{Row, Session};
pub use statement::{Insert, Rendered, Sql, Statement, Update, insert, sql, update};
pub use watching::Watched;
