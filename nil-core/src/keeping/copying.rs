//! Copies a database to another one, of the same engine or not.

use futures::try_join;

use super::manifest::Held;
use super::restoring::check;
use crate::error::Result;
use crate::payments;
use crate::platform::Platform;
use crate::storage::moving::{self, Bounds, Copying, Pages, Table, Tally, Target};
use crate::storage::{Session, last_migration};

/// How a database is copied.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Whether the copy takes the database's place. It then asks the payment processor under the
    /// same keys, and no payment may be made in this database any more.
    pub replaces: bool,
    /// How much is written at once.
    pub bounds: Bounds,
}

/// What was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// How many tables.
    pub tables: usize,
    /// How many rows in all of them.
    pub rows: u64,
    /// How many of the rows an earlier run had copied, and this one left as they are.
    pub already_there: u64,
}

/// What a copy does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'t> {
    /// It begins, or goes on where an earlier run broke off.
    Begun {
        /// Whether it goes on.
        again: bool,
    },
    /// The rows of a table that an earlier run has copied are no longer those of the source: they
    /// are removed, and the table is copied anew.
    Differs(&'t str),
    /// So many rows of a table are there now.
    Wrote {
        /// The table.
        table: &'t str,
        /// The rows.
        rows: u64,
        /// Whether they are there for good, even if the copy breaks off.
        kept: bool,
    },
    /// All rows of a table are there.
    Filled {
        /// The table.
        table: &'t str,
        /// The rows.
        rows: u64,
        /// How many of them an earlier run had copied.
        already_there: u64,
    },
    /// All rows are there and kept. They are compared, and what checks them is put back.
    Ending,
}

/// Hears of each step of a copy. An error breaks the copy off.
pub type Told<'f> = &'f mut (dyn FnMut(Step<'_>) -> Result<()> + Send);

/// Copies every row to a database that is migrated and was never used. While that lasts, nobody can
/// write to the platform's own database. The copy is finished only if each table comes to the same
/// in both; until then nobody can open the other database.
///
/// A copy that breaks off goes on when it is made again. What has arrived is compared with the
/// source, and a table that differs is copied anew.
pub async fn copy(from: &Platform, to: &Target, manner: Manner, told: Told<'_>) -> Result<Copied> {
    let _closed = moving::closed(from.db()).await?;
    let mut source = from.db().snapshot().await?;
    let here = last_migration(&mut source).await?;
    let own = payments::mark(&mut source).await?;
    let mut copying = Copying::begin(to, &own, here, manner.bounds).await?;
    told(Step::Begun { again: copying.goes_on() })?;
    let mut copied = Copied { tables: 0, rows: 0, already_there: 0 };
    let mut held = Vec::new();
    for table in moving::tables(&mut source).await? {
        let (tally, already_there) = fill(&mut source, &mut copying, &table, told).await?;
        told(Step::Filled { table: &table.name, rows: tally.rows, already_there })?;
        copied.tables += 1;
        copied.rows += tally.rows;
        copied.already_there += already_there;
        held.push(Held { table, tally });
    }
    copying.commit().await?;
    told(Step::Ending)?;
    let mut loading = copying.last().await?;
    for Held { table, tally } in &held {
        check(&mut loading, table, *tally, "Run `nil copy` again: it copies this table anew.")
            .await?;
    }
    let counters = moving::counters(&mut source).await?;
    if !manner.replaces {
        payments::renew_mark_in(loading.session(), from.random()).await?;
    }
    loading.end(&counters).await?;
    Ok(copied)
}

/// Copies what is missing of a table. Returns what the table comes to at the source, and how many
/// rows were there already.
async fn fill(
    source: &mut Session,
    copying: &mut Copying<'_>,
    table: &Table,
    told: Told<'_>,
) -> Result<(Tally, u64)> {
    let mut pages = Pages::of(table);
    let mut already_there = 0;
    if copying.goes_on() {
        let arrived = match copying.reached(table)? {
            Some(key) => {
                pages = Pages::until(table, key)?;
                try_join!(pages.rest(source), copying.tally(table))?
            }
            None => (Tally::default(), copying.tally(table).await?),
        };
        if arrived.0 == arrived.1 {
            already_there = arrived.0.rows;
            pages.go_on();
        } else {
            told(Step::Differs(&table.name))?;
            copying.begin_anew(table).await?;
            pages = Pages::of(table);
        }
    }
    while let Some(rows) = pages.next(source).await? {
        let kept = copying.add(table, &rows, pages.last_key()).await?;
        told(Step::Wrote { table: &table.name, rows: pages.tally().rows, kept })?;
    }
    Ok((pages.tally(), already_there))
}
