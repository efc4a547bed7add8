//! The platform handle: database, ports, keys and configuration, cheap to clone.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::TimeDelta;

use crate::auth::throttle::Throttles;
use crate::auth::{Caller, Hasher, Vault};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::kernel::{Clock, Random, Time};
use crate::notifications::live::Hub;
use crate::operation::{Cx, Running, run_typed};
use crate::ports::model::Model;
use crate::ports::objects::{self, Objects};
use crate::ports::processor::Processor;
use crate::schedule::{Bells, Chores};
use crate::storage::{self, Db};

/// The open platform. Clones share it.
#[derive(Clone)]
pub struct Platform(Arc<Inner>);

struct Inner {
    db: Db,
    config: Config,
    vault: Vault,
    hasher: Hasher,
    throttles: Throttles,
    running: Running,
    single_file: tokio::sync::Mutex<()>,
    processor: Arc<dyn Processor>,
    live: Hub,
    chores: Chores,
    /// When the migrations were last checked successfully.
    migrated: Mutex<Option<Time>>,
    objects: Arc<dyn Objects>,
    bells: Bells,
    /// The shelf of objects that the worker checked last.
    shelf: AtomicU8,
}

impl std::fmt::Debug for Platform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Platform")
    }
}

impl Platform {
    /// Opens the platform: database, migrations and reference data, ports.
    pub async fn open(config: Config) -> Result<Self> {
        let platform = Self::open_unmigrated(config).await?;
        storage::migrate(platform.db()).await?;
        crate::backoffice::reference::fill(platform.db(), platform.now()).await?;
        Ok(platform)
    }

    /// Opens the platform without migrating the database.
    pub async fn open_unmigrated(config: Config) -> Result<Self> {
        let db = Db::open(&config.database).await?;
        let processor = crate::ports::processor::from_config(&config, &db);
        let mut origin = [0; 8];
        config.random.fill(&mut origin);
        Ok(Self(Arc::new(Inner {
            live: Hub::new(hex::encode(origin)),
            chores: Chores::default(),
            migrated: Mutex::default(),
            vault: Vault::new(&config.secret_key)?,
            hasher: Hasher::new(config.hashes_at_once),
            throttles: Throttles::new(config.throttle),
            running: Running::default(),
            single_file: tokio::sync::Mutex::new(()),
            bells: Bells::default(),
            shelf: AtomicU8::new(0),
            processor,
            objects: objects::from_config(&config),
            config,
            db,
        })))
    }

    /// The database.
    #[must_use]
    pub fn db(&self) -> &Db {
        &self.0.db
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The payment processor.
    #[must_use]
    pub fn processor(&self) -> &dyn Processor {
        &*self.0.processor
    }

    /// The assistant's language model, if one is configured.
    #[must_use]
    pub fn model(&self) -> Option<&dyn Model> {
        self.0.config.model.as_deref()
    }

    /// The store for the bytes of files.
    #[must_use]
    pub fn objects(&self) -> &dyn Objects {
        &*self.0.objects
    }

    /// The current instant.
    #[must_use]
    pub fn now(&self) -> Time {
        self.0.config.clock.now()
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        &*self.0.config.clock
    }

    /// The source of randomness.
    #[must_use]
    pub fn random(&self) -> &dyn Random {
        &*self.0.config.random
    }

    pub(crate) fn vault(&self) -> &Vault {
        &self.0.vault
    }

    pub(crate) fn hasher(&self) -> &Hasher {
        &self.0.hasher
    }

    pub(crate) fn throttles(&self) -> &Throttles {
        &self.0.throttles
    }

    pub(crate) fn running(&self) -> &Running {
        &self.0.running
    }

    pub(crate) fn single_file(&self) -> &tokio::sync::Mutex<()> {
        &self.0.single_file
    }

    /// The listeners of live streams in this process.
    pub(crate) fn live(&self) -> &Hub {
        &self.0.live
    }

    /// When the worker last ran the tasks that are not due in every round.
    pub(crate) fn chores(&self) -> &Chores {
        &self.0.chores
    }

    /// The next of the 256 shelves of objects, in turn.
    pub(crate) fn next_shelf(&self) -> u8 {
        self.0.shelf.fetch_add(1, Ordering::Relaxed)
    }

    /// An unpredictable number, for jitter.
    pub(crate) fn draw(&self) -> u64 {
        let mut bytes = [0; 8];
        self.random().fill(&mut bytes);
        u64::from_be_bytes(bytes)
    }

    /// A new request id.
    #[must_use]
    pub fn new_request_id(&self) -> String {
        let mut bytes = [0; 10];
        self.random().fill(&mut bytes);
        hex::encode(bytes)
    }

    /// Tells the worker of this process that there is work.
    pub fn wake_worker(&self) {
        self.0.bells.events.notify_one();
        self.0.bells.letters.notify_one();
    }

    /// Wakes tasks of this process's worker before they are due.
    pub(crate) fn bells(&self) -> &Bells {
        &self.0.bells
    }

    /// Runs a typed operation for a caller that the host vouches for: the entry point for Rust services.
    ///
    /// ```no_run
    /// # async fn f(platform: nil_core::Platform, partner: nil_core::auth::Partner)
    /// # -> nil_core::Result<()> {
    /// use nil_core::jobs::posting;
    /// let input: posting::SaveJob = serde_json::from_str("{}").unwrap();
    /// let job = platform.call(partner, posting::save, input).await?;
    /// # Ok(()) }
    /// ```
    pub async fn call<C, I, O, F, Fut>(&self, caller: C, operation: F, input: I) -> Result<O>
    where
        C: Caller,
        I: Clone,
        F: Fn(Cx<C>, I) -> Fut,
        Fut: Future<Output = Result<O>>,
    {
        let actor = format!("host:{}", C::KINDS.join("|"));
        run_typed(self, caller, actor, operation, input).await
    }

    /// Whether the database answers and is migrated: the result of `/readyz`.
    pub async fn ready(&self) -> Result<()> {
        self.db().ping().await?;
        // Migrations change when a newer version is rolled out, not between two probes.
        let now = self.now();
        let migrated = || self.0.migrated.lock().unwrap_or_else(PoisonError::into_inner);
        let found = *migrated();
        if found.is_some_and(|at| at <= now && now - at < TimeDelta::seconds(30)) {
            return Ok(());
        }
        if storage::pending(self.db()).await?.is_none() {
            *migrated() = Some(now);
            return Ok(());
        }
        Err(Error::from(crate::error::codes::UNAVAILABLE))
    }

    /// Waits for work under way and closes the database.
    pub async fn close(&self) {
        self.live().close();
        self.db().close().await;
    }
}
