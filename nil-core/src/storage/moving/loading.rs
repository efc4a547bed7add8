//! Writes the rows of a whole database in one transaction.

use super::super::{Db, Session, sql};
use super::alone::Alone;
use super::checks::{put_aside, put_back};
use super::destination::Destination;
use super::shape::{Counter, Table};
use super::tally::Tally;
use crate::error::{Result, codes};

/// The tables that tell whether somebody has used the database: each deed leaves an entry in the
/// audit trail.
const USED: &str = "SELECT 1 FROM audit_entry LIMIT 1";

/// A transaction at whose end a database is filled. What checks and counts rows is put aside
/// meanwhile. Nothing is there before [`end`](Loading::end), and nothing if that is never reached.
#[derive(Debug)]
pub struct Loading {
    session: Session,
    destination: Destination,
    /// Puts back what was put aside.
    put_back: Vec<String>,
    /// Of a copy: keeps others away.
    alone: Option<Alone>,
}

impl Loading {
    /// Begins to fill a database, which is migrated and was never used. The rows that migrations
    /// made are removed.
    pub async fn begin(db: &Db) -> Result<Self> {
        let mut session = db.begin().await?;
        refuse_used(&mut session).await?;
        let destination = Destination::of(&mut session).await?;
        let put_back = put_aside(&mut session, &destination.tables).await?;
        Ok(Self { session, destination, put_back, alone: None })
    }

    /// The last transaction of several: all rows have come.
    pub(super) fn last(
        session: Session,
        destination: Destination,
        put_back: Vec<String>,
        alone: Alone,
    ) -> Self {
        Self { session, destination, put_back, alone: Some(alone) }
    }

    /// The transaction, for what must be changed in a copy.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Adds rows that were read from a table of this shape.
    pub async fn add(&mut self, from: &Table, rows: &[String]) -> Result<()> {
        self.destination.add(&mut self.session, from, rows).await
    }

    /// What a table that was read elsewhere comes to here.
    pub async fn tally(&mut self, from: &Table) -> Result<Tally> {
        self.destination.tally(&mut self.session, from).await
    }

    /// Puts back what was put aside, numbers new rows after those of the source, and commits.
    pub async fn end(mut self, counters: &[Counter]) -> Result<()> {
        put_back(&mut self.session, self.put_back, counters).await?;
        self.session.commit().await?;
        drop(self.alone);
        Ok(())
    }
}

/// Refuses a database that somebody has used.
pub async fn refuse_used(session: &mut Session) -> Result<()> {
    if session.exists(sql(USED)).await? {
        return Err(codes::UNAVAILABLE.saying(
            "The database has been used: its audit trail has entries. Name an empty one.",
        ));
    }
    Ok(())
}
