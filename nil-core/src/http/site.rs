//! The site: some interfaces of the platform behind one listener, with where they stand, how far
//! the site is on its way to the end, and the memory for bodies.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use ::http::request::Parts;
use tokio::sync::watch;

use super::admission;
use super::body_memory::{BodyMemory, Place};
use super::incoming::{Limits, Load};
use super::metrics::Metrics;
use super::mount::Mount;
use super::routes::Routes;
use super::visit::Pages;
use crate::auth::Principal;
use crate::catalog::Interface;
use crate::error::Result;
use crate::operation::{self, Reply};
use crate::platform::Platform;
use crate::schedule::Shutdown;
use crate::throttle::address_bucket;

/// The bytes of bodies without files in memory at once: in total, and of one caller.
const MEMORY: [usize; 2] = [12 * MIB, 4 * MIB];
/// How long a body without a file waits for memory.
const PATIENCE: Duration = Duration::from_secs(2);
/// The bytes of bodies with files in memory at once: in total, and of one caller. The share of a
/// caller fits the largest file.
const MEMORY_FOR_FILES: [usize; 2] = [168 * MIB, 56 * MIB];
/// The bytes of bodies with files in base64 in memory at once: in total, and of one caller. The
/// total fits one that is being read, whose text is in memory twice meanwhile, and half of the
/// next.
const MEMORY_FOR_ENCODED: [usize; 2] = [22 * MIB, 14 * MIB];
/// How long a body with a file waits for memory.
const PATIENCE_WITH_FILES: Duration = Duration::from_secs(10);
const MIB: usize = 1024 * 1024;

/// The network peer of a request; the accept loop adds it to the request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Options of a site.
#[derive(Clone, Default)]
pub struct SiteOptions {
    /// The figures of this process; without them `/metrics` is 404.
    pub metrics: Option<Metrics>,
    /// Pages of the host beside the operations, such as the console of `nil-http-poem`.
    pub pages: Option<Arc<dyn Pages>>,
}

impl std::fmt::Debug for SiteOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SiteOptions").finish_non_exhaustive()
    }
}

/// Some interfaces of the platform behind one listener. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Site(Arc<Inner>, Arc<Mount>);

/// How far a site is on its way to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Serving,
    /// `/readyz` fails, and everything else goes on.
    Leaving,
    /// Live streams end as well.
    Draining,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub platform: Platform,
    pub interfaces: Vec<Interface>,
    pub options: SiteOptions,
    pub routes: Routes,
    phase: watch::Sender<Phase>,
    /// Memory for bodies, for bodies with files, and for bodies with files in base64.
    memory: Arc<BodyMemory>,
    memory_for_files: Arc<BodyMemory>,
    memory_for_encoded: Arc<BodyMemory>,
}

impl Site {
    /// Creates a site for these interfaces.
    pub fn new(platform: Platform, interfaces: &[Interface], options: SiteOptions) -> Result<Self> {
        // A share fits a body of the largest size and its values.
        let largest = platform.config().body_limit.saturating_mul(4);
        let [all, share] = MEMORY.map(|usual| usual.max(largest));
        let memory = BodyMemory::new(all, share, PATIENCE);
        let [all, share] = MEMORY_FOR_FILES;
        let memory_for_files = BodyMemory::new(all, share, PATIENCE_WITH_FILES);
        let [all, share] = MEMORY_FOR_ENCODED;
        let memory_for_encoded = BodyMemory::new(all, share, PATIENCE_WITH_FILES);
        let inner = Inner {
            routes: Routes::new(interfaces)?,
            interfaces: interfaces.to_vec(),
            phase: watch::Sender::new(Phase::Serving),
            memory: Arc::new(memory),
            memory_for_files: Arc::new(memory_for_files),
            memory_for_encoded: Arc::new(memory_for_encoded),
            platform,
            options,
        };
        Ok(Self(Arc::new(inner), Mount::root()))
    }

    /// The site with its addresses below a prefix such as `/nil`: for a host that has it beside
    /// addresses of its own. It answers requests for whole paths (`/nil/api/…`); its links, its
    /// cookies' paths and its documents name the prefix. Links in mails begin with the setting
    /// `public_url`, which then ends with the prefix too. 422 for a prefix that is no plain path.
    pub fn at(&self, prefix: &str) -> Result<Self> {
        Ok(Self(self.0.clone(), Mount::at(prefix)?))
    }

    /// The prefix of [`at`](Self::at); empty without one.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.1.prefix()
    }

    /// Whether the site has this interface.
    #[must_use]
    pub fn has(&self, interface: Interface) -> bool {
        self.0.interfaces.contains(&interface)
    }

    /// Makes `/readyz` fail, so that proxies send new requests elsewhere. Everything else goes on.
    pub fn leave(&self) {
        self.enter(Phase::Leaving);
    }

    /// Makes `/readyz` fail and ends live streams; requests are still answered until the accept
    /// loop has drained.
    pub fn drain(&self) {
        self.enter(Phase::Draining);
    }

    /// No phase is entered again.
    fn enter(&self, next: Phase) {
        self.0.phase.send_modify(|phase| *phase = Ord::max(*phase, next));
    }

    /// Drains on the shutdown signal. Both servers call this for their site.
    pub fn drain_when(&self, mut shutdown: Shutdown) {
        let site = self.clone();
        tokio::spawn(async move {
            shutdown.said().await;
            site.drain();
        });
    }

    /// Whether the site is about to stop.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        *self.0.phase.borrow() > Phase::Serving
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.0
    }

    pub(super) fn mount(&self) -> &Mount {
        &self.1
    }

    /// The client's address.
    pub(super) fn client(&self, parts: &Parts) -> Option<IpAddr> {
        let peer = parts.extensions.get::<Peer>().map(|peer| peer.0.ip());
        let trusted = &self.0.platform.config().trusted_proxies;
        admission::client_address(peer, &parts.headers, trusted)
    }

    /// A place for a body, counted by account if one is known.
    pub(super) fn place(
        &self,
        limits: Limits,
        principal: Option<&Principal>,
        from: Option<IpAddr>,
    ) -> Place {
        let caller = match principal {
            Some(principal) if !principal.is_anonymous() => principal.actor(),
            _ => address_bucket(from),
        };
        let memory = match limits.load {
            Load::Plain => &self.0.memory,
            Load::Encoded => &self.0.memory_for_encoded,
            Load::File | Load::Stream => &self.0.memory_for_files,
        };
        memory.place(caller)
    }

    /// A live stream does not delay a shutdown; its client continues on another server.
    pub(super) fn ending_with_the_site(&self, mut reply: Reply) -> Reply {
        if let operation::Body::Events(events) = reply.body {
            let mut phase = self.0.phase.subscribe();
            reply.body = operation::Body::Events(events.until(async move {
                let _ = phase.wait_for(|phase| *phase == Phase::Draining).await;
            }));
        }
        reply
    }
}
