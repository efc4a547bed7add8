//! The outside world, behind small traits. Configuration chooses the adapter; nothing else in the
//! code knows which one runs.

pub mod courier;
pub mod model;
pub mod objects;
pub mod processor;
