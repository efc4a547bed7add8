//! Fills a database in several transactions, so that a copy that breaks off can be gone on with.

use serde_json::Value as Json;

use super::super::{Db, Dialect, Location, Pooling, Session, last_migration};
use super::alone::{Alone, alone};
use super::checks::put_aside;
use super::destination::Destination;
use super::loading::{Loading, refuse_used};
use super::lock;
use super::shape::Table;
use super::tally::Tally;
use super::under_way::{self, Progress, UnderWay, is_half_filled};
use crate::error::{Error, Result, codes};

/// A database that a copy goes to: empty, or half filled by a copy that broke off.
#[derive(Debug)]
pub struct Target {
    db: Db,
    location: Location,
}

impl Target {
    /// Opens (and on SQLite creates) the database. Does not migrate.
    pub async fn open(location: &Location) -> Result<Self> {
        let db = Db::open_even_half_filled(location, &Pooling::default()).await?;
        Ok(Self { db, location: location.clone() })
    }

    /// The open database.
    #[must_use]
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Whether a copy to it has begun and is not finished.
    pub async fn is_half_filled(&self) -> Result<bool> {
        is_half_filled(&mut self.db.read().await?).await
    }

    /// Closes every connection.
    pub async fn close(&self) {
        self.db.close().await;
    }
}

/// How much is written in one transaction: the first of both limits that is reached. When a copy
/// breaks off, at most so much is lost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The number of rows.
    pub rows: usize,
    /// The number of bytes of their texts.
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { rows: 10_000, bytes: 16 * 1024 * 1024 }
    }
}

/// A database that is being filled in several transactions. What checks and counts rows is put
/// aside by the first one, and no program but a copy opens the database until the last one.
#[derive(Debug)]
pub struct Copying<'t> {
    target: &'t Target,
    destination: Destination,
    bounds: Bounds,
    /// The number of this run.
    run: i64,
    goes_on: bool,
    /// How far the tables are, as the database says it.
    noted: Progress,
    open: Option<Open>,
    alone: Alone,
}

/// A transaction that is not committed, and what it has so far.
#[derive(Debug)]
struct Open {
    session: Session,
    rows: usize,
    bytes: usize,
    /// How far the tables are with it.
    reached: Progress,
}

impl<'t> Copying<'t> {
    /// Begins to fill a database that is migrated and was never used, or goes on with one that a
    /// copy of the same source in the same version has half filled.
    pub async fn begin(
        target: &'t Target,
        source: &str,
        migration: i64,
        bounds: Bounds,
    ) -> Result<Self> {
        let alone = alone(&target.db, &target.location).await?;
        target.db.leave_references_unchecked().await?;
        let mut session = target.db.begin().await?;
        session.take_all_the_time().await?;
        let goes_on = is_half_filled(&mut session).await?;
        if last_migration(&mut session).await? != migration {
            return Err(of_another_version(goes_on));
        }
        let destination = Destination::of(&mut session).await?;
        if goes_on {
            let begun = under_way::find(&mut session).await?;
            if begun.migration != migration {
                return Err(of_another_version(goes_on));
            }
            if begun.source != source {
                return Err(codes::UNAVAILABLE.saying(
                    "A copy of another installation to this database is not finished. Go on with that one, or name \
                     an empty database.",
                ));
            }
        } else {
            refuse_used(&mut session).await?;
            let put_back = put_aside(&mut session, &destination.tables).await?;
            let begun = UnderWay { source: source.to_owned(), migration };
            under_way::begin(&mut session, begun, &put_back).await?;
        }
        let run = under_way::take_over(&mut session).await?;
        let noted = under_way::progress(&mut session).await?;
        session.commit().await?;
        Ok(Self { target, destination, bounds, run, goes_on, noted, open: None, alone })
    }

    /// Whether an earlier run has begun it.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// The key of the last row of a table that arrived in an earlier run; none if no row did.
    pub fn reached(&self, from: &Table) -> Result<Option<Vec<Json>>> {
        let key = self.noted.get(&from.name).map(|key| serde_json::from_str(key));
        key.transpose().map_err(Error::internal)
    }

    /// What the rows of a table come to that arrived in earlier runs.
    pub async fn tally(&self, from: &Table) -> Result<Tally> {
        self.destination.tally(&mut self.target.db.read().await?, from).await
    }

    /// The transaction that is open, or a new one.
    async fn opened(&mut self) -> Result<(&mut Open, &mut Destination)> {
        let open = if let Some(open) = self.open.take() {
            open
        } else {
            let session = self.begun().await?;
            Open { session, rows: 0, bytes: 0, reached: Progress::new() }
        };
        Ok((self.open.insert(open), &mut self.destination))
    }

    /// A transaction in which no other run can write.
    async fn begun(&self) -> Result<Session> {
        let mut session = self.target.db.begin().await?;
        session.take_all_the_time().await?;
        under_way::refuse_taken_over(&mut session, self.run).await?;
        Ok(session)
    }

    /// Removes what arrived of a table, which the source has otherwise.
    pub async fn begin_anew(&mut self, from: &Table) -> Result<()> {
        let (open, destination) = self.opened().await?;
        destination.empty(&mut open.session, &from.name).await?;
        under_way::forget(&mut open.session, &from.name).await
    }

    /// Adds rows, the last of which has this key. Returns whether they are in the database for good
    /// already.
    pub async fn add(&mut self, from: &Table, rows: &[String], last_key: &[Json]) -> Result<bool> {
        let bounds = self.bounds;
        let last_key = serde_json::to_string(last_key).map_err(Error::internal)?;
        let (open, destination) = self.opened().await?;
        destination.add(&mut open.session, from, rows).await?;
        open.rows += rows.len();
        open.bytes += rows.iter().map(String::len).sum::<usize>();
        open.reached.insert(from.name.clone(), last_key);
        let full = open.rows >= bounds.rows || open.bytes >= bounds.bytes;
        if full {
            self.commit().await?;
        }
        Ok(full)
    }

    /// Commits what was added, and how far its tables are.
    pub async fn commit(&mut self) -> Result<()> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        for (name, last_key) in &open.reached {
            under_way::note(&mut open.session, name, last_key).await?;
        }
        open.session.commit().await
    }

    /// The last transaction. It sees what was committed, and nobody can change that any more.
    pub async fn last(mut self) -> Result<Loading> {
        self.commit().await?;
        let mut session = self.begun().await?;
        if session.dialect() == Dialect::Postgres {
            lock(&mut session, &self.destination.tables, "SHARE ROW EXCLUSIVE").await?;
        }
        let put_back = under_way::end(&mut session).await?;
        Ok(Loading::last(session, self.destination, put_back, self.alone))
    }
}

fn of_another_version(goes_on: bool) -> Error {
    codes::UNAVAILABLE.saying(if goes_on {
        "The copy to this database was begun by another version. Go on with that one, or name an empty database."
    } else {
        "The two databases are not of one version."
    })
}
