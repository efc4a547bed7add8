//! The servers beside this one: a pool in front of PostgreSQL, and Redis.

use std::path::PathBuf;
use std::time::Duration;

use nil_core::storage::{Location, Pooling, ReplicaAt};
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
        let direct =
            direct.map(|address| postgres("database_direct", "PostgreSQL's own address", &address));
        let direct = direct.transpose()?;
        // The flag `--database` may name a file although the settings are those of a server.
        let direct = direct.filter(|_| matches!(database, Location::Postgres(_)));
        let prepared = parsed("NIL_DATABASE_PREPARED", self.database_prepared)?;
        Ok(Pooling {
            connections: connections.unwrap_or(usual.connections),
            direct,
            keeps_statements: prepared.unwrap_or(usual.keeps_statements),
            replica: self.replica(database)?,
        })
    }

    /// The replica of PostgreSQL, if there is one. SQLite has none, and a setting that does nothing
    /// would deceive.
    fn replica(&mut self, database: &Location) -> Result<Option<ReplicaAt>, Failure> {
        let lag = within("database_replica_lag", self.database_replica_lag, 2..=3_600)?;
        let Some(address) = env("NIL_DATABASE_REPLICA").or(self.database_replica.take()) else {
            return Ok(None);
        };
        if !matches!(database, Location::Postgres(_)) {
            let why = "database_replica: the database is SQLite, which has no replicas";
            return Err(Failure::Usage(why.to_owned()));
        }
        let location =
            postgres("database_replica", "the address of PostgreSQL's replica", &address)?;
        Ok(Some(ReplicaAt { location, lag: lag.map_or(ReplicaAt::LAG, Duration::from_secs) }))
    }

    /// The Redis in which the servers count requests together, if there is one. Its address may
    /// hold a password.
    pub(super) fn redis(&mut self) -> Result<Option<Redis>, Failure> {
        let given = (self.redis_url.take(), None);
        let address = secret("NIL_REDIS_URL", "redis_url", given).map_err(Failure::Usage)?;
        let redis = address.map(|address| Redis::at(&address)).transpose();
        let redis = redis.map_err(|why| Failure::Usage(format!("redis_url: {why}")))?;
        let path = env("NIL_REDIS_CA_FILE").map(PathBuf::from).or(self.redis_authorities.take());
        let Some(redis) = redis else { return Ok(None) };
        let Some(path) = path else { return Ok(Some(redis)) };
        let authorities = std::fs::read(&path).map_err(|error| error.to_string());
        let trusting = authorities.and_then(|authorities| redis.trusting(authorities));
        trusting
            .map(Some)
            .map_err(|why| Failure::Usage(format!("redis_ca_file: {}: {why}", path.display())))
    }
}

/// An address of PostgreSQL. The text may hold a password, so a refusal does not repeat it.
fn postgres(setting: &str, what: &str, address: &str) -> Result<Location, Failure> {
    if let Ok(location @ Location::Postgres(_)) = address.parse() {
        return Ok(location);
    }
    Err(Failure::Usage(format!("{setting}: must be {what}, postgres://…")))
}
