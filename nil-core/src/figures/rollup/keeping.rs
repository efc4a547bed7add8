//! Keeps the rollup up to date: adds noted changes of transactions, in the worker and before a
//! figure is read.

use std::collections::BTreeSet;

use chrono_tz::IANA_TZDB_VERSION;
use serde_json::Value;

use super::change::Added;
use super::store::change as store;
use super::store::rollup::Standing;
use crate::error::Result;
use crate::figures::store::zone;
use crate::kernel::CollegeId;
use crate::platform::Platform;
use crate::schedule::due::Failed;
use crate::storage::Db;

/// The number of athletes whose changes the worker adds at a time: others write in between.
const ATHLETES: i64 = 20;
/// The most changes that a figure waits for. With more it reads the transactions instead.
pub(crate) const MOST: i64 = 500;

/// The edition of the rules by which instants are divided into months.
pub(crate) const CLOCKS: &str = IANA_TZDB_VERSION;

/// Adds all noted changes to the rollup, institution by institution. The worker's task.
pub(crate) async fn keep_totals(platform: &Platform) -> Result<()> {
    keep_totals_of(platform, ATHLETES).await
}

/// Adds all noted changes, those of this many athletes in each transaction.
pub(crate) async fn keep_totals_of(platform: &Platform, athletes: i64) -> Result<()> {
    let db = platform.db();
    let mut session = db.read().await?;
    let colleges = store::behind(&mut session, CLOCKS).await?;
    drop(session);
    let mut failed = Failed::default();
    for college in colleges {
        loop {
            match add(db, college, athletes).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    failed.note("the totals of an institution", college, error)?;
                    break;
                }
            }
        }
    }
    failed.or(())
}

/// Adds what is noted for an institution if it is little. Returns whether its totals are right
/// then.
pub(crate) async fn catch_up(db: &Db, college: CollegeId, standing: &Standing) -> bool {
    if standing.behind > MOST {
        return false;
    }
    match add(db, college, 4 * MOST).await {
        Ok(_) => true,
        Err(error) => {
            // The figure can be computed all the same.
            // Filters of logs know this line by the name that the file had.
            tracing::warn!(
                target: "nil_domain::figures::keeping",
                %error,
                %college,
                "the totals of an institution could not be kept"
            );
            false
        }
    }
}

/// Adds the changes noted for this many athletes; returns whether there may be more. Only one
/// transaction does so at a time for an institution.
async fn add(db: &Db, college: CollegeId, athletes: i64) -> Result<bool> {
    let mut session = db.begin().await?;
    match store::lock(&mut session, college).await? {
        None => store::forget_all(&mut session, college).await?,
        Some(clocks) if clocks == CLOCKS => {}
        Some(_) => store::begin_anew(&mut session, college, CLOCKS).await?,
    }
    let changes = store::noted(&mut session, college, athletes).await?;
    let ids: Value = changes.iter().filter_map(|change| change.id).collect();
    if ids.as_array().is_some_and(|ids| !ids.is_empty()) {
        let zone = zone(&mut session, college).await?;
        store::add(&mut session, college, Added::by(&changes, zone)).await?;
        store::forget(&mut session, ids).await?;
    }
    session.commit().await?;
    let seen: BTreeSet<_> = changes.iter().map(|change| change.athlete_id).collect();
    Ok(i64::try_from(seen.len()).is_ok_and(|seen| seen >= athletes))
}
