//! The tokens of a user's feeds: clients poll them cheaply to find out which feeds have changed.

use schemars::JsonSchema;
use serde::Serialize;

use super::store::activity as store;
use crate::auth::User;
use crate::error::Result;
use crate::feed::FeedKind;
use crate::kernel::{Nothing, Time};
use crate::operation::Cx;

/// A feed and the token of its current state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ActivityToken {
    /// The feed.
    pub activity: FeedKind,
    /// An opaque value that changes whenever the feed changes.
    pub token: String,
    /// When the feed last changed; the account's creation if nothing has happened yet.
    pub updated_at: Time,
}

/// The token of each of the caller's feeds. If a token is unchanged, the client need not fetch the
/// feed.
pub async fn tokens(cx: Cx<User>, _: Nothing) -> Result<Vec<ActivityToken>> {
    let mut session = cx.read().await?;
    let user = cx.caller.user_id;
    let begun = store::begun(&mut session, user).await?;
    let known = store::of_user(&mut session, user).await?;
    let token = |activity: &FeedKind| {
        let known = known.iter().find(|(known, ..)| known == activity);
        match known {
            Some((activity, token, updated_at)) => {
                ActivityToken { activity: *activity, token: token.clone(), updated_at: *updated_at }
            }
            None => ActivityToken { activity: *activity, token: "0".into(), updated_at: begun },
        }
    };
    Ok(FeedKind::ALL.iter().map(token).collect())
}
