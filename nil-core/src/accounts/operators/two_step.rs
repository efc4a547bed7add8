//! What two-step log-in is to operators beside what it is to all (`accounts/two_step.rs`): a
//! password that is enough alone is longer, and a platform may require both steps.

use crate::accounts::two_step::{self, BothSteps};
use crate::auth::Operator;
use crate::error::{Error, Result, codes};
use crate::kernel::Password;
use crate::operation::{Cx, Done};

/// The shortest password of an operator without two-step log-in.
const SHORTEST_ALONE: usize = 15;

/// Turns the caller's two-step log-in off. 422 if the password is wrong or too short to be enough
/// alone (15 characters), 401 `totp_invalid` for a wrong code, 409 `totp_not_on`, 409
/// `totp_compulsory` if this platform requires it.
pub async fn turn_off(cx: Cx<Operator>, input: BothSteps) -> Result<Done<()>> {
    if cx.platform().config().operators_need_totp {
        return Err(codes::TOTP_COMPULSORY.into());
    }
    enough_alone("current_password", &input.current_password)?;
    two_step::turn_off(cx, input).await
}

/// 422 for a password that is too short without a second step.
pub(super) fn enough_alone<const MIN: usize>(
    field: &'static str,
    password: &Password<MIN>,
) -> Result<()> {
    if password.expose().chars().count() < SHORTEST_ALONE {
        let why = "must be 15 to 128 characters long without two-step log-in";
        return Err(Error::invalid(field, why));
    }
    Ok(())
}
