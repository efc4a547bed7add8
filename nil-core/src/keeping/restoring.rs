//! Puts a backup into an empty database and into the object store.

use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::manifest::Manifest;
use super::packed::{FilePart, Packed};
use super::putting::Putting;
use crate::backoffice::belonging;
use crate::error::{Error, Result, codes};
use crate::payments;
use crate::platform::Platform;
use crate::storage::last_migration;
use crate::storage::moving::{Loading, Table, Tally, refuse_used};

/// Restores a backup on a platform whose database is migrated and was never used, and whose secret
/// key is the one of the backup. Files that the store has are left as they are. The database is
/// filled in one transaction, after all files are there, and only if each table comes to what it
/// came to in the backup. Its next payments ask the payment processor under keys of their own.
pub async fn restore(platform: &Platform, packed: Packed) -> Result<()> {
    let manifest = packed.manifest().clone();
    let mut session = platform.db().read().await?;
    manifest.check(last_migration(&mut session).await?)?;
    if let Some(mark) = &manifest.key_mark {
        belonging::same(mark, platform.vault())?;
    }
    refuse_used(&mut session).await?;
    drop(session);
    let packed = put_files(platform, packed).await?;
    let mut loading = Loading::begin(platform.db()).await?;
    load_rows(&mut loading, &manifest, packed).await?;
    for held in &manifest.tables {
        check(&mut loading, &held.table, held.tally, "Nothing was kept.").await?;
    }
    payments::renew_mark_in(loading.session(), platform.random()).await?;
    loading.end(&manifest.counters).await
}

/// Writes the files into the object store, each when all of it was read and is what was packed.
async fn put_files(platform: &Platform, mut packed: Packed) -> Result<Packed> {
    let (send, mut parts) = mpsc::channel(2);
    let reading = spawn_blocking(move || packed.read_files(&send).map(|()| packed));
    let mut putting = Putting::into_store_of(platform);
    while let Some(part) = parts.recv().await {
        match part {
            FilePart::Begins(key, bytes) => putting.begin(key, bytes).await?,
            FilePart::Bytes(piece) => putting.write(piece).await?,
            FilePart::Ends => putting.end().await?,
        }
    }
    let read = reading.await.map_err(Error::internal)?;
    putting.give_up().await;
    read
}

async fn load_rows(loading: &mut Loading, manifest: &Manifest, mut packed: Packed) -> Result<()> {
    let (send, mut parts) = mpsc::channel(2);
    let reading = spawn_blocking(move || packed.read_rows(&send));
    while let Some((place, rows)) = parts.recv().await {
        let held = manifest.tables.get(place).ok_or_else(|| Error::internal("no table"))?;
        loading.add(&held.table, &rows).await?;
    }
    reading.await.map_err(Error::internal)?
}

/// Refuses a table whose rows are not what they were, and says what comes of that.
pub(super) async fn check(
    loading: &mut Loading,
    table: &Table,
    expected: Tally,
    hence: &str,
) -> Result<()> {
    let arrived = loading.tally(table).await?;
    if arrived == expected {
        return Ok(());
    }
    Err(codes::UNAVAILABLE.saying(format!(
        "The table {} had {} rows and has {} now, or one of them has changed. {hence}",
        table.name, expected.rows, arrived.rows
    )))
}
