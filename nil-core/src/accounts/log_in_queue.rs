//! Serializes log-in attempts per account, across addresses and servers. Otherwise a hundred parallel guesses
//! would wait no longer than one.

use std::time::Duration;

use chrono::TimeDelta;

use super::store::attempt as store;
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::{Email, Wait};
use crate::operation::Cx;

/// Wrong passwords allowed before delays begin.
const FREE_FAILURES: i64 = 5;
/// The longest delay added by one attempt.
const LONGEST_DELAY: TimeDelta = TimeDelta::seconds(4);
/// The longest total wait of an attempt: for earlier attempts and its own delay.
const LONGEST_WAIT: TimeDelta = TimeDelta::seconds(16);
/// The wait for a turn.
const TURN: Wait = Wait::of(LONGEST_WAIT);

/// An attempt that has waited its turn. It counts as a failure until the password proves right.
#[derive(Debug)]
pub(super) struct Attempt {
    /// The key of the account's attempts: a keyed hash, because the typed e-mail can be any text.
    pub account: String,
}

/// Counts an attempt and waits for its turn: after earlier attempts, and longer the more failures there were.
/// It reads no account, so an unknown e-mail takes the same time. 429 `throttled` if the wait would exceed
/// the limit.
pub(super) async fn wait_for_turn(
    cx: &Cx<Anyone>,
    interface: &str,
    email: &Email,
) -> Result<Attempt> {
    let platform = cx.platform();
    let account = platform.vault().mark("log_in", &format!("{interface}:{}", &**email));
    let mut session = platform.db().begin().await?;
    let next = store::hold_turn(&mut session, &account, cx.now()).await?;
    let now = platform.now();
    let failures = store::failures(&mut session, &account, now).await?;
    let begins = if TURN.is_over(next, now) { now } else { next };
    let answered = begins + delay(failures);
    if answered - now > LONGEST_WAIT {
        let seconds = u64::try_from((begins - now).num_seconds()).unwrap_or_default();
        let refusal = codes::THROTTLED.saying("Too many attempts to log in to this account.");
        return Err(Error::retry_after(refusal, seconds.max(1)));
    }
    store::note(&mut session, &account, now).await?;
    store::set_turn(&mut session, &account, answered).await?;
    session.commit().await?;
    let wait: Duration = (answered - now).to_std().unwrap_or_default();
    tokio::time::sleep(wait).await;
    Ok(Attempt { account })
}

/// The delay of an attempt after this many failures.
fn delay(failures: i64) -> TimeDelta {
    let over = failures.saturating_sub(FREE_FAILURES);
    if over < 0 {
        return TimeDelta::zero();
    }
    let doublings = u32::try_from(over).unwrap_or(u32::MAX).min(4);
    let millis = 250_i64.saturating_mul(2_i64.saturating_pow(doublings));
    TimeDelta::milliseconds(millis).min(LONGEST_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_delayed_after_five_failures_and_never_more_than_four_seconds() {
        let millis = |failures| delay(failures).num_milliseconds();
        assert_eq!((millis(0), millis(4)), (0, 0));
        assert_eq!((millis(5), millis(6), millis(8)), (250, 500, 2_000));
        assert_eq!((millis(9), millis(1_000)), (4_000, 4_000));
    }
}
