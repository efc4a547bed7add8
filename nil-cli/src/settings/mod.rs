//! Where settings come from: flag, then `NIL_*`, then `nil.toml`, then the default.

mod couriers;
mod key;
mod numbers;
mod outside;
mod parts;
mod person;
mod shown;
mod sign_on;
mod values;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nil_core::auth::MasterKey;
use nil_core::kernel::{Secret, SystemRandom};
use nil_core::ports::courier::{Sms, Smtp};
use nil_core::ports::social_metrics::Pages;
use nil_core::storage::Location;
use nil_core::{Config, Platform};
use serde::Deserialize;

pub(crate) use self::couriers::Leaving;
pub(crate) use self::key::replace_key;
use self::parts::{Documents, Model, Throttle, fonts, limits, model};
pub(crate) use self::person::stranger_to;
pub(crate) use self::shown::show;
pub(crate) use self::values::{env, parsed, secret, web_address};
use self::values::{listed, networks, origin, within};
use crate::args::Options;
use crate::failure::Failure;
use crate::out::complain;
use crate::telemetry::Collector;
use crate::{mail, monitoring, objects, processor, sms, telemetry};

/// The contents of `nil.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    database: Option<String>,
    database_connections: Option<u32>,
    database_direct: Option<String>,
    database_prepared: Option<bool>,
    database_replica: Option<String>,
    database_replica_lag: Option<u64>,
    redis_url: Option<String>,
    #[serde(rename = "redis_ca_file")]
    redis_authorities: Option<PathBuf>,
    data: Option<PathBuf>,
    public_url: Option<String>,
    back_office_url: Option<String>,
    portal_url: Option<String>,
    console_url: Option<String>,
    core: Option<String>,
    back_office: Option<String>,
    insecure_http: Option<bool>,
    metrics: Option<String>,
    metrics_token: Option<String>,
    cors_origins: Option<Vec<String>>,
    trusted_proxies: Option<Vec<String>>,
    token_algorithm: Option<String>,
    webhook_networks: Option<Vec<String>>,
    sign_on_networks: Option<Vec<String>>,
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
    open_uploads_quota_bytes: Option<i64>,
    hashes_at_once: Option<usize>,
    attribution: Option<bool>,
    privacy_policy_edits: Option<String>,
    require_operator_totp: Option<bool>,
    watch_post_pages: Option<bool>,
    operator_sign_on: sign_on::Section,
    throttle: Throttle,
    model: Model,
    documents: Documents,
    mail: mail::Section,
    sms: sms::Section,
    objects: objects::Section,
    processor: processor::Section,
    telemetry: telemetry::Section,
}

/// Everything a command needs to open the platform.
#[derive(Debug)]
pub(crate) struct Settings {
    pub config: Config,
    /// Whether somebody said where users reach Core; otherwise it is where Core listens.
    pub has_public_url: bool,
    /// Core's address from the file.
    pub core: Option<String>,
    /// The back office's address from the file.
    pub back_office: Option<String>,
    /// Who may read the figures of the process.
    pub monitoring: Monitoring,
    /// Where traces and logs are sent.
    pub telemetry: Option<Collector>,
    /// Whether the file allows plain HTTP for other machines.
    pub insecure_http: bool,
    /// How long a server that is told to stop goes on while it says that it is not ready.
    pub drain: Duration,
    /// Whether the settings allow serving other machines without throttles.
    pub unthrottled_in_the_open: bool,
    /// By what messages leave, in words.
    pub leaving: Leaving,
    /// The bucket for files, in words.
    pub files: Option<String>,
    key: KeyFound,
}

/// Whether the installation's key was found. Without it the configuration has one that opens
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyFound {
    Own,
    None,
}

/// Who may read the figures of the process.
#[derive(Debug)]
pub(crate) struct Monitoring {
    /// The address of a listener of their own.
    pub address: Option<String>,
    /// The token that readers present to the other listeners.
    pub token: Option<Secret>,
}

/// The value that switches throttles off on every address.
pub(crate) const OFF_IN_THE_OPEN: &str = "off-in-the-open";

/// The data that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    /// The database that is there already, with its key if it has one: with a wrong address the
    /// command fails, and makes nothing.
    Database,
    /// The database that is there already, and its key.
    Existing,
    /// What is there, or new data.
    Any,
}

impl Needed {
    /// A database that is there has a key already; a new one would not be its own. An address at
    /// which no server answers is refused before a key is made for it.
    async fn with(self, config: &Config) -> Result<Self, Failure> {
        /// The page that a file without tables has.
        const EMPTY: u64 = 4096;
        let begun = match (self, &config.database) {
            (Self::Any, Location::Sqlite(path)) => {
                path.metadata().is_ok_and(|file| file.len() > EMPTY)
            }
            (Self::Any, Location::Postgres(_)) => nil_core::opening::has_key(config).await?,
            (Self::Database | Self::Existing, _) => false,
        };
        Ok(if begun { Self::Existing } else { self })
    }
}

impl Settings {
    /// Everything but the key, so that a wrong setting makes none.
    pub(crate) fn load(options: &Options, needed: Needed) -> Result<Self, Failure> {
        let mut file = read_file(options.config.as_deref())?;
        let given = |path: &Option<PathBuf>| path.clone().filter(|p| !p.as_os_str().is_empty());
        let data = given(&options.data).or(file.data.take()).unwrap_or_else(|| "nil-data".into());
        let database = options
            .database
            .clone()
            .filter(|text| !text.is_empty())
            .or(file.database.take())
            .unwrap_or_else(|| format!("sqlite:{}", data.join("nil.db").display()));
        let database: Location = database.parse().map_err(Failure::Usage)?;
        if needed != Needed::Any {
            database_must_exist(&database, &data)?;
        }
        let pooling = file.pooling(&database)?;
        let mut config = Config::new(database, MasterKey::generate(&SystemRandom));
        config.pooling = pooling;
        config.redis = file.redis()?;
        let public_url = public_url(options, file.public_url.take())?;
        let has_public_url = public_url.is_some();
        if let Some(url) = public_url {
            config.public_url = url;
        }
        let url = |name: &str, from_file: Option<String>| {
            let given = env(&format!("NIL_{}", name.to_uppercase())).or(from_file);
            given.map(|url| web_address(name, &url)).transpose()
        };
        config.back_office_url = url("back_office_url", file.back_office_url.take())?;
        config.portal_url = url("portal_url", file.portal_url.take())?;
        config.console_url = url("console_url", file.console_url.take())?;
        file.times(&mut config)?;
        file.sizes(&mut config)?;
        if let Some(word) = env("NIL_TOKEN_ALGORITHM").or(file.token_algorithm) {
            let wrong = |why| Failure::Usage(format!("token_algorithm: `{word}` {why}"));
            config.token_algorithm = word.parse().map_err(wrong)?;
        }
        config.attribution = parsed("NIL_ATTRIBUTION", file.attribution)?.unwrap_or_default();
        if let Some(word) = parsed("NIL_PRIVACY_POLICY_EDITS", file.privacy_policy_edits)? {
            let wrong = |why| Failure::Usage(format!("privacy_policy_edits: `{word}` {why}"));
            config.privacy_policy_edits = Some(word.parse().map_err(wrong)?);
        }
        config.operators_need_totp =
            parsed("NIL_REQUIRE_OPERATOR_TOTP", file.require_operator_totp)?.unwrap_or_default();
        config.cors_origins = listed("NIL_CORS_ORIGINS", file.cors_origins)
            .iter()
            .map(|text| origin("cors_origins", text))
            .collect::<Result<_, _>>()?;
        config.trusted_proxies = networks("trusted_proxies", file.trusted_proxies)?;
        config.webhook_networks = networks("webhook_networks", file.webhook_networks)?;
        config.sign_on_networks = networks("sign_on_networks", file.sign_on_networks)?;
        config.operator_sign_on = sign_on::operators(file.operator_sign_on)?;
        config.throttle = limits(&file.throttle)?;
        let unthrottled_in_the_open = env("NIL_THROTTLE").as_deref() == Some(OFF_IN_THE_OPEN)
            || file.throttle.off_in_the_open.unwrap_or_default();
        config.throttle.off |= unthrottled_in_the_open;
        config.model = model(file.model)?;
        if parsed("NIL_WATCH_POST_PAGES", file.watch_post_pages)?.unwrap_or(false) {
            let pages = Pages::new();
            let pages = pages.map_err(|why| Failure::Usage(format!("watch_post_pages: {why}")))?;
            config.social_metrics = Some(Arc::new(pages));
        }
        if let Some(folder) = env("NIL_DOCUMENTS_FONTS").map(PathBuf::from).or(file.documents.fonts)
        {
            config.fonts = fonts(folder)?;
        }
        let leaving = couriers::connect(&mut config, file.mail, file.sms, has_public_url)?;
        let home = has_public_url.then_some(config.public_url.as_str());
        config.processor = processor::processor(file.processor, home)?;
        let bucket = objects::bucket(file.objects)?;
        let files = bucket.as_ref().map(|bucket| bucket.described().to_owned());
        if let Some(bucket) = bucket {
            config.objects = Some(Arc::new(bucket));
        }
        let drain = within("drain_seconds", file.drain_seconds, 0..=3_600)?;
        let token = env("NIL_METRICS_TOKEN").or(file.metrics_token);
        let monitoring = Monitoring {
            address: env("NIL_METRICS").or(file.metrics),
            token: token.map(monitoring::token).transpose()?,
        };
        let telemetry = telemetry::collector(file.telemetry)?;
        config.data = data;
        Ok(Self {
            config,
            has_public_url,
            core: file.core,
            back_office: file.back_office,
            monitoring,
            telemetry,
            insecure_http: file.insecure_http.unwrap_or_default(),
            drain: Duration::from_secs(drain.unwrap_or(5)),
            unthrottled_in_the_open,
            leaving,
            files,
            key: KeyFound::None,
        })
    }

    /// With the installation's key, which is made on first use.
    pub(crate) async fn with_key(mut self, needed: Needed) -> Result<Self, Failure> {
        let data = &self.config.data;
        if let Some((owner, runner)) = person::stranger_to(data) {
            complain!(
                "warning: {} belongs to {owner}, and this runs as {runner}: what it makes there now, {owner} may not \
                 be able to change",
                data.display()
            );
        }
        let own_key = match key::kept(data)? {
            Some(key) => Some(key),
            None => key::missing(data, needed.with(&self.config).await?)?,
        };
        if let Some(own) = own_key {
            self.config.secret_key = own;
            self.key = KeyFound::Own;
        }
        Ok(self)
    }

    /// With the key that is there, or else with this one, which is written into the data folder.
    pub(crate) fn with_own_key(mut self, own: Option<MasterKey>) -> Result<Self, Failure> {
        let data = &self.config.data;
        let kept = match (key::kept(data)?, own) {
            (Some(kept), _) => kept,
            (None, Some(own)) => key::written(data, own)?,
            (None, None) => return Err(key::lost(data)),
        };
        self.config.secret_key = kept;
        self.key = KeyFound::Own;
        Ok(self)
    }

    /// Sets the person who runs this process, for a command that somebody runs: the audit trail
    /// names them.
    pub(crate) fn by_hand(mut self) -> Self {
        self.config.host_user = Some(person::described());
        self
    }

    /// Opens the platform as it is: nothing is migrated, and nothing is made. Refuses a lost key
    /// and another's.
    pub(crate) async fn open_as_it_is(self) -> Result<Platform, Failure> {
        let data = self.config.data.clone();
        let platform = nil_core::opening::open_unmigrated(self.config).await?;
        match nil_core::opening::check_key(&platform).await {
            Ok(()) => Ok(platform),
            Err(_) if self.key == KeyFound::None => Err(key::lost(&data)),
            Err(error) => Err(error.into()),
        }
    }
}

/// The address in documents and links, for commands that do not open the platform.
pub(crate) fn documented_url(options: &Options) -> Result<Option<String>, Failure> {
    let file = read_file(options.config.as_deref())?;
    public_url(options, file.public_url)
}

/// The mail server, for commands that do not open the platform.
pub(crate) fn mail_server(options: &Options) -> Result<Option<Smtp>, Failure> {
    mail::courier(read_file(options.config.as_deref())?.mail)
}

/// The provider of text messages, for commands that do not open the platform.
pub(crate) fn sms_provider(options: &Options) -> Result<Option<Sms>, Failure> {
    sms::courier(read_file(options.config.as_deref())?.sms, None)
}

fn public_url(options: &Options, from_file: Option<String>) -> Result<Option<String>, Failure> {
    let given = options.public_url.clone().filter(|url| !url.is_empty());
    given.or(from_file).map(|url| web_address("public_url", &url)).transpose()
}

fn read_file(named: Option<&Path>) -> Result<File, Failure> {
    let (path, text) = config_text(named)?;
    toml::from_str(&text).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))
}

/// The configuration file and its text, which is empty if none is named and there is none.
fn config_text(named: Option<&Path>) -> Result<(PathBuf, String), Failure> {
    let named = named.filter(|path| !path.as_os_str().is_empty());
    let path = named.unwrap_or_else(|| Path::new("nil.toml"));
    match std::fs::read_to_string(path) {
        Ok(text) => Ok((path.to_owned(), text)),
        Err(error) if named.is_none() && error.kind() == ErrorKind::NotFound => {
            Ok((path.to_owned(), String::new()))
        }
        Err(error) => Err(Failure::Usage(format!("{}: {error}", path.display()))),
    }
}

/// A wrong folder or address is said, so that nobody makes a second, empty database beside the lost
/// one.
fn database_must_exist(database: &Location, data: &Path) -> Result<(), Failure> {
    let Location::Sqlite(path) = database else { return Ok(()) };
    if path.is_file() {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let why = match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) if folder == data => {
            format!(
                "{}: there is no such folder. Name the data folder with --data.",
                folder.display()
            )
        }
        Some(folder) => format!(
            "{}: there is no such folder. Name the database with --database.",
            folder.display()
        ),
        None => format!(
            "{}: there is no database. Name it with --database, or its folder with --data.",
            path.display()
        ),
    };
    Err(Failure::Broken(why))
}
