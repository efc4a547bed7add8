//! Fans follow athletes.

use crate::accounts::athletes::athlete::WhichAthlete;
use crate::accounts::store::{profile, record};
use crate::accounts::{FanProfile, UserKind};
use crate::auth::{Fan, User};
use crate::error::{Result, codes};
use crate::operation::{Cx, Done};

/// Follows a listed athlete; repeating it changes nothing. 404 if the athlete is not listed.
pub async fn follow(cx: Cx<Fan>, input: WhichAthlete) -> Result<Done<FanProfile>> {
    let mut work = cx.begin().await?;
    let caller = User {
        user_id: cx.caller.user_id,
        kind: UserKind::Fan,
        profile_id: cx.caller.id.get(),
        session: String::new(),
    };
    let found = record::relation(&mut work, input.athlete_id, &caller).await?;
    if !(found.active && found.listed) {
        return Err(codes::NOT_FOUND.into());
    }
    record::follow(&mut work, cx.caller.id, input.athlete_id, cx.now()).await?;
    work.note(cx.caller.id, "followed_athlete");
    let fan = profile::fan(&mut work, cx.caller.id).await?;
    work.done(fan).await
}

/// Stops following an athlete; no error if the fan did not follow them.
pub async fn unfollow(cx: Cx<Fan>, input: WhichAthlete) -> Result<Done<FanProfile>> {
    let mut work = cx.begin().await?;
    record::unfollow(&mut work, cx.caller.id, input.athlete_id).await?;
    work.note(cx.caller.id, "unfollowed_athlete");
    let fan = profile::fan(&mut work, cx.caller.id).await?;
    work.done(fan).await
}
