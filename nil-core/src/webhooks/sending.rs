//! The worker sends what is due. Each endpoint has turns of its own, and many have theirs at once.
//!
//! Endpoints that did not answer last time, and the endpoints of one owner, never have all turns:
//! those that answer do not wait for those that do not.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use futures::future::{BoxFuture, FutureExt as _};
use futures::stream::{FuturesUnordered, StreamExt as _};

use super::ending;
use super::endpoint::{DisabledWhy, Owner};
use super::settling::settle;
use super::store::delivery::DueDelivery;
use super::store::endpoint::{Claimed, DueEndpoint};
use super::store::{delivery, endpoint};
use crate::error::Result;
use crate::kernel::{Time, WebhookEndpointId};
use crate::keys::WebhookSecret;
use crate::operation::Work;
use crate::platform::Platform;
use crate::ports::outbound::Answer;
use crate::schedule::due::Failed;

/// The number of endpoints that are sent to at once.
const AT_ONCE: usize = 24;
/// How many of them may be endpoints that did not answer last time.
const FAILING_AT_ONCE: usize = 8;
/// How many of them may be one owner's.
const OWN_AT_ONCE: usize = 3;
/// The number of deliveries in a turn.
const IN_A_TURN: usize = 20;
/// No delivery of a turn begins later than this.
const TURN: Duration = Duration::from_secs(15);
/// How long an endpoint is reserved for a turn: longer than a turn can take.
const RESERVED: TimeDelta = TimeDelta::minutes(2);
/// How long an endpoint has no turn after a failed try; shorter than the pause before the next try.
const REST: TimeDelta = TimeDelta::seconds(4);
/// A run of the task begins no turn later than this, so that a server can stop.
const RUN: Duration = Duration::from_secs(30);
/// How soon a run looks again for what has become due.
const LOOK: Duration = Duration::from_secs(1);

/// What is known of an endpoint that has its turn.
#[derive(Clone, Copy)]
struct Busy {
    owner: Owner,
    is_failing: bool,
}

/// The turns that are under way.
struct Turns<'p> {
    platform: &'p Platform,
    under_way: FuturesUnordered<BoxFuture<'p, (WebhookEndpointId, Result<usize>)>>,
    busy: BTreeMap<WebhookEndpointId, Busy>,
    /// Those whose turn failed here, as when the database was away: the next run tries them again.
    left: Vec<WebhookEndpointId>,
}

/// Sends what is due; returns how many deliveries arrived. For the worker; any number of workers
/// may run it concurrently.
pub async fn deliver(platform: &Platform) -> Result<usize> {
    let begun = Instant::now();
    let mut turns = Turns {
        platform,
        under_way: FuturesUnordered::new(),
        busy: BTreeMap::new(),
        left: Vec::new(),
    };
    let (mut arrived, mut failed) = (0, Failed::default());
    loop {
        let goes_on = begun.elapsed() < RUN;
        if goes_on {
            turns.begin().await?;
        }
        if turns.busy.is_empty() {
            return failed.or(arrived);
        }
        tokio::select! {
            Some((id, done)) = turns.under_way.next() => {
                turns.busy.remove(&id);
                match done {
                    Ok(some) => arrived += some,
                    Err(error) => {
                        turns.left.push(id);
                        failed.note("endpoint of webhooks", id, error)?;
                    }
                }
            }
            () = platform.bells().webhooks.notified(), if goes_on => {}
            () = tokio::time::sleep(LOOK), if goes_on => {}
        }
    }
}

/// How long the oldest event that an endpoint has not taken has waited, in seconds.
pub async fn waiting_since(platform: &Platform) -> Result<i64> {
    let mut session = platform.db().read().await?;
    let oldest = delivery::oldest_waiting(&mut session).await?;
    Ok(oldest.map_or(0, |oldest| (platform.now() - oldest).num_seconds().max(0)))
}

impl Turns<'_> {
    /// Begins the turns for which there is room.
    async fn begin(&mut self) -> Result<()> {
        if self.busy.len() >= AT_ONCE {
            return Ok(());
        }
        let platform = self.platform;
        let mut session = platform.db().read().await?;
        let now = platform.now();
        if !delivery::any_due(&mut session, now).await? {
            return Ok(());
        }
        let due = endpoint::due(&mut session, now).await?;
        drop(session);
        for one in due {
            let busy = Busy { owner: one.owner()?, is_failing: one.is_failing };
            if self.has_room(&one, busy.owner) {
                self.busy.insert(one.id, busy);
                let id = one.id;
                let turn = async move { (id, turn(platform, id).await) };
                self.under_way.push(turn.boxed());
            }
        }
        Ok(())
    }

    fn has_room(&self, one: &DueEndpoint, owner: Owner) -> bool {
        let count = |which: &dyn Fn(&Busy) -> bool| self.busy.values().filter(|b| which(b)).count();
        let known = self.busy.contains_key(&one.id) || self.left.contains(&one.id);
        !known
            && self.busy.len() < AT_ONCE
            && count(&|busy| busy.owner == owner) < OWN_AT_ONCE
            && !(one.is_failing && count(&|busy| busy.is_failing) >= FAILING_AT_ONCE)
    }
}

/// One turn of an endpoint, unless another server has it; returns how many deliveries arrived. It
/// ends at the first that does not arrive.
async fn turn(platform: &Platform, id: WebhookEndpointId) -> Result<usize> {
    let now = platform.now();
    let mut session = platform.db().begin().await?;
    let claimed = endpoint::claim(&mut session, id, (now + RESERVED, now)).await?;
    let is_in_use = match &claimed {
        Some(claimed) => endpoint::is_in_use(&mut session, claimed.owner()?).await?,
        None => false,
    };
    session.commit().await?;
    let Some(claimed) = claimed else { return Ok(0) };
    if !is_in_use || !claimed.enabled || claimed.overflowed_at.is_some() {
        return give_up(platform, &claimed).await;
    }
    let begun = Instant::now();
    let (mut arrived, mut rest) = (0, None);
    while arrived < IN_A_TURN && begun.elapsed() < TURN {
        let mut session = platform.db().read().await?;
        let due = delivery::next(&mut session, id, platform.now()).await?;
        drop(session);
        let Some(due) = due else { break };
        let answer = send(platform, &claimed, &due).await?;
        if !settle(platform, &claimed, &due, answer).await? {
            rest = Some(platform.now() + REST);
            break;
        }
        arrived += 1;
    }
    let mut session = platform.db().begin().await?;
    endpoint::release(&mut session, id, rest).await?;
    session.commit().await?;
    Ok(arrived)
}

/// Gives up what waits for an endpoint that is off, that is too far behind, or whose owner's
/// account is suspended or closed.
async fn give_up(platform: &Platform, claimed: &Claimed) -> Result<usize> {
    let mut work = Work::resume(platform, "core.webhook.save", None).await?;
    endpoint::release(&mut work, claimed.id, None).await?;
    if !claimed.enabled {
        delivery::end_waiting(&mut work, claimed.id, "the endpoint was switched off").await?;
    } else if claimed.overflowed_at.is_some() {
        let of = (claimed.id, claimed.url.as_str());
        ending::end(&mut work, of, claimed.owner()?, DisabledWhy::Overflow).await?;
    } else {
        delivery::end_waiting(&mut work, claimed.id, "the account is not in use").await?;
    }
    work.done(()).await?;
    Ok(0)
}

/// Sends a delivery; an error is one of ours, and the reason why there is no answer is not.
async fn send(
    platform: &Platform,
    to: &Claimed,
    due: &DueDelivery,
) -> Result<Result<Answer, String>> {
    let at = platform.now();
    let headers = [
        ("content-type", "application/json".to_owned()),
        ("webhook-id", due.message_id.clone()),
        ("webhook-timestamp", at.timestamp().to_string()),
        ("webhook-signature", signatures(platform, to, due, at)?),
    ];
    Ok(platform.webhooks()?.post(&to.url, &headers, due.body.clone()).await)
}

/// The signatures of a try: one for each secret that is in force.
fn signatures(platform: &Platform, to: &Claimed, due: &DueDelivery, at: Time) -> Result<String> {
    let context = to.owner()?.context();
    let old =
        to.sealed_old_secret.as_ref().filter(|_| to.old_secret_until.is_some_and(|end| at < end));
    let mut signatures = Vec::new();
    for sealed in [Some(&to.sealed_secret), old].into_iter().flatten() {
        let secret = WebhookSecret::of_bytes(platform.vault().open(&context, sealed)?);
        signatures.push(secret.sign(&due.message_id, at, &due.body));
    }
    Ok(signatures.join(" "))
}
