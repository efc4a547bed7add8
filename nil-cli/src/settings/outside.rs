//! The servers beside this one: a pool in front of PostgreSQL, and Redis.

use nil_core::storage::{Location, Pooling};
use nil_core::throttle::Redis;

use super::File;
use super::values::{env, parsed, secret, within};
use crate::failure::Failure;

impl File {
    /// How PostgreSQL is reached.
    pub(super) fn pooling(&mut self, database: &Location) -> Result<Pooling, Failure> {
        let usual = Pooling::default();
        let connections = within("database_connections", self.database_connections, 2..=1_000)?;
        let direct = env("NIL_DATABASE_DIRECT").or(self.database_direct.take());
        let direct = direct.map(|address| postgres(&address)).transpose()?;
        // The flag `--database` may name a file although the settings are those of a server.
        let direct = direct.filter(|_| matches!(database, Location::Postgres(_)));
        let prepared = parsed("NIL_DATABASE_PREPARED", self.database_prepared)?;
        Ok(Pooling {
            connections: connections.unwrap_or(usual.connections),
            direct,
            keeps_statements: prepared.unwrap_or(usual.keeps_statements),
        })
    }

    /// The Redis in which the servers count requests together, if there is one. Its address may
    /// hold a password.
    pub(super) fn redis(&mut self) -> Result<Option<Redis>, Failure> {
        let given = (self.redis_url.take(), None);
        let address = secret("NIL_REDIS_URL", "redis_url", given).map_err(Failure::Usage)?;
        let redis = address.map(|address| Redis::at(&address)).transpose();
        redis.map_err(|why| Failure::Usage(format!("redis_url: {why}")))
    }
}

/// PostgreSQL's own address. The text may hold a password, so a refusal does not repeat it.
fn postgres(address: &str) -> Result<Location, Failure> {
    let parsed = address.parse().ok();
    parsed.filter(|direct| matches!(direct, Location::Postgres(_))).ok_or_else(|| {
        let why = "database_direct: must be PostgreSQL's own address, postgres://…";
        Failure::Usage(why.to_owned())
    })
}
