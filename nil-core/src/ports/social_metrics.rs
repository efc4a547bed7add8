//! The source of figures about accounts on social networks: how many followers an account has, and how they react.
//!
//! The networks give these figures only to registered services, under terms of their own. A host with access to one
//! connects it here; without a source, athletes and operators enter the figures by hand.

use std::future::Future;
use std::pin::Pin;

/// The figures of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// The number of followers.
    pub followers: i64,
    /// Reactions per follower and post in basis points, if the network tells.
    pub engagement_rate: Option<i64>,
}

/// The source did not answer, or its answer was unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage(pub String);

/// A future answer.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Outage>> + Send + 'a>>;

/// A source of figures. Each call ends within seconds: the operator who asked waits for it.
pub trait SocialMetrics: Send + Sync + 'static {
    /// The figures of the account with this handle (without `@`) on this network, such as `instagram`. `None`: the
    /// source knows no such account.
    fn figures<'a>(&'a self, network: &'a str, handle: &'a str) -> Later<'a, Option<Figures>>;
}
