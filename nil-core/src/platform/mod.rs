//! The platform handle: everything that is open while the library runs. It is cheap to clone.
//!
//! A [`Platform`] holds the database, the configuration, the ports (processor, language model,
//! object store), the vault, the password hasher, the throttles, the hub of live streams, and the
//! worker's bells. `opening` creates it. `running` lists the idempotency keys whose first request
//! is running in this process, `switches` holds which features are on, `workshop` does heavy work
//! in turns.

mod running;
mod switches;
mod workshop;

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use chrono::TimeDelta;

use crate::config::Config;
use crate::document::fonts::Fonts;
use crate::error::{Error, Result};
use crate::feed::Hub;
use crate::kernel::{Clock, Random, Time};
use crate::keys::{Hasher, Vault};
use crate::ports::identity::Providers;
use crate::ports::model::Model;
use crate::ports::objects::{self, Objects};
use crate::ports::outbound::{self, Outbound};
use crate::ports::processor::{self, Processor, Sandbox};
use crate::ports::social_metrics::SocialMetrics;
use crate::schedule::{Bells, Chores};
use crate::storage::{self, Db};
use crate::throttle::Throttles;

pub use running::Running;
pub use switches::Switches;
pub use workshop::{Bench, Workshop};

/// The wording of an operation's answer.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// The `message` of a successful response.
    pub says: &'static str,
    /// Whether the answer is sent without the envelope.
    pub bare: bool,
}

impl Default for Wording {
    fn default() -> Self {
        Self { says: "OK", bare: false }
    }
}

/// What the platform asks the catalog, which stands above it. `opening` passes the catalog's
/// functions.
#[derive(Clone, Copy, Debug)]
pub struct Lookups {
    /// The wording of the answer of the operation with this name.
    pub wording: fn(&str) -> Option<Wording>,
    /// The name of the operation that the function with this path is.
    pub operation: fn(&str) -> Option<&'static str>,
}

/// The open platform. Clones share it.
#[derive(Clone)]
pub struct Platform(Arc<Inner>);

struct Inner {
    db: Db,
    config: Config,
    vault: Vault,
    hasher: Hasher,
    workshop: Workshop,
    throttles: Throttles,
    running: Running,
    switches: Switches,
    single_file: tokio::sync::Mutex<()>,
    processor: Arc<dyn Processor>,
    live: Hub,
    chores: Chores,
    /// When the migrations were last checked successfully.
    migrated: Mutex<Option<Time>>,
    objects: Arc<dyn Objects>,
    fonts: Fonts,
    lookups: Lookups,
    bells: Bells,
    /// The shelf of objects that the worker checked last.
    shelf: AtomicU8,
    /// The client for endpoints of webhooks, made when the first delivery needs it.
    webhooks: OnceLock<Result<Outbound, String>>,
    /// The client of identity providers, made when the first one is asked.
    identity: OnceLock<Result<Providers, String>>,
}

/// The number of bytes that are read of the answer of an endpoint of webhooks.
const WEBHOOK_ANSWER: usize = 1024;

impl std::fmt::Debug for Platform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Platform")
    }
}

impl Platform {
    /// Opens the platform without migrating the database. `lookups` is a parameter because this
    /// folder must not use the catalog.
    #[doc(hidden)]
    pub async fn new(config: Config, lookups: Lookups) -> Result<Self> {
        let db = Db::open_with(&config.database, &config.pooling).await?;
        let embedded = || {
            let (key, clock) = (&config.secret_key, config.clock.clone());
            Sandbox::new(db.clone(), key, clock, config.public_url.clone())
        };
        let own = config.processor.as_ref();
        let processor = processor::chosen(own, embedded, config.processor_deadline);
        let throttles = match &config.redis {
            None => Throttles::new(config.throttle),
            Some(redis) => Throttles::together(config.throttle, redis, &config.secret_key)?,
        };
        let mut origin = [0; 8];
        config.random.fill(&mut origin);
        Ok(Self(Arc::new(Inner {
            live: Hub::new(hex::encode(origin)),
            chores: Chores::default(),
            migrated: Mutex::default(),
            vault: Vault::new(&config.secret_key)?.signing_by(config.token_algorithm),
            hasher: Hasher::new(config.hashes_at_once),
            workshop: Workshop::default(),
            throttles,
            running: Running::default(),
            switches: Switches::default(),
            single_file: tokio::sync::Mutex::new(()),
            bells: Bells::default(),
            shelf: AtomicU8::new(0),
            webhooks: OnceLock::new(),
            identity: OnceLock::new(),
            processor,
            fonts: Fonts::with(config.fonts.clone()),
            objects: objects::chosen(config.objects.as_ref(), &config.data),
            lookups,
            config,
            db,
        })))
    }

    /// The database.
    #[doc(hidden)]
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

    /// The source of figures about accounts on social networks, if one is connected.
    #[must_use]
    pub fn social_metrics(&self) -> Option<&dyn SocialMetrics> {
        self.0.config.social_metrics.as_deref()
    }

    /// The store for the bytes of files.
    #[must_use]
    pub fn objects(&self) -> &dyn Objects {
        &*self.0.objects
    }

    /// The fonts of documents.
    #[doc(hidden)]
    pub fn fonts(&self) -> Fonts {
        self.0.fonts.clone()
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

    #[doc(hidden)]
    pub fn vault(&self) -> &Vault {
        &self.0.vault
    }

    #[doc(hidden)]
    pub fn hasher(&self) -> &Hasher {
        &self.0.hasher
    }

    /// Where documents are typeset and pictures are drawn.
    #[doc(hidden)]
    pub fn workshop(&self) -> &Workshop {
        &self.0.workshop
    }

    #[doc(hidden)]
    pub fn throttles(&self) -> &Throttles {
        &self.0.throttles
    }

    /// The wording of the answer of the operation with this name.
    #[doc(hidden)]
    pub fn wording(&self, operation: &str) -> Option<Wording> {
        (self.0.lookups.wording)(operation)
    }

    /// The name of the operation that the function with this path is; none for a function of a
    /// host.
    pub fn operation_of(&self, function: &str) -> Option<&'static str> {
        (self.0.lookups.operation)(function)
    }

    #[doc(hidden)]
    pub fn running(&self) -> &Running {
        &self.0.running
    }

    /// Which features are on, as read last.
    #[doc(hidden)]
    pub fn switches(&self) -> &Switches {
        &self.0.switches
    }

    #[doc(hidden)]
    pub fn single_file(&self) -> &tokio::sync::Mutex<()> {
        &self.0.single_file
    }

    /// The listeners of live streams in this process.
    #[doc(hidden)]
    pub fn live(&self) -> &Hub {
        &self.0.live
    }

    /// When the worker last ran the tasks that are not due in every round.
    #[doc(hidden)]
    pub fn chores(&self) -> &Chores {
        &self.0.chores
    }

    /// The next of the 256 shelves of objects, in turn.
    #[doc(hidden)]
    pub fn next_shelf(&self) -> u8 {
        self.0.shelf.fetch_add(1, Ordering::Relaxed)
    }

    /// An unpredictable number, for jitter.
    #[doc(hidden)]
    pub fn draw(&self) -> u64 {
        self.random().draw()
    }

    /// A new request id.
    #[doc(hidden)]
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

    /// The client for endpoints of webhooks.
    #[doc(hidden)]
    pub fn webhooks(&self) -> Result<&Outbound> {
        let config = &self.0.config;
        let limits = outbound::Limits { bytes: WEBHOOK_ANSWER, time: config.webhook_deadline };
        let made = || Outbound::reaching(limits, config.webhook_networks.clone());
        self.0.webhooks.get_or_init(made).as_ref().map_err(|why| Error::internal(why.clone()))
    }

    /// The client of identity providers.
    #[doc(hidden)]
    pub fn identity(&self) -> Result<&Providers> {
        let made = || Providers::reaching(self.0.config.sign_on_networks.clone());
        self.0.identity.get_or_init(made).as_ref().map_err(|why| Error::internal(why.clone()))
    }

    /// Tells the worker of this process that an endpoint of webhooks has something to hear.
    pub fn wake_webhooks(&self) {
        self.0.bells.webhooks.notify_one();
    }

    /// Wakes tasks of this process's worker before they are due.
    #[doc(hidden)]
    pub fn bells(&self) -> &Bells {
        &self.0.bells
    }

    /// Whether the database answers and is migrated: the result of `/readyz`. A newer version may
    /// have migrated it further, if it left what this one uses.
    pub async fn ready(&self) -> Result<()> {
        self.db().ping().await?;
        // Migrations change when a newer version is rolled out, not between two probes.
        let now = self.now();
        let migrated = || self.0.migrated.lock().unwrap_or_else(PoisonError::into_inner);
        let found = *migrated();
        if found.is_some_and(|at| at <= now && now - at < TimeDelta::seconds(30)) {
            return Ok(());
        }
        let drift = storage::pending(self.db()).await?;
        if storage::goes_on(self.db(), &drift).await? {
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
