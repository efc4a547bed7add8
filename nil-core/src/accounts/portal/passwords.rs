//! Portal users replace their own password.

use schemars::JsonSchema;
use serde::Deserialize;

use super::signing_in::may_have_password;
use crate::accounts::signing_in::own_password::check_new;
use crate::accounts::store::portal_user as store;
use crate::accounts::two_step::with_password;
use crate::auth::{Audience, PortalUser, session};
use crate::calendar::keeping as calendar;
use crate::error::Result;
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

/// Replaces the caller's password, ends all of the caller's other sessions at once and revokes the
/// address of their calendar; the session of this request goes on. 422 if the current password is
/// wrong or the new one is the same, 403 `sign_on_required` if the institution has switched
/// passwords off.
pub async fn change(cx: Cx<PortalUser>, input: ChangePortalPassword) -> Result<Done<()>> {
    check_new(&input.password, &input.current_password)?;
    let id = cx.caller.id;
    let hash = cx.hash(input.password.expose()).await?;
    let (mut work, _) = with_password(&cx, id, &input.current_password).await?;
    may_have_password(&mut work, id).await?;
    store::set_password(&mut work, id, hash, cx.now()).await?;
    let own = &cx.caller.session;
    session::end_others(&mut work, Audience::Compliance, id.get(), own).await?;
    calendar::revoke_of_officer(&mut work, id).await?;
    work.note(id, "password_changed");
    work.done(()).await
}
