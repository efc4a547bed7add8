//! Ports to the outside world, as small traits: mail and SMS (`courier`), language model (`model`),
//! file storage (`objects`), payment processor (`processor`), figures and posts of social networks
//! (`social_metrics`), identity providers (`identity`). The configuration selects the
//! implementation; no other code depends on which one runs. `outbound` is the client for addresses
//! that users have written; `traces` tells other services of which trace a request is part.

pub mod courier;
pub mod identity;
pub mod model;
pub mod objects;
pub mod outbound;
pub mod processor;
pub mod social_metrics;
pub mod traces;
