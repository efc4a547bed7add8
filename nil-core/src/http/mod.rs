//! What every frontend shares: one route table, request → call, reply → response, error → status,
//! the pages beside the operations, and the accept loop. Knows `http` and `hyper`, no framework.
//!
//! A frontend hands each request to [`Site::answer`] and sends what comes back.

mod accept;
mod admission;
mod answer;
mod arriving;
mod compress;
mod cors;
mod docs;
mod door;
mod form;
mod framing;
mod guests;
mod incoming;
mod pages;
mod response;
mod room;
mod routes;
mod signed;
mod stalling;

pub use crate::schedule::Shutdown;
pub use accept::serve;
pub use answer::{Peer, Site, SiteOptions};
pub use framing::Fault;
pub use response::Outgoing;
