//! Copies a database to another one, of the same engine or not.

use super::restoring::check;
use crate::error::{Result, codes};
use crate::payments;
use crate::platform::Platform;
use crate::storage::moving::{self, Loading, Pages};
use crate::storage::{Db, last_migration};

/// What was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// How many tables.
    pub tables: usize,
    /// How many rows in all of them.
    pub rows: u64,
}

/// Copies every row to a database that is migrated and was never used. While that lasts, nobody can
/// write to the platform's own database. The copy is made in one transaction, and only if each
/// table comes to the same in both.
///
/// The copy's next payments ask the payment processor under keys of their own, unless it `replaces`
/// the database: then no payment may be made in this one any more.
pub async fn copy(from: &Platform, to: &Db, replaces: bool) -> Result<Copied> {
    let _closed = moving::closed(from.db()).await?;
    let mut source = from.db().snapshot().await?;
    let here = last_migration(&mut source).await?;
    if last_migration(&mut to.read().await?).await? != here {
        return Err(codes::UNAVAILABLE.saying("The two databases are not of one version."));
    }
    let mut loading = Loading::begin(to).await?;
    let mut copied = Copied { tables: 0, rows: 0 };
    for table in moving::tables(&mut source).await? {
        let mut pages = Pages::of(&table);
        while let Some(rows) = pages.next(&mut source).await? {
            loading.add(&table, &rows).await?;
        }
        check(&mut loading, &table, pages.tally()).await?;
        copied.tables += 1;
        copied.rows += pages.tally().rows;
    }
    let counters = moving::counters(&mut source).await?;
    if !replaces {
        payments::renew_mark_in(loading.session(), from.random()).await?;
    }
    loading.end(&counters).await?;
    Ok(copied)
}
