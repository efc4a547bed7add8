//! Operators bar accounts and let them back in.

use super::store::user as store;
use super::{UserEvent, UserStatus, user};
use crate::auth::{Anyone, Audience, Principal, session};
use crate::error::Result;
use crate::kernel::{Machine as _, UserId};
use crate::operation::{Cx, Done, Work, run_typed};
use crate::platform::Platform;

/// Bars an account and ends its sessions at once, on every server. For the command line.
/// 404 where there is none, 409 where it is not active.
pub async fn suspend(platform: &Platform, user: UserId) -> Result<UserStatus> {
    change(platform, user, UserEvent::Suspend).await
}

/// Lets a suspended account back in. For the command line.
pub async fn restore(platform: &Platform, user: UserId) -> Result<UserStatus> {
    change(platform, user, UserEvent::Restore).await
}

async fn change(platform: &Platform, user: UserId, event: UserEvent) -> Result<UserStatus> {
    let nobody = Anyone(Principal::Anonymous);
    let operation = async |cx: Cx<Anyone>, (user, event)| -> Result<Done<UserStatus>> {
        let mut work = cx.begin().await?;
        let status = change_status(&mut work, user, event).await?;
        work.done(status).await
    };
    let done = run_typed(platform, nobody, "host".into(), operation, (user, event)).await?;
    Ok(done.into_inner())
}

/// Changes an account's state inside an operation, with its audit row. Whatever takes the account out
/// of use ends its sessions.
pub(crate) async fn change_status(
    work: &mut Work,
    user: UserId,
    event: UserEvent,
) -> Result<UserStatus> {
    let moved = store::status(work, user).await?.on(event)?;
    let now = work.now();
    store::change_status(work, user, moved, now).await?;
    if moved.to() != UserStatus::Active {
        session::end_all(work, Audience::Core, user.get()).await?;
    }
    work.note_change(
        user::subject(user),
        "status_changed",
        serde_json::json!({ "status": moved.from() }),
        serde_json::json!({ "status": moved.to() }),
    );
    Ok(moved.to())
}
