//! Keeps everybody from writing to a database while it is copied.

use super::super::{Db, Dialect, Session, sql};
use super::lock;
use super::shape::tables;
use crate::error::Result;

/// A database that nobody else can write to. Everybody can go on reading.
#[derive(Debug)]
pub struct Closed(#[expect(dead_code, reason = "holds the locks")] Session);

/// Waits for the writers under way and keeps others from writing until the result is dropped. They
/// get 503 after a while.
pub async fn closed(db: &Db) -> Result<Closed> {
    let mut session = db.begin().await?;
    match session.dialect() {
        // A transaction of SQLite's writer keeps all other processes from writing.
        Dialect::Sqlite => {
            session.run(sql("DELETE FROM audit_entry WHERE 1 = 0")).await?;
        }
        Dialect::Postgres => {
            let tables = tables(&mut session).await?;
            session.take_all_the_time().await?;
            lock(&mut session, &tables, "SHARE").await?;
        }
    }
    Ok(Closed(session))
}
