//! Banks can return a payout days after it arrived. The processor sends an event; because events
//! can be lost, every `paid` payout is also looked up: daily for a week, then every third day until
//! a month has passed.

use chrono::TimeDelta;

use super::payout::Payout;
use super::settling_payouts::BankTransfer;
use crate::error::Result;
use crate::kernel::Time;
use crate::operation::Work;
use crate::payments::movement::{ask_again, counted, end};
use crate::payments::store;
use crate::platform::Platform;
use crate::ports::processor::Outcome;

/// How long a payout is looked up after it has arrived.
const WATCHED_FOR: TimeDelta = TimeDelta::days(30);
/// How long it is looked up daily.
const CLOSELY_FOR: TimeDelta = TimeDelta::days(7);

/// Looks up the payouts that are due; returns how many had been returned.
pub(crate) async fn reconcile(platform: &Platform) -> Result<usize> {
    let now = platform.now();
    let mut session = platform.db().read().await?;
    let watched = store::payout::watched(&mut session, now).await?;
    drop(session);
    let mut returned = 0;
    for payout in watched {
        let transfer = BankTransfer::from(payout.clone());
        let heard = ask_again(platform, &transfer).await?;
        match heard.outcome {
            Some(Outcome::Failed { .. }) => {
                returned += counted(end(platform, &transfer, &heard).await);
            }
            _ => look_again(platform, &payout, now).await?,
        }
    }
    Ok(returned)
}

async fn look_again(platform: &Platform, payout: &Payout, now: Time) -> Result<()> {
    let mut work = Work::resume(platform, "admin.payout.trigger", None).await?;
    store::payout::watch(&mut work, payout.id, next_look(payout.updated_at, now)).await?;
    work.done(()).await?;
    Ok(())
}

/// When a payout that arrived at `arrived` is next looked up after `now`.
fn next_look(arrived: Time, now: Time) -> Option<Time> {
    let pause = if now - arrived < CLOSELY_FOR { TimeDelta::days(1) } else { TimeDelta::days(3) };
    Some(now + pause).filter(|next| *next - arrived <= WATCHED_FOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payout_is_looked_at_often_at_first_and_no_longer_than_a_month() {
        let arrived: Time = "2026-11-01T12:00:00Z".parse().unwrap();
        let mut days = Vec::new();
        let mut at = arrived + TimeDelta::days(1);
        loop {
            days.push((at - arrived).num_days());
            match next_look(arrived, at) {
                Some(next) => at = next,
                None => break,
            }
        }
        assert_eq!(days, [1, 2, 3, 4, 5, 6, 7, 10, 13, 16, 19, 22, 25, 28]);
        // A server that was down for a month looks once.
        assert_eq!(next_look(arrived, arrived + TimeDelta::days(40)), None);
    }
}
