//! Pays wallets out automatically, and sends payouts that were on hold.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;

use super::hold;
use super::paying_out::make;
use super::payout::{Payout, PayoutStatus, REST};
use super::payout_account::{PayoutAccount, PayoutPreference};
use super::payout_settings::refreshed;
use super::settling_payouts::BankTransfer;
use crate::error::{Error, Result, codes};
use crate::kernel::{Rested, Time, midnight, utc_day};
use crate::operation::{Work, patiently};
use crate::payments::ledger::{Book, Owner};
use crate::payments::movement;
use crate::payments::store::{self, account::Due};
use crate::payments::taxes;
use crate::platform::Platform;

/// The pause between checks of the account that a payout on hold waits for. The processor's event
/// releases it at once; the checks are for lost events.
const HELD_PAUSE: TimeDelta = TimeDelta::minutes(1);

/// The result of one sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Swept {
    /// Payouts that were on hold and have been sent.
    pub released: usize,
    /// Checked payouts that are still on hold.
    pub held: usize,
    /// Wallets paid out according to their owner's preference.
    pub paid_out: usize,
    /// Wallets that could not be processed because of an error.
    pub failed: usize,
}

/// The pause after the first unsuccessful check; each further one doubles it.
const FIRST_PAUSE: TimeDelta = TimeDelta::minutes(5);
/// The longest pause between two checks.
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);

/// Sends payouts on hold that can go now, and pays wallets out according to their owners'
/// preferences: `instant` ones each time, `standard` ones once a day; not within a day of a failed
/// payout. Each wallet has its own next check, so one that cannot be paid out does not delay
/// others. For the worker and the cron endpoint.
pub async fn sweep_payouts(platform: &Platform) -> Result<Swept> {
    let mut session = platform.db().read().await?;
    let held = store::payout::held(&mut session, Rested::of(HELD_PAUSE, platform.now())).await?;
    let day = midnight(utc_day(platform.now()));
    let now = platform.now();
    let due = store::account::due(&mut session, now, day, now - REST).await?;
    drop(session);
    let mut swept = Swept::default();
    for payout in held {
        match let_go(platform, payout).await {
            Ok(true) => swept.released += 1,
            Ok(false) => swept.held += 1,
            Err(error) => swept.failed += missed(&error),
        }
    }
    for due in due {
        let (at, misses) = match next_look(&due, now, day + TimeDelta::days(1)) {
            Next::Now => look(platform, &due, &mut swept).await,
            Next::At(at) => (Some(at), 0),
            Next::Asleep => (None, 0),
        };
        if let Err(error) = put_off(platform, &due, at, misses).await {
            swept.failed += missed(&error);
        }
    }
    Ok(swept)
}

/// Sends a payout on hold if possible; otherwise schedules the next check.
async fn let_go(platform: &Platform, payout: Payout) -> Result<bool> {
    let id = payout.id;
    let paid = pay_out(platform, payout.owner()?, true).await;
    if !matches!(paid, Ok(Paid::Sent)) {
        let mut session = platform.db().begin().await?;
        store::payout::touch(&mut session, id, platform.now()).await?;
        session.commit().await?;
    }
    Ok(paid? == Paid::Sent)
}

async fn put_off(platform: &Platform, due: &Due, at: Option<Time>, misses: i64) -> Result<()> {
    let mut session = platform.db().begin().await?;
    store::account::look_again(&mut session, due, (at, misses), platform.now()).await?;
    session.commit().await
}

/// What to do about a wallet that is due.
enum Next {
    /// Pay it out.
    Now,
    /// Check it again at this time.
    At(Time),
    /// No check: the end of a payout, a credit or a change of the account makes it due again.
    Asleep,
}

fn next_look(due: &Due, now: Time, tomorrow: Time) -> Next {
    if due.under_way || !due.balance_cents.is_positive() || !due.payouts_enabled {
        return Next::Asleep;
    }
    match due.preference {
        PayoutPreference::Manual => Next::Asleep,
        _ if due.refused => Next::At(now + LONGEST_PAUSE),
        PayoutPreference::Standard if due.paid_today => Next::At(tomorrow),
        PayoutPreference::Standard | PayoutPreference::Instant => Next::Now,
    }
}

/// Pays a wallet out; returns the next check, and how many checks in a row were unsuccessful.
async fn look(platform: &Platform, due: &Due, swept: &mut Swept) -> (Option<Time>, i64) {
    let Some(owner) = Owner::named(&due.owner) else {
        return (None, 0);
    };
    match pay_out(platform, owner, false).await {
        Ok(Paid::Sent) => {
            swept.paid_out += 1;
            return (None, 0);
        }
        Ok(Paid::Nothing) => match free_at(platform, owner).await {
            Ok(at) => return (at, 0),
            Err(error) => swept.failed += missed(&error),
        },
        Ok(Paid::Held) => {}
        Err(error) => swept.failed += missed(&error),
    }
    let doublings = u32::try_from(due.misses.clamp(0, 8)).unwrap_or_default();
    let pause = (FIRST_PAUSE * 2_i32.pow(doublings)).min(LONGEST_PAUSE);
    (Some(platform.now() + pause), due.misses + 1)
}

/// When the first part of a wallet that waits can be paid out.
async fn free_at(platform: &Platform, owner: Owner) -> Result<Option<Time>> {
    let mut session = platform.db().read().await?;
    Ok(hold::waiting(&mut session, owner, platform.now()).await?.free_at)
}

pub(crate) fn missed(error: &Error) -> usize {
    tracing::warn!(%error, "a wallet was not paid out");
    1
}

/// Sends the payout on hold of an owner whose account can receive money now.
pub(crate) async fn release_held(platform: &Platform, owner: Owner) -> Result<bool> {
    let mut session = platform.db().read().await?;
    let live = store::payout::live(&mut session, owner).await?;
    drop(session);
    match live.map(|live| live.status) {
        Some(PayoutStatus::OnHold) => Ok(pay_out(platform, owner, true).await? == Paid::Sent),
        _ => Ok(false),
    }
}

/// The result of paying a wallet out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paid {
    /// The processor was asked.
    Sent,
    /// The payout is on hold.
    Held,
    /// Nothing in the wallet can be paid out now, or a payout of it is under way.
    Nothing,
}

/// The account that an owner's payouts go to; none if something holds them. If that is a missing
/// tax form, the owner is asked for it.
pub(super) async fn open_account(
    platform: &Platform,
    owner: Owner,
) -> Result<Option<PayoutAccount>> {
    let account = refreshed(platform, owner).await?;
    let mut session = platform.db().read().await?;
    let held = hold::reasons(&mut session, owner, &account, platform.now()).await?;
    drop(session);
    if held.is_empty() {
        return Ok(Some(account));
    }
    taxes::ask_if_held(platform, owner, &held).await?;
    Ok(None)
}

/// Pays a wallet out without a caller. `held_only` sends a payout on hold and creates none.
async fn pay_out(platform: &Platform, owner: Owner, held_only: bool) -> Result<Paid> {
    let Some(account) = open_account(platform, owner).await? else {
        return Ok(Paid::Held);
    };
    let payout = patiently(platform, || async {
        let mut work = Work::resume(platform, "admin.payout.trigger", None).await?;
        if held_only {
            Book::of_payouts(&mut work, owner).await?;
            let live = store::payout::live(&mut work, owner).await?;
            if live.is_none_or(|live| live.status != PayoutStatus::OnHold) {
                return Ok(None);
            }
        }
        match make(&mut work, owner, &account).await {
            Ok(payout) => Ok(Some(work.done(payout).await?.into_inner())),
            Err(error) if error.is(codes::NOTHING_TO_PAY_OUT) => Ok(None),
            Err(error) => Err(error),
        }
    })
    .await?;
    let Some(payout) = payout.filter(|payout| payout.status == PayoutStatus::Pending) else {
        return Ok(Paid::Nothing);
    };
    movement::ask_and_end(platform, &BankTransfer::to(payout, &account)).await?;
    Ok(Paid::Sent)
}
