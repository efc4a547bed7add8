//! The storage layer: the same statements, run on SQLite or on PostgreSQL.
//!
//! - [`Db`] is the open database, [`Session`] one connection or one transaction of it. Finders take
//!   `&mut Session` and so work inside and outside a transaction.
//! - Fixed statements are SQL text ([`sql`]), the same for both engines, with `$1`, `$2`, …;
//!   statements whose shape depends on the input are built with sea-query. Inserts and updates name
//!   each column beside its value ([`insert`], [`update`]).
//! - On SQLite, [`write_queue`] gives writers their turns and commits them in durable batches.

mod aside;
pub mod bulk;
mod cells;
mod composing;
mod db;
mod dialect;
mod embedded;
mod error;
mod following;
mod fulltext;
mod functions;
mod later;
mod lent;
mod listening;
mod location;
mod long;
mod made;
mod migrate;
mod migration;
pub mod moving;
mod narrow;
mod numbering;
mod paging;
pub mod partitions;
mod plan;
mod pooling;
mod postgres;
mod pulse;
mod readers;
mod record;
mod replica;
mod scanning;
mod session;
mod staleness;
mod statement;
mod together;
mod values;
mod watch;
mod watching;
mod write_queue;

use std::time::Duration;

/// How long a caller waits for a connection, or for another writing process, before it gets a 503.
const PATIENCE: Duration = Duration::from_secs(5);

pub use db::Db;
pub use dialect::Dialect;
pub use error::{Constraint, Violation};
pub use following::{Key, sorted};
pub use fulltext::FullText;
pub use functions::add_functions;
pub use later::Written;
pub use listening::ChangeListener;
pub use location::Location;
pub use migrate::{Drift, goes_on, last_migration, migrate, pending};
pub use narrow::{Narrow, contains, ranged, whose};
pub use nil_derive::{Compared, FromRow, Stored};
pub use numbering::Series;
pub use paging::{Found, Search};
pub use paging::{PAGE, scalar};
pub use plan::plans_of;
pub use pooling::Pooling;
pub use record::{FromRow, Joined, Read, Record, Selected, Unread};
pub use replica::ReplicaAt;
pub use scanning::{By, Scan, plans_of_scan};
pub use session::first_of;
pub use session::{Row, Session};
pub use statement::Among;
pub use statement::{
    Columns, Compared, Insert, Rendered, Sql, Statement, Stored, Update, advance, insert, sql,
    update,
};
pub use together::{Answers, Asked, Together};
pub use watching::{Counted, Watched};
