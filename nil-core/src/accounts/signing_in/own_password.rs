//! The password of somebody who is logged in and replaces it.

use crate::accounts::registering::check_password;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::kernel::Password;
use crate::operation::Cx;

/// 422 for a new password that is common, or the same as the current one.
pub(crate) fn check_new<const MIN: usize>(
    new: &Password<MIN>,
    current: &Password<1>,
) -> Result<()> {
    check_password(new.expose())?;
    if new.is(current) {
        return Err(Error::invalid("password", "must differ from the current one"));
    }
    Ok(())
}

/// 422 unless this is the caller's password, whose stored hash is given.
pub(crate) async fn check_current<C: Caller>(
    cx: &Cx<C>,
    current: &Password<1>,
    stored: Option<&str>,
) -> Result<()> {
    if cx.verify(current.expose(), stored).await? {
        Ok(())
    } else {
        Err(Error::invalid("current_password", "is not your password"))
    }
}
