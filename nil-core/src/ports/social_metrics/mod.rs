//! The source of facts about social networks: how many followers an account has and how they react,
//! and whether a post is still there.
//!
//! The networks give figures only to registered services, under terms of their own. A host with
//! access to one connects it here; without a source, athletes and operators enter the figures by
//! hand, and posts count as unchecked. [`Pages`] looks at posts as any reader does, and [`Sandbox`]
//! is the substitute for trying out.

mod pages;
mod sandbox;

use std::future::Future;
use std::pin::Pin;

pub use pages::Pages;
pub use sandbox::Sandbox;

/// The figures of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// The number of followers.
    pub followers: i64,
    /// Reactions per follower and post in basis points, if the network tells.
    pub engagement_rate: Option<i64>,
}

/// What a source sees of a post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    /// It is there.
    There {
        /// Its caption; `None` if the source cannot read it.
        caption: Option<String>,
    },
    /// It is not there any more.
    Gone,
    /// The source cannot tell, for this reason, in a sentence.
    Unknown(String),
}

/// The source did not answer, or its answer was unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage(pub String);

/// A future answer.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Outage>> + Send + 'a>>;

/// A source of facts about accounts and posts. Each call ends within seconds: the operator who
/// asked for figures waits for them.
pub trait SocialMetrics: Send + Sync + 'static {
    /// The figures of the account with this handle (without `@`) on this network, such as
    /// `instagram`. `None`: the source knows no such account.
    fn figures<'a>(&'a self, network: &'a str, handle: &'a str) -> Later<'a, Option<Figures>>;

    /// Whether it has figures at all; without them they are entered by hand.
    fn has_figures(&self) -> bool {
        true
    }

    /// What is to be seen of the post at this address on this network. A source that does not look
    /// at posts cannot tell.
    fn post<'a>(&'a self, _network: &'a str, _url: &'a str) -> Later<'a, Look> {
        let why = "The source of social media figures does not look at posts.";
        Box::pin(async move { Ok(Look::Unknown(why.to_owned())) })
    }
}
