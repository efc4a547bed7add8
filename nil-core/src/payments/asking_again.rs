//! Asking the processor again for what is written down and whose outcome is not known. It is found by
//! its key first. Only what never arrived is sent once more, and only while the processor still knows
//! keys: sent under a key that it has forgotten, money would move twice.

use chrono::TimeDelta;

use crate::kernel::Time;
use crate::platform::Platform;
use crate::ports::processor::{Outage, Outcome};

/// For how long something is sent again under its key. Processors remember keys for a day; the last
/// hour is left to clocks that differ and to calls that are on their way.
const SENT_AGAIN_FOR: TimeDelta = TimeDelta::hours(23);
/// Why something fails that the processor does not know and that is too old to be sent again.
pub(super) const NEVER_ARRIVED: &str = "never_arrived";

/// The outcome of what was first asked for at `since` under `key`; `send` asks for it once more. `None`
/// where it is still not known.
pub(super) async fn ask_again(
    platform: &Platform,
    key: &str,
    since: Time,
    send: impl Future<Output = Option<Outcome>>,
) -> Option<Outcome> {
    match platform.processor().find(key).await {
        Ok(Some(movement)) => Some(movement.outcome),
        Ok(None) if platform.now() - since < SENT_AGAIN_FOR => send.await,
        Ok(None) => Some(Outcome::Failed(String::new(), NEVER_ARRIVED.into())),
        Err(Outage(why)) => {
            tracing::warn!(why, key, "the payment processor did not answer");
            None
        }
    }
}

/// The processor's name for a movement; none where it has never heard of it.
pub(super) fn name_of(name: &str) -> Option<&str> {
    Some(name).filter(|name| !name.is_empty())
}
