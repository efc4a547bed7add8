//! `nil serve`: migrates, serves both listeners, runs the worker; SIGTERM drains.

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use nil_core::accounts::operators;
use nil_core::auth::Permission;
use nil_core::catalog::Interface;
use nil_core::config::PolicyEdits;
use nil_core::error::codes;
use nil_core::http::{Pages, Shutdown, Site, SiteOptions};
use nil_core::kernel::{Email, Text, private_file, private_folder};
use nil_core::ports::social_metrics::Sandbox;
use nil_core::{Config, Error, Platform};
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::args::Serve;
use crate::failure::Failure;
use crate::logging::start_log;
use crate::monitoring;
use crate::out::{self, say};
use crate::settings::{Leaving, OFF_IN_THE_OPEN, Settings};

/// The pause between two looks whether the database is there, while the server stops.
const LOOK: Duration = Duration::from_millis(250);
/// How long the end takes at most without a database, however short the drain is.
const SHORTEST_END: Duration = Duration::from_secs(3);

impl Serve {
    /// Where Core and the back office listen: flag or variable, then `nil.toml`, then the default.
    fn addresses(&self, settings: &Settings) -> [String; 2] {
        let given = |flag: &Option<String>, file: &Option<String>, usual: &str| {
            let flag = flag.as_deref().filter(|text| !text.is_empty());
            flag.or(file.as_deref()).unwrap_or(usual).to_owned()
        };
        [
            given(&self.core, &settings.core, "127.0.0.1:8080"),
            given(&self.back_office, &settings.back_office, "127.0.0.1:8081"),
        ]
    }

    /// Refuses what no listener can have, before anything is made.
    pub(crate) fn check_addresses(&self, settings: &Settings) -> Result<(), Failure> {
        let own = ["core", "back_office"].into_iter().zip(self.addresses(settings));
        let metrics = settings.monitoring.address.clone().map(|address| ("metrics", address));
        let wrong: Vec<String> = own
            .chain(metrics)
            .filter(|(_, address)| !is_listener(address))
            .map(|(name, address)| {
                format!("{name}: `{address}` is not HOST:PORT, such as 127.0.0.1:8080")
            })
            .collect();
        Failure::of_all(&wrong)
    }
}

/// Whether a text is a host and a port; an IPv6 address is in brackets.
fn is_listener(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| {
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let bare = !text.starts_with('[') && host.contains(':');
        !host.is_empty() && !bare && port.parse::<u16>().is_ok()
    })
}

/// Compliance and Admin, with the pages of both if they are compiled in.
fn back_office_of(platform: &Platform, options: SiteOptions) -> Result<Site, Failure> {
    let interfaces = [Interface::Compliance, Interface::Admin];
    #[cfg(not(feature = "console"))]
    let pages: Option<Arc<dyn Pages>> = None;
    #[cfg(feature = "console")]
    let pages: Option<Arc<dyn Pages>> = Some(Arc::new(nil_http_poem::console::Console::new()));
    Ok(Site::new(platform.clone(), &interfaces, SiteOptions { pages, ..options })?)
}

/// Where everything is.
fn announce(public_at: SocketAddr, office_at: SocketAddr, metrics_at: Option<SocketAddr>) {
    if cfg!(feature = "console") {
        out::announce(format_args!("Portal      http://{office_at}/portal"));
        out::announce(format_args!("Console     http://{office_at}/console"));
    }
    out::announce(format_args!("Core        http://{public_at}/api"));
    out::announce(format_args!("Compliance  http://{office_at}/api/compliance"));
    out::announce(format_args!("Admin       http://{office_at}/admin"));
    if let Some(metrics_at) = metrics_at {
        out::announce(format_args!("Metrics     http://{metrics_at}/metrics"));
    }
    out::announce(format_args!("Documentation: http://{public_at}/ and http://{office_at}/"));
}

pub(crate) async fn serve(settings: Settings, args: Serve) -> Result<(), Failure> {
    let sending = start_log(settings.telemetry.as_ref())?;
    let served = Box::pin(serve_until_told(settings, args)).await;
    if let Some(sending) = sending {
        sending.end().await;
    }
    served
}

async fn serve_until_told(settings: Settings, args: Serve) -> Result<(), Failure> {
    let [core, back_office] = args.addresses(&settings);
    let exposed = Exposed {
        insecure_http: args.insecure_http || settings.insecure_http,
        unthrottled: settings.unthrottled_in_the_open,
        config: &settings.config,
    };
    exposed.check([&core, &back_office]).await?;
    let (core, back_office) = (listen(&core).await?, listen(&back_office).await?);
    let mut config = settings.config;
    if !settings.has_public_url {
        config.public_url = format!("http://{}", of_this_machine(core.local_addr()?));
        let office = format!("http://{}", of_this_machine(back_office.local_addr()?));
        config.back_office_url.get_or_insert(office);
    }
    if config.policy_edits() == PolicyEdits::Live {
        tracing::warn!(
            "anyone can change the privacy policy at once, as the specification says; \
             privacy_policy_edits = \"moderated\" or \"closed\" changes that"
        );
    }
    let shown = monitoring::begin(settings.monitoring)?;
    if args.demo {
        crate::demo::world::fill(&config).await?;
        config.social_metrics.get_or_insert_with(|| Arc::new(Sandbox));
    }
    let (drain, leaving, files) = (settings.drain, settings.leaving, settings.files);
    let platform = nil_core::open(config).await?;
    look_around(&platform).await?;
    let public = Site::new(platform.clone(), &[Interface::Core], shown.beside.clone())?;
    let office = back_office_of(&platform, shown.beside)?;
    let figures = match shown.alone {
        Some((address, options)) => {
            Some((Site::new(platform.clone(), &[], options)?, listen(&address).await?))
        }
        None => None,
    };
    // A caller that has read the addresses may send a signal: handle it from here on.
    let stopping = asked_to_stop()?;
    introduce(&platform, &leaving, files.as_deref());
    let (public_at, office_at) = (core.local_addr()?, back_office.local_addr()?);
    let metrics_at = figures.as_ref().map(|(_, listener)| listener.local_addr()).transpose()?;
    announce(public_at, office_at, metrics_at);

    let version = env!("CARGO_PKG_VERSION");
    tracing::info!(%public_at, %office_at, version, "started");
    let (stop, shutdown) = Shutdown::new();
    let worker = tokio::spawn(nil_core::worker::run(platform.clone(), shutdown.clone()));
    let mut servers = vec![
        tokio::spawn(nil_http_warp::serve(public.clone(), core, shutdown.clone())),
        tokio::spawn(nil_http_poem::serve(office.clone(), back_office, shutdown.clone())),
    ];
    servers.extend(
        figures
            .map(|(site, listener)| tokio::spawn(nil_http_warp::serve(site, listener, shutdown))),
    );
    let signal = stopping.await;
    let latest = Instant::now() + drain.max(SHORTEST_END);
    public.leave();
    office.leave();
    let mut is_lost = false;
    if signal == Signal::Terminate && !drain.is_zero() {
        tracing::info!(seconds = drain.as_secs(), "leaving: /readyz answers 503");
        let again = asked_to_stop()?;
        tokio::select! {
            _ = again => {}
            () = tokio::time::sleep(drain) => {}
            // `/readyz` failed before the signal came: proxies know already.
            () = lost(&platform) => is_lost = true,
        }
    }
    tracing::info!("stopping: finishing requests under way");
    public.drain();
    office.drain();
    // Fails only if the listener has already stopped.
    let _ = stop.send(true);
    let finished = async {
        for server in servers {
            let _ = server.await;
        }
        let _ = worker.await;
        platform.close().await;
    };
    tokio::select! {
        () = finished => {}
        () = async {
            if !is_lost {
                lost(&platform).await;
            }
            tokio::time::sleep_until(latest).await;
        } => {
            tracing::warn!("the database cannot be reached: leaving what is under way to the next start");
        }
    }
    tracing::info!("stopped");
    Ok(())
}

/// Makes the first operator where there is none, and warns of settings of the site that documents
/// and invoices need.
async fn look_around(platform: &Platform) -> Result<(), Failure> {
    first_operator(platform).await?;
    let unset = nil_core::opening::unset(platform).await?;
    if !unset.is_empty() {
        tracing::warn!(
            unset = unset.join(", "),
            "the site has no name or no address for support: documents do not name it and it issues \
             no invoices; an operator sets both with POST /admin/site-config/basic-setting"
        );
    }
    Ok(())
}

/// Ends when the database could not be reached twice in a row: once may be a busy moment.
async fn lost(platform: &Platform) {
    let mut missed = 0;
    while missed < 2 {
        missed = if platform.db().is_reachable().await { 0 } else { missed + 1 };
        tokio::time::sleep(LOOK).await;
    }
}

/// Prints what runs here, by what messages leave, where files are, and what is only simulated.
fn introduce(platform: &Platform, leaving: &Leaving, files: Option<&str>) {
    let config = platform.config();
    let version = env!("CARGO_PKG_VERSION");
    out::announce(format_args!("nil {version}, database: {}", config.database.described()));
    let mut simulated = Vec::new();
    if let Some(server) = &leaving.mail {
        out::announce(format_args!("Mail leaves by {server}"));
    }
    if let Some(server) = &leaving.sms {
        out::announce(format_args!("Text messages leave by {server}"));
    }
    match (&leaving.mail, &leaving.sms) {
        (None, None) => {
            simulated.push("mails and text messages are not sent (`nil outbox` shows them)");
        }
        (Some(_), None) => simulated.push("text messages are not sent (`nil outbox` shows them)"),
        (None, Some(_)) => simulated.push("mails are not sent (`nil outbox` shows them)"),
        (Some(_), Some(_)) => {}
    }
    if let Some(bucket) = files {
        out::announce(format_args!("Files are in the bucket {bucket}"));
    }
    if let Some(redis) = &config.redis {
        out::announce(format_args!("Requests are counted in Redis, {}", redis.described()));
    }
    if config.processor.is_none() {
        simulated.push("payments and payouts move no money (a sandbox answers)");
    }
    if !simulated.is_empty() {
        out::announce(format_args!("Simulated: {}", simulated.join("; ")));
    }
}

/// Settings that are dangerous on an address that other machines can reach.
struct Exposed<'a> {
    insecure_http: bool,
    unthrottled: bool,
    config: &'a Config,
}

impl Exposed<'_> {
    /// Refuses such an address, or only warns if the setting insists. Local addresses pass
    /// silently.
    async fn check(self, addresses: [&str; 2]) -> Result<(), Failure> {
        let mut open = None;
        for address in addresses {
            // An address that does not resolve fails later, when it is listened on.
            let found = tokio::net::lookup_host(address).await;
            let is_open = |found: SocketAddr| !found.ip().to_canonical().is_loopback();
            if found.is_ok_and(|mut found| found.any(is_open)) {
                open = Some(address);
            }
        }
        let Some(address) = open else {
            return Ok(());
        };
        let url = &self.config.public_url;
        if !url.starts_with("https:") {
            let danger = format!(
                "other machines can reach {address}, and public_url ({url}) says that passwords and \
                 tokens cross the network in the clear"
            );
            if !self.insecure_http {
                return Err(Failure::Usage(format!(
                    "{danger}. Put a TLS proxy in front and set public_url to its https address, listen \
                     on 127.0.0.1, or override with --insecure-http"
                )));
            }
            tracing::warn!("{danger}; allowed by the configuration");
        }
        if self.config.throttle.off {
            let danger = format!(
                "other machines can reach {address}, and no throttle limits password guessing"
            );
            if !self.unthrottled {
                return Err(Failure::Usage(format!(
                    "{danger}. Listen on 127.0.0.1, leave the throttles on, or override with \
                     NIL_THROTTLE={OFF_IN_THE_OPEN}"
                )));
            }
            tracing::warn!("{danger}; allowed by the configuration");
        }
        Ok(())
    }
}

/// The address for programs on this machine of a listener, which may listen on all of its
/// addresses.
fn of_this_machine(listener: SocketAddr) -> SocketAddr {
    match listener.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => (Ipv4Addr::LOCALHOST, listener.port()).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => (Ipv6Addr::LOCALHOST, listener.port()).into(),
        _ => listener,
    }
}

async fn listen(address: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address)
        .await
        .map_err(|error| Failure::Broken(format!("cannot listen on {address}: {error}")))
}

/// The file with the first operator's one-time password, in the data folder.
const FIRST_OPERATOR: &str = "first-operator.txt";

/// On a first run no operator exists: creates one and says the password once, on a terminal or in a
/// file that only its owner may read.
async fn first_operator(platform: &Platform) -> Result<(), Failure> {
    if operators::any(platform).await? {
        return Ok(());
    }
    let email = "operator@localhost.localdomain";
    let wrong = |field: &'static str| move |why: String| Error::invalid(field, why);
    let address = Email::new(email).map_err(wrong("email"))?;
    let name = Text::new("First operator").map_err(wrong("name"))?;
    let all = vec![Permission::All];
    let password = match operators::passwords::create(platform, address, name, all).await {
        Ok((_, password)) => password,
        // Another server on this database created the operator first, and has printed its password.
        Err(error) if error.code() == codes::EMAIL_TAKEN.name => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    // What is printed to no terminal is kept by a journal or a container's log.
    if out::is_for_people() {
        say!("First operator: {email}, one-time password: {}", password.expose());
        return Ok(());
    }
    let folder = &platform.config().data;
    let path = folder.join(FIRST_OPERATOR);
    // With the key in a variable and another database, nothing has needed the folder yet.
    let written = private_folder(folder).and_then(|()| private_file(&path));
    let written = written.and_then(|mut file| {
        writeln!(file, "{email}\n{}", password.expose()).and_then(|()| file.sync_all())
    });
    match written {
        Ok(()) => say!("First operator: {email}, one-time password in {}", path.display()),
        Err(error) => say!(
            "First operator: {email}, but {} cannot be written ({error}). For a password: \
             nil operator reset-password {email}",
            path.display()
        ),
    }
    Ok(())
}

/// A word to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// SIGTERM: a service manager or an orchestrator stops the server, and a proxy may still send
    /// requests.
    Terminate,
    /// SIGINT: somebody at a terminal is waiting.
    Interrupt,
}

/// Starts to listen for SIGTERM and SIGINT; the returned future ends when one has arrived.
pub(crate) fn asked_to_stop() -> std::io::Result<impl Future<Output = Signal>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => Signal::Terminate,
            _ = interrupt.recv() => Signal::Interrupt,
        }
    })
}
