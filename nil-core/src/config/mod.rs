//! Configuration of the library. Where it comes from (flags, environment, file) is the host's affair.

mod policy_edits;
mod quiet_hours;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;

use crate::kernel::{Clock, Random, SystemClock, SystemRandom};
use crate::keys::MasterKey;
use crate::ports::courier::Courier;
use crate::ports::model::Model;
use crate::ports::objects::Objects;
use crate::ports::processor::Processor;
use crate::storage::Location;
use crate::throttle::Limits;

pub use policy_edits::PolicyEdits;
pub use quiet_hours::QuietHours;
pub(crate) use quiet_hours::zone_named;

/// How the platform is set up. Start from [`Config::new`].
#[derive(Clone)]
pub struct Config {
    /// The database.
    pub database: Location,
    /// The folder for files and keys.
    pub data: PathBuf,
    /// The key all other keys are derived from. Servers on one database share it.
    pub secret_key: MasterKey,
    /// The address users reach the Core server at; links in mails begin with it.
    pub public_url: String,
    /// How long a Core or Compliance token is good for.
    pub token_lives: TimeDelta,
    /// How long an athlete has to confirm availability before the contract expires.
    pub contract_open_for: TimeDelta,
    /// How long before a deliverable is due its athlete is reminded.
    pub due_soon: TimeDelta,
    /// How long before applications close those who have not made up their minds are reminded.
    pub closing_soon: TimeDelta,
    /// When text messages and mails that can wait do wait; never by default.
    pub quiet_hours: Option<QuietHours>,
    /// What carries mails and text messages out; without one they stay where `nil outbox` shows them.
    pub courier: Option<Arc<dyn Courier>>,
    /// Between two signs of life on a live stream; it is also how soon a stream notices by itself what
    /// nobody woke it for.
    pub heartbeat: Duration,
    /// How many live streams one user may hold open at one server.
    pub streams_per_user: usize,
    /// How long a call has to end what it began with the processor before the worker asks again.
    pub reconcile_after: TimeDelta,
    /// How long one call to the processor may take; after that its outcome is not known, and it is
    /// asked about later.
    pub processor_deadline: Duration,
    /// Requests per minute and class.
    pub throttle: Limits,
    /// Password hashes at the same time; each takes 19 MiB.
    pub hashes_at_once: usize,
    /// Largest body without a file taken, in bytes; most operations take less.
    pub body_limit: usize,
    /// Connections that one client address (of IPv6 a /64) may hold open at one listener; those of trusted
    /// proxies are not counted. Without a number 256, and clients on this machine are not counted either.
    pub connections_per_address: Option<usize>,
    /// Origins that browsers may call from; none by default.
    pub cors_origins: Vec<String>,
    /// Proxies whose `X-Forwarded-For` counts.
    pub trusted_proxies: Vec<IpAddr>,
    /// Whether advertising click ids (`fbp`, `fbc`) are stored.
    pub attribution: bool,
    /// What happens with an edit of the open privacy policy.
    pub privacy_policy_edits: PolicyEdits,
    /// A payment processor of the host's own; the embedded one where there is none.
    pub processor: Option<Arc<dyn Processor>>,
    /// The language model behind the athletes' assistant; its own rules where there is none.
    pub model: Option<Arc<dyn Model>>,
    /// A store for the bytes of files of the host's own; a folder of the data folder where there is
    /// none. Servers on one database share it.
    pub objects: Option<Arc<dyn Objects>>,
    /// How many bytes of files a user may keep.
    pub file_quota: i64,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where randomness comes from.
    pub random: Arc<dyn Random>,
}

impl Config {
    /// The defaults, for a database and its secret key.
    #[must_use]
    pub fn new(database: Location, secret_key: MasterKey) -> Self {
        Self {
            database,
            data: PathBuf::from("nil-data"),
            secret_key,
            public_url: "http://127.0.0.1:8080".into(),
            token_lives: TimeDelta::hours(12),
            contract_open_for: TimeDelta::hours(72),
            due_soon: TimeDelta::hours(72),
            closing_soon: TimeDelta::hours(48),
            quiet_hours: None,
            courier: None,
            heartbeat: Duration::from_secs(15),
            streams_per_user: 8,
            reconcile_after: TimeDelta::seconds(10),
            processor_deadline: Duration::from_secs(20),
            throttle: Limits::default(),
            hashes_at_once: 2,
            body_limit: 1024 * 1024,
            connections_per_address: None,
            cors_origins: Vec::new(),
            trusted_proxies: Vec::new(),
            attribution: false,
            privacy_policy_edits: PolicyEdits::default(),
            processor: None,
            model: None,
            objects: None,
            file_quota: 1024 * 1024 * 1024,
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
        }
    }
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Config").field("data", &self.data).finish_non_exhaustive()
    }
}
