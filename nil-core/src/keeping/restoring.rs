//! Puts a backup into an empty database and into the object store.

use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::manifest::last_migration;
use super::packed::{Packed, Part};
use super::putting::Putting;
use crate::backoffice::belonging;
use crate::error::{Error, Result, codes};
use crate::payments;
use crate::platform::Platform;
use crate::storage::moving::{Loading, Table, Tally};

/// Restores a backup on a platform whose database is migrated and was never used, and whose secret
/// key is the one of the backup. Files that the store has are left as they are. The database is
/// filled in one transaction, after all files are there, and only if each table comes to what it
/// came to in the backup. Its next payments ask the payment processor under keys of their own.
pub async fn restore(platform: &Platform, packed: Packed) -> Result<()> {
    let manifest = packed.manifest().clone();
    manifest.check(last_migration(&mut platform.db().read().await?).await?)?;
    if let Some(mark) = &manifest.key_mark {
        belonging::same(mark, platform.vault())?;
    }
    let mut loading = Loading::begin(platform.db()).await?;
    let mut putting = Putting::into_store_of(platform);
    let (send, mut parts) = mpsc::channel(2);
    let reading = spawn_blocking(move || packed.read(&send));
    while let Some(part) = parts.recv().await {
        match part {
            Part::Object(key, bytes) => putting.begin(key, bytes).await?,
            Part::Bytes(piece) => putting.write(piece).await?,
            Part::Rows(place, rows) => {
                putting.end().await?;
                let held = manifest.tables.get(place).ok_or_else(|| Error::internal("no table"))?;
                loading.add(&held.table, &rows).await?;
            }
        }
    }
    putting.end().await?;
    reading.await.map_err(Error::internal)??;
    for held in &manifest.tables {
        check(&mut loading, &held.table, held.tally).await?;
    }
    payments::renew_mark_in(loading.session(), platform.random()).await?;
    loading.end(&manifest.counters).await
}

/// Refuses a table whose rows are not what they were.
pub(super) async fn check(loading: &mut Loading, table: &Table, expected: Tally) -> Result<()> {
    let arrived = loading.tally(table).await?;
    if arrived == expected {
        return Ok(());
    }
    Err(codes::UNAVAILABLE.saying(format!(
        "The table {} had {} rows and has {} now, or one of them has changed. Nothing was kept.",
        table.name, expected.rows, arrived.rows
    )))
}
