//! Serializes log-in attempts per account, across addresses and servers. Otherwise a hundred
//! parallel guesses would wait no longer than one.
//!
//! Networks from which the account's password was given before have queues of their own, so
//! strangers cannot keep an account from logging in where it always does. `docs/operating.md` says
//! what is kept for that.

use std::net::IpAddr;
use std::time::Duration;

use chrono::TimeDelta;
use ipnet::IpNet;

use crate::accounts::store::attempt::{self as store, Known};
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::{Email, Time, Wait};
use crate::operation::{Cx, Work};
use crate::platform::Platform;

/// Wrong passwords allowed before delays begin.
const FREE_FAILURES: i64 = 5;
/// The longest delay added by one attempt.
const LONGEST_DELAY: TimeDelta = TimeDelta::seconds(4);
/// The longest total wait of an attempt: for earlier attempts and its own delay.
const LONGEST_WAIT: TimeDelta = TimeDelta::seconds(16);
/// The wait for a turn.
const TURN: Wait = Wait::of(LONGEST_WAIT);

/// How long a network is known after the last log-in from it.
const KNOWN_FOR: TimeDelta = TimeDelta::days(90);
/// How much later a log-in is noted again.
const NOTED_EVERY: TimeDelta = TimeDelta::days(1);

/// An attempt that has waited its turn. It counts as a failure until the password proves right.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// The key of its queue: the account's, or that of the account and a known network.
    queue: String,
    from: Option<Whence>,
    /// When the account last logged in from there.
    seen_at: Option<Time>,
}

/// An account and a network that claims it, as keyed hashes: the typed e-mail can be any text.
#[derive(Debug)]
struct Whence {
    account: String,
    network: String,
}

impl Whence {
    fn new(
        platform: &Platform,
        interface: &str,
        email: &str,
        address: Option<IpAddr>,
    ) -> Option<Self> {
        let network = IpNet::from(address?.to_canonical());
        // A household or a telephone changes its address within such a network of IPv6.
        let size = if network.addr().is_ipv6() { 64 } else { 32 };
        let network = IpNet::new(network.addr(), size).ok()?.trunc();
        let account = mark(platform, interface, email);
        let network = platform.vault().mark("log_in_from", &format!("{account}@{network}"));
        Some(Self { account, network })
    }

    async fn note(self, work: &mut Work) -> Result<()> {
        let now = work.now();
        let known = Known { account: self.account, network: self.network };
        store::remember(work, &known, now).await
    }
}

/// The key of an account's attempts.
fn mark(platform: &Platform, interface: &str, email: &str) -> String {
    platform.vault().mark("log_in", &format!("{interface}:{email}"))
}

impl Attempt {
    /// The password was right: forgets the failures of its queue, and remembers where the account
    /// logs in.
    pub(super) async fn succeeds(self, work: &mut Work) -> Result<()> {
        store::forget_failures(work, &self.queue).await?;
        let is_fresh = self.seen_at.is_some_and(|seen| seen > work.now() - NOTED_EVERY);
        match self.from.filter(|_| !is_fresh) {
            Some(from) => from.note(work).await,
            None => Ok(()),
        }
    }
}

/// Remembers where the owner of an account proved to be without a password: by a mailed code or
/// link.
pub(crate) async fn remember_owner(work: &mut Work, interface: &str, email: &str) -> Result<()> {
    let address = work.facts().address;
    match Whence::new(work.platform(), interface, email, address) {
        Some(from) => from.note(work).await,
        None => Ok(()),
    }
}

/// Forgets where a person who leaves has logged in.
pub async fn forget(work: &mut Work, email: &str) -> Result<()> {
    let account = mark(work.platform(), "core", email);
    store::forget_networks(work, &account).await
}

/// Counts an attempt and waits for its turn: after earlier attempts of its queue, and longer the
/// more failures there were. It reads no account, so an unknown e-mail takes the same time. 429
/// `throttled` if the wait would exceed the limit.
pub(crate) async fn wait_for_turn(
    cx: &Cx<Anyone>,
    interface: &str,
    email: &Email,
) -> Result<Attempt> {
    let platform = cx.platform();
    let from = Whence::new(platform, interface, email, cx.facts().address);
    let mut session = platform.db().begin().await?;
    let seen_at = match &from {
        Some(from) => {
            let since = cx.now() - KNOWN_FOR;
            store::seen(&mut session, &from.account, &from.network, since).await?
        }
        None => None,
    };
    let known = from.as_ref().filter(|_| seen_at.is_some()).map(|from| from.network.clone());
    let queue = known.unwrap_or_else(|| mark(platform, interface, email));
    let next = store::lock_turn(&mut session, &queue, cx.now()).await?;
    let now = platform.now();
    let failures = store::failures(&mut session, &queue, now).await?;
    let begins = if TURN.is_over(next, now) { now } else { next };
    let answered = begins + delay(failures);
    if answered - now > LONGEST_WAIT {
        let seconds = u64::try_from((begins - now).num_seconds()).unwrap_or_default();
        let refusal = codes::THROTTLED.saying("Too many attempts to log in to this account.");
        return Err(Error::retry_after(refusal, seconds.max(1)));
    }
    store::note(&mut session, &queue, now).await?;
    store::set_turn(&mut session, &queue, answered).await?;
    session.commit().await?;
    let wait: Duration = (answered - now).to_std().unwrap_or_default();
    tokio::time::sleep(wait).await;
    Ok(Attempt { queue, from, seen_at })
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
