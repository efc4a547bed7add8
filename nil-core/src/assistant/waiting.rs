//! The waiting list for the assistant's future features.

use schemars::JsonSchema;
use serde::Serialize;

use super::store::message as store;
use crate::auth::Athlete;
use crate::error::Result;
use crate::kernel::{Nothing, Time};
use crate::operation::{Cx, Done};

/// Whether the athlete is on the waiting list.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Waiting {
    /// Whether they are.
    pub joined: bool,
    /// When the athlete joined.
    pub joined_at: Option<Time>,
}

impl From<Option<Time>> for Waiting {
    fn from(joined_at: Option<Time>) -> Self {
        Self { joined: joined_at.is_some(), joined_at }
    }
}

/// Joins the waiting list (extension); repeating it changes nothing.
pub async fn join(cx: Cx<Athlete>, _: Nothing) -> Result<Done<Waiting>> {
    let mut work = cx.begin().await?;
    let athlete = cx.caller.id;
    if store::join_waitlist(&mut work, athlete, cx.now()).await? {
        work.note(athlete, "joined_assistant_waitlist");
    }
    let since = store::waiting_since(&mut work, athlete).await?;
    work.done(Waiting::from(since)).await
}

/// Returns whether the calling athlete is on the waiting list (extension).
pub async fn show(cx: Cx<Athlete>, _: Nothing) -> Result<Waiting> {
    let mut session = cx.read().await?;
    let since = store::waiting_since(&mut session, cx.caller.id).await?;
    Ok(Waiting::from(since))
}
