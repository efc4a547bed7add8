//! Copies of a platform in other databases.

use nil_core::keeping::{self, Copied, Manner};
use nil_core::storage::moving::{Bounds, Target};
use nil_core::storage::{Db, Location};
use nil_core::{Error, Platform};

use crate::database::{Engine, Fresh, scratch};
use crate::world::World;

/// A migrated database that nobody has used, removed with this value.
pub struct Unused {
    /// The open database.
    pub db: Db,
    fresh: Fresh,
}

impl Unused {
    /// A new one on this engine.
    pub async fn on(engine: Engine) -> Self {
        let fresh = Fresh::on(engine, scratch()).await;
        let db = Db::open(&fresh.location).await.expect("a fresh database");
        Self { db, fresh }
    }

    /// Where it is.
    #[must_use]
    pub fn location(&self) -> Location {
        self.fresh.location.clone()
    }

    /// Its address, as `NIL_DATABASE` has it.
    #[must_use]
    pub fn address(&self) -> String {
        self.location().into()
    }
}

/// Copies a platform to the migrated database that is there.
pub async fn copied(from: &Platform, to: &Location, replaces: bool) -> Result<Copied, Error> {
    let target = Target::open(to).await?;
    let manner = Manner { replaces, bounds: Bounds::default() };
    let copied = keeping::copy(from, &target, manner, &mut |_| Ok(())).await;
    target.close().await;
    copied
}

impl World {
    /// A platform like this one on a copy of its database.
    pub async fn copied_to(&self, engine: Engine) -> World {
        let Unused { db, fresh } = Unused::on(engine).await;
        db.close().await;
        copied(&self.platform, &fresh.location, false).await.expect("a copy");
        self.on_database(fresh).await
    }
}
