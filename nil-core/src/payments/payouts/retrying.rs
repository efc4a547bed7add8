//! Retries failed payouts automatically, a few times, a day apart: banks reopen, and mistyped
//! accounts are corrected.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;

use super::auto_payout::{missed, open_account};
use super::paying_out::make_again;
use super::payout::{Payout, PayoutStatus, REST};
use super::settling_payouts::BankTransfer;
use crate::error::{Result, codes};
use crate::operation::{Work, patiently};
use crate::payments::ledger::Book;
use crate::payments::movement;
use crate::payments::store;
use crate::platform::Platform;

/// Payouts that failed longer ago are left to an operator.
const OLDEST: TimeDelta = TimeDelta::days(30);
/// The number of automatic attempts, the first included, before a payout is left to an operator.
const ATTEMPTS: i64 = 3;

/// The result of one round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Retried {
    /// Payouts that were retried.
    pub retried: usize,
    /// Payouts whose owner's account cannot receive now.
    pub held: usize,
    /// Payouts that could not be processed because of an error.
    pub failed: usize,
}

/// Retries payouts a day after they failed, if they were not retried yet, their wallet still holds
/// the amount and it has not been paid out since; three attempts in all. For the worker and the
/// cron endpoint; concurrent calls retry a payout only once.
pub async fn retry_payouts(platform: &Platform) -> Result<Retried> {
    let now = platform.now();
    let mut session = platform.db().read().await?;
    let failed =
        store::payout::to_try_again(&mut session, now - OLDEST, now - REST, ATTEMPTS).await?;
    drop(session);
    let mut done = Retried::default();
    for payout in failed {
        match try_again(platform, &payout).await {
            Ok(Tried::Sent) => {
                done.retried += 1;
                continue;
            }
            Ok(Tried::Overtaken) => continue,
            Ok(Tried::Held) => done.held += 1,
            Err(error) => done.failed += missed(&error),
        }
        let mut session = platform.db().begin().await?;
        store::payout::looked_at(&mut session, payout.id, now).await?;
        session.commit().await?;
    }
    Ok(done)
}

/// The result for one failed payout.
enum Tried {
    Sent,
    Held,
    /// It was retried by another call, or its money is gone.
    Overtaken,
}

async fn try_again(platform: &Platform, failed: &Payout) -> Result<Tried> {
    let owner = failed.owner()?;
    let Some(account) = open_account(platform, owner).await? else {
        return Ok(Tried::Held);
    };
    let payout = patiently(platform, || async {
        let mut work = Work::resume(platform, "admin.payout.retry", None).await?;
        Book::of_payouts(&mut work, owner).await?;
        if store::payout::retry_of(&mut work, failed.id).await?.is_some() {
            return Ok(None);
        }
        match make_again(&mut work, failed.id, owner, &account).await {
            Ok(payout) => Ok(Some(work.done(payout).await?.into_inner())),
            Err(error)
                if error.is(codes::NOTHING_TO_PAY_OUT) || error.is(codes::PAYOUT_IN_PROGRESS) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    })
    .await?;
    match payout {
        None => Ok(Tried::Overtaken),
        Some(payout) if payout.status == PayoutStatus::Pending => {
            movement::ask_and_end(platform, &BankTransfer::to(payout, &account)).await?;
            Ok(Tried::Sent)
        }
        // An institution has begun to hold payouts in the meantime.
        Some(_) => Ok(Tried::Held),
    }
}
