//! PostgreSQL: how it is connected to, and how statements and transactions begin there. Its address
//! leads to a session for each connection, or to a pool that shares sessions (`pooling`).

use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection as _, SqlSafeStr as _, SqlStr, raw_sql};
use tokio::time::timeout;

use super::PATIENCE;
use super::lent::Lent;
use super::location::Location;
use super::pooling::{self, Pooling};
use super::pulse::Pulse;
use super::replica::{Replica, ReplicaAt, SOON};
use super::session::On;
use crate::error::{Result, codes};
use crate::metering::DATABASE_WAIT;

/// Time limits for locks, statements and idle transactions, unless the address says otherwise
/// (`?options=-c lock_timeout=…`). A session is given them when it starts; where sessions are
/// shared, each transaction gives them to itself.
const LIMITS: [(&str, &str); 3] = [
    ("lock_timeout", "10s"),
    ("statement_timeout", "60s"),
    ("idle_in_transaction_session_timeout", "60s"),
];

/// How long a deadlock may last before PostgreSQL looks for it. To set it requires a privilege on
/// many servers. Without it, each deadlock costs the server's own `deadlock_timeout` (1 s), and the
/// transaction is retried all the same.
const DEADLOCK: &str = "deadlock_timeout = '50ms'";

/// How often a server looks whether the caller of a long statement is still there: one that is not
/// waited for any more must not keep a process of the server busy.
const LOOKS: &str = "client_connection_check_interval = '5s'";

/// How much longer than the server's limit a statement is waited for.
const LONGER: Duration = Duration::from_secs(15);

/// The number of prepared statements that a connection keeps.
const STATEMENTS: usize = 400;

/// The maximum number of connections beside a pool that shares sessions, without the listeners'.
const DIRECT: u32 = 4;

/// The connections to PostgreSQL. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Server {
    pool: PgPool,
    pulse: Arc<Pulse>,
    /// How long a statement is waited for.
    limit: Option<Duration>,
    /// Where the pool's connections share sessions: what is done in its place.
    sharing: Option<Arc<Sharing>>,
    replica: Option<Arc<Replica>>,
}

/// What a process does where connections share sessions.
#[derive(Debug)]
pub(super) struct Sharing {
    /// Connections that have sessions of their own.
    direct: PgPool,
    /// Begins a transaction with the time limits.
    pub(super) begin: SqlStr,
    /// Whether statements have names, which the pool in front must know.
    pub(super) named: bool,
}

/// Notes how long a caller has waited for the database. Not around the wait: a future in a future
/// is larger, and each operation holds it.
pub(super) fn waited(purpose: &'static str, begun: Instant) {
    metrics::histogram!(DATABASE_WAIT, "for" => purpose).record(begun.elapsed());
}

impl Server {
    pub(super) async fn open(location: &Location, url: &str, pooling: &Pooling) -> Result<Self> {
        let mut server = Self::open_primary(location, url, pooling).await?;
        if let Some(at) = &pooling.replica {
            let pool = open_replica(at, pooling.connections)?;
            let watched = Replica::watched(server.own_options(), pool, at.lag);
            server.replica = Some(Arc::new(watched));
        }
        Ok(server)
    }

    async fn open_primary(location: &Location, url: &str, pooling: &Pooling) -> Result<Self> {
        let Some(direct) = &pooling.direct else {
            let pool = open_own(location, url, pooling.connections).await?;
            pooling::refuse_shared(&pool, pooling::SHARED).await?;
            return Ok(Self::of(pool, None));
        };
        let Location::Postgres(own) = direct else {
            return Err(codes::UNAVAILABLE.saying(pooling::NOT_POSTGRES));
        };
        let direct = open_own(direct, own, DIRECT).await?;
        pooling::refuse_shared(&direct, pooling::SHARED_DIRECT).await?;
        let pool = open_shared(location, url, pooling).await?;
        pooling::refuse_another(&pool, &direct).await?;
        let limits = limits_of(&direct.connect_options());
        let mut begin = String::from("BEGIN");
        for (name, value) in limits {
            begin.extend(["; SET LOCAL ", name, " = '", &value, "'"]);
        }
        for setting in [DEADLOCK, LOOKS] {
            if pooling::may_set(&pool, setting).await {
                begin.extend(["; SET LOCAL ", setting]);
            }
        }
        let begin = AssertSqlSafe(Arc::<str>::from(begin)).into_sql_str();
        // A pool may share sessions between the statements of a transaction.
        match pool.begin_with(begin.clone()).await {
            Ok(tried) => tried.rollback().await?,
            Err(error) => {
                return Err(codes::UNAVAILABLE.saying(pooling::NO_TRANSACTIONS).because(error));
            }
        }
        let sharing = Sharing { direct, begin, named: pooling.keeps_statements };
        Ok(Self::of(pool, Some(sharing)))
    }

    fn of(pool: PgPool, sharing: Option<Sharing>) -> Self {
        let mut ways = vec![(*pool.connect_options()).clone()];
        let direct = sharing.as_ref().map(|sharing| (*sharing.direct.connect_options()).clone());
        let limit = longest(direct.as_ref().or(ways.first()));
        ways.extend(direct);
        let pulse = Arc::new(Pulse::new(ways, PATIENCE));
        Self { pool, pulse, limit, sharing: sharing.map(Arc::new), replica: None }
    }

    /// The replica, if there is one.
    pub(super) fn replica(&self) -> Option<&Replica> {
        self.replica.as_deref()
    }

    async fn lent(&self, pool: &PgPool) -> Result<Lent> {
        Ok(Lent::new(pool.acquire().await?, self.pulse.clone(), self.limit))
    }

    /// A connection for single statements.
    pub(super) async fn reading(&self) -> Result<On> {
        let begun = Instant::now();
        let acquired = self.lent(&self.pool).await;
        // Also who waits in vain.
        waited("read", begun);
        let connection = acquired?;
        Ok(match &self.sharing {
            None => On::Connection(connection),
            Some(sharing) => On::Shared(connection, sharing.clone()),
        })
    }

    async fn begin(&self) -> Result<Lent> {
        let mut lent = self.lent(&self.pool).await?;
        match &self.sharing {
            None => lent.begin("BEGIN").await?,
            Some(sharing) => lent.begin(sharing.begin.clone()).await?,
        }
        Ok(lent)
    }

    /// A transaction, begun.
    pub(super) async fn begun(self) -> Result<On> {
        let begun = Instant::now();
        let named = self.sharing.as_ref().is_none_or(|sharing| sharing.named);
        let transaction = self.begin().await;
        waited("write", begun);
        Ok(On::Transaction(transaction?, named))
    }

    /// A transaction without time limits that sees the database as it is now, in a session of its
    /// own.
    pub(super) async fn snapshot(&self) -> Result<On> {
        let mut on = self.lent(self.own()).await?;
        on.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        for (name, _) in LIMITS {
            on.run(AssertSqlSafe(format!("SET LOCAL {name} = 0"))).await?;
        }
        on.take_all_the_time();
        Ok(On::Transaction(on, true))
    }

    /// The pool whose connections have sessions of their own.
    fn own(&self) -> &PgPool {
        self.sharing.as_ref().map_or(&self.pool, |sharing| &sharing.direct)
    }

    /// How to connect with a session of one's own.
    pub(super) fn own_options(&self) -> PgConnectOptions {
        (*self.own().connect_options()).clone()
    }

    /// Runs migrations on a connection without time limits.
    pub(super) async fn migrate(&self, migrator: &sqlx::migrate::Migrator) -> Result<()> {
        let mut on = self.own_options().connect().await?;
        for (name, _) in LIMITS {
            let off = AssertSqlSafe(format!("SET {name} = 0"));
            raw_sql(off).execute(&mut on).await?;
        }
        // `run` takes what `Acquire` is for, and its future is not known to be `Send`.
        let migrated = migrator.run_direct(None, &mut on, false).await;
        let migrated = migrated.map_err(super::migration::inapplicable);
        on.close().await?;
        migrated
    }

    pub(super) async fn close(&self) {
        if let Some(replica) = &self.replica {
            replica.close().await;
        }
        self.pool.close().await;
        if let Some(sharing) = &self.sharing {
            sharing.direct.close().await;
        }
    }
}

/// Opens a pool whose connections have sessions of their own.
async fn open_own(location: &Location, url: &str, connections: u32) -> Result<PgPool> {
    let (opening, options) = own(location, url, "")?;
    connected(location, opening, options, connections).await
}

/// The pool of a replica. It opens its connections when they are asked for: a replica that is down
/// keeps no server from starting.
fn open_replica(at: &ReplicaAt, connections: u32) -> Result<PgPool> {
    let Location::Postgres(url) = &at.location else {
        return Err(codes::UNAVAILABLE.saying(pooling::REPLICA_NOT_POSTGRES));
    };
    let (opening, options) = own(&at.location, url, "SET default_transaction_read_only = on; ")?;
    let opening = opening.max_connections(connections).acquire_timeout(SOON);
    Ok(opening.connect_lazy_with(options))
}

/// How connections with sessions of their own are opened, which begin with these statements.
fn own(location: &Location, url: &str, begin: &str) -> Result<(PgPoolOptions, PgConnectOptions)> {
    let options = PgConnectOptions::from_str(url)
        .map_err(|error| unopened(location, error))?
        .application_name("nil")
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging();
    let said = options.get_options().unwrap_or_default();
    let mut limits = begin.to_owned();
    for (name, value) in LIMITS.iter().filter(|(name, _)| !said.contains(name)) {
        limits.extend(["SET ", *name, " = '", *value, "'; "]);
    }
    let opening = PgPoolOptions::new().after_connect(move |connection, _| {
        let limits = AssertSqlSafe(limits.clone());
        Box::pin(async move {
            raw_sql(limits).execute(&mut *connection).await?;
            // Not every server lets everybody, or can.
            for setting in [DEADLOCK, LOOKS] {
                let set = raw_sql(AssertSqlSafe(format!("SET {setting}")));
                if let Err(error) = set.execute(&mut *connection).await {
                    tracing::debug!(%error, setting, "the server's own value applies");
                }
            }
            Ok(())
        })
    });
    Ok((opening, options))
}

/// Opens a pool whose connections share sessions: what is set in a session is another caller's too.
async fn open_shared(location: &Location, url: &str, pooling: &Pooling) -> Result<PgPool> {
    let options = PgConnectOptions::from_str(url).map_err(|error| unopened(location, error))?;
    if options.get_options().is_some() {
        return Err(codes::UNAVAILABLE.saying(pooling::OPTIONS));
    }
    let options = options
        .application_name("nil")
        // Pools in front refuse it, and there are no floats in the database.
        .extra_float_digits(None)
        .statement_cache_capacity(if pooling.keeps_statements { STATEMENTS } else { 0 })
        .disable_statement_logging();
    connected(location, PgPoolOptions::new(), options, pooling.connections).await
}

async fn connected(
    location: &Location,
    opening: PgPoolOptions,
    options: PgConnectOptions,
    connections: u32,
) -> Result<PgPool> {
    let opening = opening.max_connections(connections).acquire_timeout(PATIENCE);
    match opening.connect_with(options.clone()).await {
        // The pool has tried for as long as it waits for a connection; one more try says why.
        Err(sqlx::Error::PoolTimedOut) => match timeout(PATIENCE, options.connect()).await {
            Ok(Err(error)) => Err(error),
            Ok(Ok(_)) | Err(_) => Err(sqlx::Error::PoolTimedOut),
        },
        opened => opened,
    }
    .map_err(|error| unopened(location, error))
}

fn unopened(location: &Location, error: sqlx::Error) -> crate::error::Error {
    let said = format!("The database ({}) cannot be opened.", location.described());
    codes::UNAVAILABLE.saying(said).because(error)
}

/// The time limits, each as the address of PostgreSQL itself says it, or ours.
fn limits_of(options: &PgConnectOptions) -> impl Iterator<Item = (&'static str, String)> + use<> {
    let said = options.get_options().unwrap_or_default().to_owned();
    LIMITS
        .into_iter()
        .map(move |(name, usual)| (name, limit_in(&said, name).unwrap_or(usual).to_owned()))
}

/// How long a statement is waited for at most; none if the server has no limit, or one in another
/// unit than usual.
fn longest(options: Option<&PgConnectOptions>) -> Option<Duration> {
    let (_, limit) = limits_of(options?).find(|(name, _)| *name == "statement_timeout")?;
    let unit = limit.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let number: u64 = limit.strip_suffix(unit)?.parse().ok()?;
    let limit = match unit {
        "" | "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        "min" => Duration::from_secs(number.checked_mul(60)?),
        _ => return None,
    };
    (!limit.is_zero()).then(|| limit.saturating_add(LONGER))
}

/// The value of a limit in `-c name=value …`, if it is a plain one.
fn limit_in<'a>(said: &'a str, name: &str) -> Option<&'a str> {
    said.split_whitespace().find_map(|word| {
        let word = word.strip_prefix("--").or_else(|| word.strip_prefix("-c")).unwrap_or(word);
        let value = word.strip_prefix(name)?.strip_prefix('=')?;
        value.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_address() {
        let limits = |said: &[(&str, &str)]| -> Vec<(&str, String)> {
            limits_of(&PgConnectOptions::new_without_pgpass().options(said.iter().copied()))
                .collect()
        };
        let usual: Vec<_> =
            LIMITS.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        assert_eq!(limits(&[]), usual);
        let told = limits(&[("lock_timeout", "2s"), ("work_mem", "4MB")]);
        assert_eq!(told.first().unwrap(), &("lock_timeout", "2s".to_owned()));
        assert_eq!(told.get(1..), usual.get(1..));
        assert_eq!(limits(&[("lock_timeout", "2s';DROP")]), usual, "a value is no statement");
    }

    #[test]
    fn a_statement_is_waited_for_a_little_longer_than_the_server_allows() {
        let waited_for = |limit: &str| {
            let options = PgConnectOptions::new_without_pgpass();
            longest(Some(&options.options([("statement_timeout", limit)])))
        };
        let usual = longest(Some(&PgConnectOptions::new_without_pgpass()));
        assert_eq!(usual, Some(Duration::from_secs(75)));
        assert_eq!(waited_for("2500"), Some(Duration::from_millis(17_500)));
        assert_eq!(waited_for("2500ms"), Some(Duration::from_millis(17_500)));
        assert_eq!(waited_for("30s"), Some(Duration::from_secs(45)));
        assert_eq!(waited_for("2min"), Some(Duration::from_secs(135)));
        for none in ["0", "0s", "1h", "99999999999999999999"] {
            assert_eq!(waited_for(none), None, "{none}");
        }
    }

    #[test]
    fn limits_are_found_however_they_are_written() {
        for said in ["-c lock_timeout=2s", "-clock_timeout=2s", "--lock_timeout=2s -c a=b"] {
            assert_eq!(limit_in(said, "lock_timeout"), Some("2s"), "{said}");
        }
        assert_eq!(limit_in("-c deadlock_timeout=2s", "lock_timeout"), None);
    }
}
