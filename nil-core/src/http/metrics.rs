//! The figures of this process, and who may read them.

use std::sync::Arc;

use crate::kernel::Secret;

/// The figures of this process, and who may read them.
#[derive(Clone)]
pub struct Metrics {
    /// Renders them as Prometheus text.
    pub render: Arc<dyn Fn() -> String + Send + Sync>,
    /// Who may read them.
    pub readers: Readers,
}

/// Who may read the figures of a process: they tell how busy a platform is, and with what.
#[derive(Clone, Debug)]
pub enum Readers {
    /// Whoever reaches the listener: for one of its own.
    Anyone,
    /// Whoever presents this bearer token.
    Token(Secret),
    /// Programs on this machine, but no proxy on it: requests that name another client are refused.
    ThisMachine,
}
