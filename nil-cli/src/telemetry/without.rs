//! A build without the feature `telemetry`: it refuses to be told of a collector.

use std::future::Ready;

use tracing_subscriber::filter::Targets;

use super::{Collector, Layered};
use crate::failure::Failure;

/// What this build never has.
pub(crate) enum Sending {}

impl Sending {
    pub(crate) fn end(self) -> Ready<()> {
        match self {}
    }
}

pub(crate) fn begin(_: &Collector, _: &Targets) -> Result<(Sending, Vec<Layered>), Failure> {
    let why = "telemetry.endpoint: this nil was built without the feature `telemetry`";
    Err(Failure::Usage(why.to_owned()))
}
