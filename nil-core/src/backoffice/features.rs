//! Which features of the site are on.
//!
//! A process reads the switches at most once in two seconds (`platform::switches`), and only when
//! it is asked for an operation that one of them stops.

use crate::error::Result;
use crate::kernel::FeatureFlags;
use crate::platform::Platform;
use crate::storage::{FromRow, Session, sql};

/// The switches as stored.
#[derive(FromRow)]
struct Stored {
    #[row(json)]
    feature_flags: FeatureFlags,
}

/// Which features are on, by what this process read in the last two seconds.
pub async fn current(platform: &Platform) -> Result<FeatureFlags> {
    let now = platform.now();
    if let Some(flags) = platform.switches().fresh(now) {
        return Ok(flags);
    }
    let flags = stored(&mut platform.db().read().await?).await?;
    platform.switches().keep(flags, now);
    Ok(flags)
}

async fn stored(session: &mut Session) -> Result<FeatureFlags> {
    let site: Stored = session.one(sql("SELECT feature_flags FROM site WHERE id = 1")).await?;
    Ok(site.feature_flags)
}
