//! Portal users replace their own password.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::accounts::signing_in::own_password::{check_current, check_new};
use crate::accounts::store::portal_user as store;
use crate::auth::{Audience, PortalUser, session};
use crate::error::{Result, codes};
use crate::kernel::Password;
use crate::operation::{Cx, Done};

/// The current and the new password of a portal user.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChangePortalPassword {
    /// The current password.
    #[schemars(extend("examples" = ["a long enough passphrase"]))]
    pub current_password: Password<1>,
    /// The new password: 12 to 128 characters, and not a common one.
    #[schemars(extend("examples" = ["a new and longer passphrase"]))]
    pub password: Password<12>,
}

/// Replaces the caller's password and ends all of the caller's other sessions at once; the one of
/// this request goes on. 422 if the current password is wrong or the new one is the same.
pub async fn change(cx: Cx<PortalUser>, input: ChangePortalPassword) -> Result<Done<()>> {
    check_new(&input.password, &input.current_password)?;
    let id = cx.caller.id;
    let mut session = cx.read().await?;
    let before = store::password_of(&mut session, id).await?;
    drop(session);
    check_current(&cx, &input.current_password, before.as_deref()).await?;
    let hash = cx.hash(input.password.expose()).await?;
    let mut work = cx.begin().await?;
    if !store::replace_password(&mut work, id, (before, hash), cx.now()).await? {
        // The user was disabled or the password changed since it was read: retry.
        return Err(codes::AGAIN.into());
    }
    let own = &cx.caller.session;
    session::end_others(&mut work, Audience::Compliance, id.get(), own).await?;
    work.note(id, "password_changed");
    work.done(()).await
}
