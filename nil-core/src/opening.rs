//! Opens the platform. This is a separate file above the other layers because it uses the catalog
//! and the reference data.

use futures::future::BoxFuture;

use crate::backoffice::{belonging, reference, site};
use crate::catalog::{Entry, catalog};
use crate::config::Config;
use crate::error::Result;
use crate::feed::unusable;
use crate::payments;
use crate::platform::{Lookups, Platform};
use crate::storage::{self, Db};

/// Opens the platform: opens the database and the ports, runs the migrations, and fills in
/// reference data. Refuses a secret key other than the one that the database was begun with, and a
/// payment processor of other money than it holds.
#[must_use]
pub fn open(config: Config) -> BoxFuture<'static, Result<Platform>> {
    // Boxed: a future that another package awaits as it is, is compiled there again.
    Box::pin(async {
        let platform = open_unmigrated(config).await?;
        storage::migrate(platform.db()).await?;
        reference::fill(platform.db(), platform.now()).await?;
        belonging::check(platform.db(), platform.vault()).await?;
        payments::check_books(&platform).await?;
        name_unusable_templates(&platform).await?;
        Ok(platform)
    })
}

/// The basic settings of the site without which it issues no invoices: those that operators have
/// not set yet.
pub async fn unset(platform: &Platform) -> Result<Vec<&'static str>> {
    Ok(site::letterhead(&mut platform.db().read().await?).await?.missing())
}

/// Opens the platform without migrating the database.
#[must_use]
pub fn open_unmigrated(config: Config) -> BoxFuture<'static, Result<Platform>> {
    let lookups = Lookups {
        wording: |name| catalog().named(name).map(Entry::wording),
        operation: |function| catalog().doing(function).map(|entry| entry.name),
    };
    Box::pin(Platform::new(config, lookups))
}

/// Whether the database of these settings has a secret key already: a new one would not be its own.
/// Reads only.
pub async fn has_key(config: &Config) -> Result<bool> {
    let db = Db::open_with(&config.database, &config.pooling).await?;
    let begun = belonging::begun(&db).await;
    db.close().await;
    begun
}

/// Refuses a secret key other than the one that the database was begun with. Reads only: a database
/// that has no key yet, or no tables, passes.
pub async fn check_key(platform: &Platform) -> Result<()> {
    belonging::confirm(platform.db(), platform.vault()).await
}

/// Says in the log which templates cannot be used. They stop nothing: the first texts are sent in
/// their place.
async fn name_unusable_templates(platform: &Platform) -> Result<()> {
    let mut session = platform.db().read().await?;
    for (event, channel, why) in unusable(&mut session).await? {
        tracing::warn!(event, channel, why, "a template cannot be used; the first text is sent");
    }
    Ok(())
}
