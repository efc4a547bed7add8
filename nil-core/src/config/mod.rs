//! Configuration of the library. The host decides where it comes from (flags, environment, file).
//!
//! `operator_sign_on` is the identity provider of the platform's operators. `quiet_hours` parses
//! the site's quiet hours; `policy_edits` says how edits of the privacy policy are treated.

mod operator_sign_on;
mod policy_edits;
mod quiet_hours;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;

use crate::kernel::{Clock, Network, Random, SystemClock, SystemRandom, is_this_machine};
use crate::keys::WebhookSecret;
use crate::keys::{MasterKey, TokenAlgorithm};
use crate::ports::courier::{Channel, Courier, SmsReports};
use crate::ports::model::Model;
use crate::ports::objects::Objects;
use crate::ports::processor::Processor;
use crate::ports::social_metrics::SocialMetrics;
use crate::storage::{Location, Pooling};
use crate::throttle::{Limits, Redis};

pub use operator_sign_on::OperatorSignOn;
pub use policy_edits::PolicyEdits;
pub use quiet_hours::QuietHours;
pub use quiet_hours::zone_named;

/// Where systems keep their fonts.
const SYSTEM_FONTS: &str = "/usr/share/fonts";

/// The settings of the platform. Start from [`Config::new`].
#[derive(Clone)]
pub struct Config {
    /// The database.
    pub database: Location,
    /// How PostgreSQL is reached; by default without a pool in front of it.
    pub pooling: Pooling,
    /// The folder for files and keys.
    pub data: PathBuf,
    /// The key from which all other keys are derived. Servers on one database share it.
    pub secret_key: MasterKey,
    /// How bearer tokens are signed.
    pub token_algorithm: TokenAlgorithm,
    /// The address where users reach the Core server; links in mails begin with it.
    pub public_url: String,
    /// The address where officers and operators reach the back office; links in mails to officers
    /// begin with it. By default `public_url`.
    pub back_office_url: Option<String>,
    /// The address of a front end with pages for the links in mails; by default the servers' own
    /// pages.
    pub portal_url: Option<String>,
    /// The address of a front end for institutions' officers, with pages for the links in mails to
    /// them; by default `portal_url`.
    pub console_url: Option<String>,
    /// The lifetime of a Core or Compliance token.
    pub token_lives: TimeDelta,
    /// How long an athlete has to confirm availability before the contract expires.
    pub contract_open_for: TimeDelta,
    /// How long before a deliverable is due its athlete is reminded.
    pub due_soon: TimeDelta,
    /// How long before applications close the brand and undecided athletes are reminded.
    pub closing_soon: TimeDelta,
    /// The quiet hours, in which text messages and mails that can wait are delayed; none by
    /// default.
    pub quiet_hours: Option<QuietHours>,
    /// The courier for mails and text messages; what it does not carry stays in the outbox
    /// (`nil outbox`). None by default.
    pub courier: Option<Arc<dyn Courier>>,
    /// The secret with which the mail service signs its reports; without it they are refused.
    pub mail_reports: Option<WebhookSecret>,
    /// How the provider of text messages reports; without it its reports are refused.
    pub sms_reports: Option<SmsReports>,
    /// The interval between heartbeats on a live stream; also the time after which a stream notices
    /// changes without a wake-up.
    pub heartbeat: Duration,
    /// The maximum number of live streams of one user at one server.
    pub streams_per_user: usize,
    /// The time a call has to complete its request to the processor before the worker looks the
    /// outcome up.
    pub reconcile_after: TimeDelta,
    /// The time limit of one call to the processor; after it the outcome is unknown and is looked
    /// up later.
    pub processor_deadline: Duration,
    /// Requests per minute and class.
    pub throttle: Limits,
    /// The Redis in which servers on one database count requests together; by default each counts
    /// its own.
    pub redis: Option<Redis>,
    /// The maximum number of concurrent password hashes; each takes 19 MiB.
    pub hashes_at_once: usize,
    /// The largest body without a file, in bytes; most operations accept less.
    pub body_limit: usize,
    /// The maximum number of connections of one client address (an IPv6 /64) at one listener;
    /// trusted proxies are not counted. If not set, 256, and clients on this machine are not
    /// counted either.
    pub connections_per_address: Option<usize>,
    /// Origins from which browsers may call; none by default.
    pub cors_origins: Vec<String>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<Network>,
    /// Networks of the operator's own in which webhooks may reach receivers, there also over plain
    /// http and at any port; none by default.
    pub webhook_networks: Vec<Network>,
    /// The time limit of one request to an endpoint of webhooks.
    pub webhook_deadline: Duration,
    /// Who runs this process and where, such as `ada@db1`, if it is a command that somebody runs:
    /// the address in audit entries of calls that come through no network.
    pub host_user: Option<String>,
    /// Whether advertising click ids (`fbp`, `fbc`) are stored.
    pub attribution: bool,
    /// How edits through the open privacy policy operation are treated; see
    /// [`Config::policy_edits`] for the default.
    pub privacy_policy_edits: Option<PolicyEdits>,
    /// Whether operators must log in with two steps: a password, and the code of an authenticator
    /// app.
    pub operators_need_totp: bool,
    /// The identity provider that operators sign on through; none by default.
    pub operator_sign_on: Option<OperatorSignOn>,
    /// Networks of the operator's own in which identity providers may be reached, there also over
    /// plain http and at any port; none by default.
    pub sign_on_networks: Vec<Network>,
    /// The host's own payment processor; by default the sandbox.
    pub processor: Option<Arc<dyn Processor>>,
    /// The language model of the athletes' assistant; by default its own rules.
    pub model: Option<Arc<dyn Model>>,
    /// The host's source of figures about accounts on social networks and of what is to be seen of
    /// posts; by default figures are entered by hand, and posts count as unchecked.
    pub social_metrics: Option<Arc<dyn SocialMetrics>>,
    /// The host's own store for the bytes of files; by default a folder in the data folder. Servers
    /// on one database share it.
    pub objects: Option<Arc<dyn Objects>>,
    /// The folder with fonts for the letters that the embedded ones lack, such as rare Chinese
    /// ones; looked through at the start. By default the usual folder of the system.
    pub fonts: Option<PathBuf>,
    /// The maximum number of bytes of files a user may keep.
    pub file_quota: i64,
    /// The maximum number of bytes of the content library's open uploads, over all operators
    /// together.
    pub open_uploads_quota: i64,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub random: Arc<dyn Random>,
}

impl Config {
    /// The defaults, for a database and its secret key.
    #[must_use]
    pub fn new(database: Location, secret_key: MasterKey) -> Self {
        Self {
            database,
            pooling: Pooling::default(),
            data: PathBuf::from("nil-data"),
            secret_key,
            token_algorithm: TokenAlgorithm::Hs256,
            public_url: "http://127.0.0.1:8080".into(),
            back_office_url: None,
            portal_url: None,
            console_url: None,
            token_lives: TimeDelta::hours(12),
            contract_open_for: TimeDelta::hours(72),
            due_soon: TimeDelta::hours(72),
            closing_soon: TimeDelta::hours(48),
            quiet_hours: None,
            courier: None,
            mail_reports: None,
            sms_reports: None,
            heartbeat: Duration::from_secs(15),
            streams_per_user: 8,
            reconcile_after: TimeDelta::seconds(10),
            processor_deadline: Duration::from_secs(20),
            throttle: Limits::default(),
            redis: None,
            hashes_at_once: 2,
            body_limit: 1024 * 1024,
            connections_per_address: None,
            cors_origins: Vec::new(),
            trusted_proxies: Vec::new(),
            webhook_networks: Vec::new(),
            webhook_deadline: Duration::from_secs(15),
            host_user: None,
            attribution: false,
            privacy_policy_edits: None,
            operators_need_totp: false,
            operator_sign_on: None,
            sign_on_networks: Vec::new(),
            processor: None,
            model: None,
            social_metrics: None,
            objects: None,
            fonts: Some(PathBuf::from(SYSTEM_FONTS)),
            file_quota: 1024 * 1024 * 1024,
            open_uploads_quota: 100 * 1024 * 1024 * 1024,
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
        }
    }

    /// The address of the server that officers use, or of the one for everybody else.
    #[must_use]
    pub fn server_url(&self, for_officers: bool) -> &str {
        let office = self.back_office_url.as_deref().filter(|_| for_officers);
        office.unwrap_or(&self.public_url).trim_end_matches('/')
    }

    /// The address that links in mails to officers begin with, or those to everybody else.
    #[must_use]
    pub fn pages_url(&self, for_officers: bool) -> &str {
        self.front_end(for_officers).unwrap_or_else(|| self.server_url(for_officers))
    }

    /// The address of the front end that officers use, or of the one for everybody else, if one is
    /// configured: the servers themselves show programs what is there, and people only the pages of
    /// links with a secret.
    #[must_use]
    pub fn front_end(&self, for_officers: bool) -> Option<&str> {
        let console = self.console_url.as_deref().filter(|_| for_officers);
        console.or(self.portal_url.as_deref()).map(|url| url.trim_end_matches('/'))
    }

    /// The address of a page in the front end that users have, if one is configured.
    #[must_use]
    pub fn page_of_the_front_end(&self, path: &str) -> Option<String> {
        self.front_end(false).map(|front| format!("{front}{path}"))
    }

    /// How edits through the open privacy policy operation are treated: unless configured, they are
    /// in force at once only on a platform for trying out, whose public address is on this machine.
    /// On any other they are held.
    #[must_use]
    pub fn policy_edits(&self) -> PolicyEdits {
        let tried_out = || is_on_this_machine(&self.public_url);
        let usual = || if tried_out() { PolicyEdits::Live } else { PolicyEdits::Moderated };
        self.privacy_policy_edits.unwrap_or_else(usual)
    }

    /// The courier for messages of this channel, if there is one.
    #[must_use]
    pub fn courier_for(&self, channel: Channel) -> Option<&dyn Courier> {
        self.courier.as_deref().filter(|courier| courier.carries(channel))
    }
}

/// Whether a web address leads to this machine.
fn is_on_this_machine(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(within) => within.split(']').next(),
        None => authority.split(':').next(),
    };
    host.is_some_and(is_this_machine)
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Config").field("data", &self.data).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_in_force_at_once_only_where_the_platform_is_tried_out() {
        for (url, here) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost:8080/nil", true),
            ("http://[::1]:8080", true),
            ("https://nil.example", false),
            ("https://127.0.0.1.nil.example", false),
            ("http://10.0.0.5:8080", false),
        ] {
            assert_eq!(is_on_this_machine(url), here, "{url}");
        }
    }
}
