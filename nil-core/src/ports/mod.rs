//! Ports to the outside world, as small traits: mail and SMS (`courier`), language model (`model`), file storage
//! (`objects`), payment processor (`processor`). The configuration selects the implementation; no other code depends on
//! which one runs.

pub mod courier;
pub mod model;
pub mod objects;
pub mod processor;
