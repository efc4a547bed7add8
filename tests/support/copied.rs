//! Copies of a platform in other databases.

use nil_core::keeping;
use nil_core::storage::{Db, Location};

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

impl World {
    /// A platform like this one on a copy of its database.
    pub async fn copied_to(&self, engine: Engine) -> World {
        let Unused { db, fresh } = Unused::on(engine).await;
        keeping::copy(&self.platform, &db, false).await.expect("a copy");
        db.close().await;
        self.on_database(fresh).await
    }
}
