//! Where settings come from: flag, then `NIL_*`, then `nil.toml`, then the default.

use std::io::{Read as _, Write as _};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use nil_core::Config;
use nil_core::auth::MasterKey;
use nil_core::auth::throttle::Limits;
use nil_core::kernel::{Secret, SystemRandom, private_file, private_folder};
use nil_core::ports::courier::Smtp;
use nil_core::ports::model as port;
use nil_core::storage::Location;
use serde::Deserialize;

use crate::args::Options;
use crate::failure::Failure;
use crate::{mail, monitoring};

/// The contents of `nil.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    database: Option<String>,
    data: Option<PathBuf>,
    public_url: Option<String>,
    core: Option<String>,
    back_office: Option<String>,
    insecure_http: Option<bool>,
    metrics: Option<String>,
    metrics_token: Option<String>,
    cors_origins: Option<Vec<String>>,
    trusted_proxies: Option<Vec<IpAddr>>,
    token_hours: Option<i64>,
    contract_hours: Option<i64>,
    reconcile_after_seconds: Option<i64>,
    processor_deadline_seconds: Option<u64>,
    due_soon_hours: Option<i64>,
    closing_soon_hours: Option<i64>,
    quiet_hours: Option<String>,
    drain_seconds: Option<u64>,
    streams_per_user: Option<usize>,
    body_limit_bytes: Option<usize>,
    connections_per_address: Option<usize>,
    upload_quota_bytes: Option<i64>,
    hashes_at_once: Option<usize>,
    attribution: Option<bool>,
    privacy_policy_edits: Option<String>,
    throttle: Throttle,
    model: Model,
    mail: mail::Section,
}

/// The assistant's language model: `[model] url = "https://models.example/v1"`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Model {
    url: Option<String>,
    key: Option<String>,
    name: Option<String>,
    timeout_seconds: Option<u64>,
    athlete_token: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Throttle {
    off: Option<bool>,
    off_in_the_open: Option<bool>,
    login: Option<u32>,
    registration: Option<u32>,
    recovery: Option<u32>,
    public: Option<u32>,
    dashboard: Option<u32>,
    standard: Option<u32>,
}

/// Everything a command needs to open the platform.
#[derive(Debug)]
pub(crate) struct Settings {
    pub config: Config,
    /// Core's address from the file.
    pub core: Option<String>,
    /// The back office's address from the file.
    pub back_office: Option<String>,
    /// Who may read the figures of the process.
    pub monitoring: Monitoring,
    /// Whether the file allows plain HTTP for other machines.
    pub insecure_http: bool,
    /// How long a server that is told to stop goes on while it says that it is not ready.
    pub drain: Duration,
    /// Whether the settings allow serving other machines without throttles.
    pub unthrottled_in_the_open: bool,
    /// The mail server by which mails leave, in words.
    pub mail: Option<String>,
}

/// Who may read the figures of the process.
#[derive(Debug)]
pub(crate) struct Monitoring {
    /// The address of a listener of their own.
    pub address: Option<String>,
    /// The token that readers present to the other listeners.
    pub token: Option<Secret>,
}

/// The file of the master key in the data folder.
const SECRET_KEY: &str = "secret.key";

/// The value that switches throttles off on every address.
pub(crate) const OFF_IN_THE_OPEN: &str = "off-in-the-open";

/// An environment variable; an empty one counts as unset.
pub(crate) fn env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

pub(crate) fn parsed<T: FromStr>(name: &str, from_file: Option<T>) -> Result<Option<T>, Failure> {
    match env(name) {
        None => Ok(from_file),
        Some(text) => match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(Failure::Usage(format!("{name}: `{text}` is not a valid value"))),
        },
    }
}

/// The data that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    /// The database that is there already: with a wrong address the command fails, and makes nothing.
    Database,
    /// The same with its key.
    Existing,
    /// What is there, or new data.
    Any,
}

impl Settings {
    pub(crate) fn load(options: &Options, needed: Needed) -> Result<Self, Failure> {
        let file = read_file(options.config.as_deref())?;
        let given = |path: &Option<PathBuf>| path.clone().filter(|p| !p.as_os_str().is_empty());
        let data = given(&options.data).or(file.data).unwrap_or_else(|| "nil-data".into());
        let database = options
            .database
            .clone()
            .filter(|text| !text.is_empty())
            .or(file.database)
            .unwrap_or_else(|| format!("sqlite:{}", data.join("nil.db").display()));
        let database: Location = database.parse().map_err(Failure::Usage)?;
        if needed != Needed::Any {
            database_must_exist(&database)?;
        }
        let secret_key = secret_key(&data, needed)?;
        let mut config = Config::new(database, secret_key);
        config.data = data;
        if let Some(url) = public_url(options, file.public_url) {
            config.public_url = url;
        }
        if let Some(hours) = parsed("NIL_TOKEN_HOURS", file.token_hours)? {
            config.token_lives = TimeDelta::hours(hours);
        }
        if let Some(hours) = parsed("NIL_CONTRACT_HOURS", file.contract_hours)? {
            config.contract_open_for = TimeDelta::hours(hours);
        }
        if let Some(seconds) = parsed("NIL_RECONCILE_AFTER_SECONDS", file.reconcile_after_seconds)?
        {
            config.reconcile_after = TimeDelta::seconds(seconds);
        }
        let deadline = file.processor_deadline_seconds;
        if let Some(seconds) = parsed("NIL_PROCESSOR_DEADLINE_SECONDS", deadline)? {
            config.processor_deadline = Duration::from_secs(seconds);
        }
        if let Some(hours) = parsed("NIL_DUE_SOON_HOURS", file.due_soon_hours)? {
            config.due_soon = TimeDelta::hours(hours);
        }
        if let Some(hours) = parsed("NIL_CLOSING_SOON_HOURS", file.closing_soon_hours)? {
            config.closing_soon = TimeDelta::hours(hours);
        }
        if let Some(hours) = env("NIL_QUIET_HOURS").or(file.quiet_hours) {
            let wrong = |why| Failure::Usage(format!("NIL_QUIET_HOURS: {why}"));
            config.quiet_hours = Some(hours.parse().map_err(wrong)?);
        }
        if let Some(most) = parsed("NIL_STREAMS_PER_USER", file.streams_per_user)? {
            config.streams_per_user = most;
        }
        if let Some(bytes) = parsed("NIL_BODY_LIMIT_BYTES", file.body_limit_bytes)? {
            config.body_limit = bytes;
        }
        config.connections_per_address =
            parsed("NIL_CONNECTIONS_PER_ADDRESS", file.connections_per_address)?;
        if let Some(bytes) = parsed("NIL_UPLOAD_QUOTA_BYTES", file.upload_quota_bytes)? {
            config.file_quota = bytes;
        }
        if let Some(hashes) = parsed("NIL_HASHES_AT_ONCE", file.hashes_at_once)? {
            config.hashes_at_once = hashes;
        }
        config.attribution = parsed("NIL_ATTRIBUTION", file.attribution)?.unwrap_or_default();
        if let Some(word) = parsed("NIL_PRIVACY_POLICY_EDITS", file.privacy_policy_edits)? {
            let wrong = |why| Failure::Usage(format!("privacy_policy_edits: `{word}` {why}"));
            config.privacy_policy_edits = word.parse().map_err(wrong)?;
        }
        config.cors_origins = match env("NIL_CORS_ORIGINS") {
            Some(text) => text.split(',').map(|origin| origin.trim().to_owned()).collect(),
            None => file.cors_origins.unwrap_or_default(),
        };
        config.trusted_proxies = match env("NIL_TRUSTED_PROXIES") {
            Some(text) => text
                .split(',')
                .map(|address| address.trim().parse())
                .collect::<Result<_, _>>()
                .map_err(|_| Failure::Usage("NIL_TRUSTED_PROXIES: not an IP address".into()))?,
            None => file.trusted_proxies.unwrap_or_default(),
        };
        config.throttle = limits(&file.throttle)?;
        let unthrottled_in_the_open = env("NIL_THROTTLE").as_deref() == Some(OFF_IN_THE_OPEN)
            || file.throttle.off_in_the_open.unwrap_or_default();
        config.throttle.off |= unthrottled_in_the_open;
        config.model = model(file.model)?;
        let smtp = mail::courier(file.mail)?;
        let mail = smtp.as_ref().map(Smtp::described);
        if let Some(smtp) = smtp {
            config.courier = Some(Arc::new(smtp));
        }
        let drain_seconds = parsed("NIL_DRAIN_SECONDS", file.drain_seconds)?;
        Ok(Self {
            config,
            core: file.core,
            back_office: file.back_office,
            monitoring: Monitoring {
                address: env("NIL_METRICS").or(file.metrics),
                token: env("NIL_METRICS_TOKEN")
                    .or(file.metrics_token)
                    .map(monitoring::token)
                    .transpose()?,
            },
            insecure_http: file.insecure_http.unwrap_or_default(),
            drain: Duration::from_secs(drain_seconds.unwrap_or(5)),
            unthrottled_in_the_open,
            mail,
        })
    }
}

/// The address in documents and links, for commands that do not open the platform.
pub(crate) fn documented_url(options: &Options) -> Result<Option<String>, Failure> {
    let file = read_file(options.config.as_deref())?;
    Ok(public_url(options, file.public_url))
}

/// The mail server, for commands that do not open the platform.
pub(crate) fn mail_server(options: &Options) -> Result<Option<Smtp>, Failure> {
    mail::courier(read_file(options.config.as_deref())?.mail)
}

fn public_url(options: &Options, from_file: Option<String>) -> Option<String> {
    let given = options.public_url.clone().filter(|url| !url.is_empty());
    let url = given.or(from_file)?;
    Some(url.trim_end_matches('/').to_owned())
}

/// The language model, if an address is configured; otherwise the assistant's own rules answer.
fn model(file: Model) -> Result<Option<Arc<dyn port::Model>>, Failure> {
    let Some(url) = env("NIL_MODEL_URL").or(file.url) else {
        return Ok(None);
    };
    let seconds = parsed("NIL_MODEL_TIMEOUT_SECONDS", file.timeout_seconds)?.unwrap_or(30);
    let settings = port::Settings {
        url,
        key: env("NIL_MODEL_KEY").or(file.key).map(Secret::new),
        model: env("NIL_MODEL_NAME").or(file.name).unwrap_or_default(),
        timeout: Duration::from_secs(seconds.max(1)),
        athlete_token: parsed("NIL_MODEL_ATHLETE_TOKEN", file.athlete_token)?.unwrap_or(false),
    };
    let model = port::ChatCompletions::new(settings);
    let model = model.map_err(|why| Failure::Usage(format!("the assistant's model: {why}")))?;
    Ok(Some(Arc::new(model)))
}

fn limits(file: &Throttle) -> Result<Limits, Failure> {
    let usual = Limits::default();
    let limit = |name: &str, from_file: Option<u32>, usual: u32| {
        parsed(&format!("NIL_THROTTLE_{name}"), from_file).map(|limit| limit.unwrap_or(usual))
    };
    Ok(Limits {
        off: env("NIL_THROTTLE").as_deref() == Some("off") || file.off.unwrap_or_default(),
        login: limit("LOGIN", file.login, usual.login)?,
        registration: limit("REGISTRATION", file.registration, usual.registration)?,
        recovery: limit("RECOVERY", file.recovery, usual.recovery)?,
        public: limit("PUBLIC", file.public, usual.public)?,
        dashboard: limit("DASHBOARD", file.dashboard, usual.dashboard)?,
        standard: limit("STANDARD", file.standard, usual.standard)?,
    })
}

fn read_file(named: Option<&Path>) -> Result<File, Failure> {
    let named = named.filter(|path| !path.as_os_str().is_empty());
    let path = named.unwrap_or_else(|| Path::new("nil.toml"));
    match std::fs::read_to_string(path) {
        Ok(text) => toml::from_str(&text)
            .map_err(|error| Failure::Usage(format!("{}: {error}", path.display()))),
        Err(_) if named.is_none() => Ok(File::default()),
        Err(error) => Err(Failure::Usage(format!("{}: {error}", path.display()))),
    }
}

fn database_must_exist(database: &Location) -> Result<(), Failure> {
    match database {
        Location::Sqlite(path) if !path.is_file() => Err(missing(path, "database")),
        Location::Sqlite(_) | Location::Postgres(_) => Ok(()),
    }
}

fn missing(path: &Path, what: &str) -> Failure {
    Failure::Broken(format!("{}: there is no {what}. `nil migrate` makes one.", path.display()))
}

/// The master key: `NIL_SECRET_KEY`, or the data folder's `secret.key`, which is created on first use unless what is
/// there already is needed.
fn secret_key(data: &Path, needed: Needed) -> Result<MasterKey, Failure> {
    if let Some(text) = env("NIL_SECRET_KEY") {
        let key = MasterKey::from_hex(&text);
        return key.map_err(|error| Failure::Usage(format!("NIL_SECRET_KEY: {error}")));
    }
    let path = data.join(SECRET_KEY);
    match std::fs::File::open(&path) {
        Ok(file) => read_key(file, &path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            match needed {
                Needed::Any => {}
                Needed::Database => return Ok(MasterKey::generate(&SystemRandom)),
                Needed::Existing => return Err(missing(&path, "secret key")),
            }
            private_folder(data)?;
            let key = MasterKey::generate(&SystemRandom);
            match private_file(&path) {
                Ok(mut file) => {
                    writeln!(file, "{}", key.to_hex().expose())?;
                    file.sync_all()?;
                    Ok(key)
                }
                // Another process created it first: use its key.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    read_key(std::fs::File::open(&path)?, &path)
                }
                Err(error) => Err(Failure::Broken(format!("{}: {error}", path.display()))),
            }
        }
        Err(error) => Err(Failure::Broken(format!("{}: {error}", path.display()))),
    }
}

/// Reads the key from its file, which only its owner may read.
fn read_key(mut file: std::fs::File, path: &Path) -> Result<MasterKey, Failure> {
    let broken = |why: String| Failure::Broken(format!("{}: {why}", path.display()));
    #[cfg(unix)]
    {
        let permissions = file.metadata()?.permissions();
        let mode = std::os::unix::fs::PermissionsExt::mode(&permissions);
        if mode & 0o077 != 0 {
            return Err(broken(format!(
                "others on this machine can read or change the secret key (mode {:03o}). Run: chmod 600 {}",
                mode & 0o777,
                path.display()
            )));
        }
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| broken(error.to_string()))?;
    MasterKey::from_hex(&text).map_err(broken)
}
