//! Looks at everything that a platform stands on, and says what is wrong and how to mend it. It
//! changes nothing, but for a file that is written to the store, read and removed.
//!
//! `finding` is what a check answers, `database` looks at the engine, `around` at the clock, the
//! files, the payment processor, Redis, the outbox and the last check of the whole.

mod around;
mod database;
mod finding;

pub use database::unopened;
pub use finding::{Finding, State};

use crate::platform::Platform;

/// Every check of an open platform, which may lack migrations. A check that fails is a finding, so
/// that the others are made all the same.
pub async fn check(platform: &Platform) -> Vec<Finding> {
    let mut found = database::engine(platform).await;
    found.extend(database::replica(platform).await);
    let (migrated, migrations) = database::migrations(platform).await;
    found.push(migrations);
    found.push(database::key(platform).await);
    found.push(around::objects(platform).await);
    found.push(around::processor(platform).await);
    found.extend(around::redis(platform).await);
    if migrated {
        found.extend(around::site(platform).await);
        found.extend(database::partitions(platform).await);
        found.extend(around::outbox(platform).await);
        found.push(around::verified(platform).await);
    }
    found
}
