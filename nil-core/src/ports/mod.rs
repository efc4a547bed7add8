//! Ports to the outside world, as small traits: mail and SMS (`courier`), language model (`model`), file storage
//! (`objects`), payment processor (`processor`), figures of social networks (`social_metrics`). The configuration selects the implementation; no other code depends on
//! which one runs.

pub mod courier;
pub mod model;
pub mod objects;
pub mod processor;
pub mod social_metrics;
