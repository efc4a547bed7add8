//! The parts shared by all frontends. Depends on `http` and `hyper`, not on a framework.
//!
//! A frontend passes each request to [`Site::answer`] and sends the response (`site`, `answer`).
//! `accept` runs the listeners and limits connections (`connection_limits`, `framing`, `stalling`).
//! `answer` finds the route (`routes`) or a page beside the operations (`pages`, `docs`,
//! `monitoring`, `mail_pages`, those of a host through `visit`) below the prefix of its `mount`,
//! then `door` performs the checks in the contract's order with `admission` (throttles,
//! credentials, CSRF) and `signed` (model hosts). `incoming` and `form` read the body within the
//! memory of `body_memory`. The dispatcher in `catalog` runs the operation, and `response`,
//! `compress` and `cors` build the response.

mod accept;
mod admission;
mod answer;
mod arriving;
mod body_memory;
mod compress;
mod connection_limits;
mod cors;
mod docs;
mod door;
mod form;
mod framing;
mod incoming;
mod index;
mod languages;
mod lingering;
mod mail_pages;
mod metrics;
mod monitoring;
mod mount;
mod pages;
mod ranges;
mod response;
mod routes;
mod sandbox_pages;
mod signed;
mod site;
mod span;
mod stalling;
mod tags;
mod visit;

use nil_domain::{catalog, content, payments, webhooks, worker};
use nil_ground::{
    auth, config, error, kernel, keys, metering, notifications, operation, platform, ports,
    schedule, throttle, wording,
};

pub use crate::schedule::Shutdown;
pub use accept::serve;
pub use form::{Sent, SentFile};
pub use framing::Fault;
pub use languages::preferred;
pub use metrics::{Metrics, Readers};
pub use response::Outgoing;
pub use site::{Peer, Site, SiteOptions};
pub use visit::{Desk, PageFile, Pages, Visit};
