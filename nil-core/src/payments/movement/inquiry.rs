//! Asks the processor again about movements with an unknown outcome. It first looks the movement up
//! by its idempotency key. Only a movement that never arrived is sent again, and only while the
//! processor still remembers keys: under a forgotten key, money would move twice.

use chrono::TimeDelta;

use super::Movement;
use crate::kernel::Time;
use crate::platform::Platform;
use crate::ports::processor::{Outage, Outcome};

/// How long a movement is sent again under its key. Processors remember keys for 24 hours; one hour
/// is reserved for clock differences and requests in flight.
const SENT_AGAIN_FOR: TimeDelta = TimeDelta::hours(23);
/// The failure code of a movement that is unknown to the processor and too old to be sent again.
pub(in crate::payments) const NEVER_ARRIVED: &str = "never_arrived";

/// The outcome of a movement that was first requested at `since`. `None` if it is still unknown.
pub(in crate::payments) async fn ask_again<M: Movement>(
    platform: &Platform,
    movement: &M,
    since: Time,
) -> Option<Outcome> {
    let key = movement.key();
    match platform.processor().find(&key).await {
        Ok(Some(found)) => Some(found.outcome),
        Ok(None) if platform.now() - since < SENT_AGAIN_FOR => movement.ask(platform).await,
        Ok(None) => Some(Outcome::Failed(String::new(), NEVER_ARRIVED.into())),
        Err(Outage(why)) => {
            tracing::warn!(why, key, "the payment processor did not answer");
            None
        }
    }
}

/// The processor's id of a movement; `None` if the processor never heard of it.
pub(in crate::payments) fn name_of(name: &str) -> Option<&str> {
    Some(name).filter(|name| !name.is_empty())
}
