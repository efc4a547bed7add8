//! x

pub mod contracts;
