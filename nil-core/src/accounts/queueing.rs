//! Attempts to log in to one account wait for each other, whatever addresses and servers they come from:
//! otherwise a hundred guesses at once would wait no longer than one.

use std::time::Duration;

use chrono::TimeDelta;

use super::store::attempt as store;
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::Email;
use crate::operation::Cx;

/// Wrong passwords that pass without delay.
const FREE_FAILURES: i64 = 5;
/// The longest delay of one attempt.
const LONGEST_DELAY: TimeDelta = TimeDelta::seconds(4);
/// How long an attempt waits for those before it and its own delay.
const LONGEST_WAIT: TimeDelta = TimeDelta::seconds(16);

/// An attempt that has had its wait. It counts as a failure until the right password is seen.
#[derive(Debug)]
pub(super) struct Attempt {
    /// What the account's attempts are kept under: a mark, since what is typed as an e-mail may be
    /// anything.
    pub account: String,
}

/// Counts an attempt and waits until it is its turn: later the more failures there were, and after
/// those that came before it. It looks at no account, so that it takes the same time for an e-mail that
/// nobody has. 429 `throttled` where the queue is longer than anybody should wait.
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
    let begins = next.max(now);
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

/// How much later an attempt is answered after so many failures.
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
