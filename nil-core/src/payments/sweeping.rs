//! Wallets are paid out by themselves, and payouts that waited go on.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;

use super::account::Preference;
use super::ledger::Owner;
use super::paying_out::{end, make, open, send};
use super::payout::{Payout, PayoutStatus};
use super::receiving::refreshed;
use super::settling::patiently;
use super::store::account::Due;
use super::{holding, retrying, store};
use crate::error::{Error, Result, codes};
use crate::kernel::Time;
use crate::operation::Work;
use crate::platform::Platform;

/// Between looks at the account a payout waits for. The processor's event lets it go at once; this is
/// for events that are lost.
const HELD_PAUSE: TimeDelta = TimeDelta::minutes(1);

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Swept {
    /// Payouts that waited for their owner's account and were sent.
    pub released: usize,
    /// Payouts that still wait, of those that were looked at.
    pub held: usize,
    /// Wallets paid out because their owner prefers so.
    pub paid_out: usize,
    /// Wallets that could not be looked after this time.
    pub failed: usize,
}

/// After a look in vain; each further one doubles it.
const FIRST_PAUSE: TimeDelta = TimeDelta::minutes(5);
/// The longest pause between two looks.
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);

/// Sends what was on hold and can go now, and pays out the wallets whose owners want that: `instant`
/// ones each time, `standard` ones once a day; a wallet whose payout failed is left alone for a day. Every
/// wallet has its own next look: one that cannot be paid out stands in nobody's way. For the worker and
/// the cron endpoint.
pub async fn sweep_payouts(platform: &Platform) -> Result<Swept> {
    let mut session = platform.db().read().await?;
    let held = store::payout::held(&mut session, platform.now() - HELD_PAUSE).await?;
    let day = platform.now().date_naive().and_time(chrono::NaiveTime::MIN).and_utc();
    let now = platform.now();
    let due = store::account::due(&mut session, now, day, now - retrying::REST).await?;
    drop(session);
    let mut swept = Swept::default();
    for payout in held {
        match let_go(platform, &payout).await {
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

/// Sends what is on hold if it can go; it is looked at again later otherwise.
async fn let_go(platform: &Platform, payout: &Payout) -> Result<bool> {
    let paid = pay_out(platform, payout.owner()?, true).await;
    if !matches!(paid, Ok(Paid::Sent)) {
        end(platform, payout, None).await?;
    }
    Ok(paid? == Paid::Sent)
}

async fn put_off(platform: &Platform, due: &Due, at: Option<Time>, misses: i64) -> Result<()> {
    let mut session = platform.db().begin().await?;
    store::account::look_again(&mut session, due, at, misses).await?;
    session.commit().await
}

/// What is to be done about a wallet that is due.
enum Next {
    /// It is paid out.
    Now,
    /// It is looked at again then.
    At(Time),
    /// What ends a payout, adds to the wallet or changes the account makes it due by itself.
    Asleep,
}

fn next_look(due: &Due, now: Time, tomorrow: Time) -> Next {
    if due.under_way || !due.balance_cents.is_positive() || !due.payouts_enabled {
        return Next::Asleep;
    }
    match due.preference {
        Preference::Manual => Next::Asleep,
        _ if due.refused => Next::At(now + LONGEST_PAUSE),
        Preference::Standard if due.paid_today => Next::At(tomorrow),
        Preference::Standard | Preference::Instant => Next::Now,
    }
}

/// Pays a wallet out; answers when to look again, and how often in a row it was in vain.
async fn look(platform: &Platform, due: &Due, swept: &mut Swept) -> (Option<Time>, i64) {
    let Some(owner) = Owner::named(&due.owner) else {
        return (None, 0);
    };
    match pay_out(platform, owner, false).await {
        Ok(Paid::Sent) => {
            swept.paid_out += 1;
            return (None, 0);
        }
        Ok(Paid::Nothing) => return (None, 0),
        Ok(Paid::Held) => {}
        Err(error) => swept.failed += missed(&error),
    }
    let doublings = u32::try_from(due.misses.clamp(0, 8)).unwrap_or_default();
    let pause = (FIRST_PAUSE * 2_i32.pow(doublings)).min(LONGEST_PAUSE);
    (Some(platform.now() + pause), due.misses + 1)
}

pub(super) fn missed(error: &Error) -> usize {
    tracing::warn!(%error, "a wallet was not paid out");
    1
}

/// Sends what was on hold for an owner whose account can receive now.
pub(super) async fn release_held(platform: &Platform, owner: Owner) -> Result<bool> {
    let mut session = platform.db().read().await?;
    let live = store::payout::live(&mut session, owner).await?;
    drop(session);
    match live.map(|live| live.status) {
        Some(PayoutStatus::OnHold) => Ok(pay_out(platform, owner, true).await? == Paid::Sent),
        _ => Ok(false),
    }
}

/// What came of paying a wallet out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paid {
    /// The processor was asked.
    Sent,
    /// There is a reason to wait.
    Held,
    /// There was nothing in it, or a payout of it is under way.
    Nothing,
}

/// Pays a wallet out for nobody's call. `held_only` sends what is on hold and makes nothing new.
async fn pay_out(platform: &Platform, owner: Owner, held_only: bool) -> Result<Paid> {
    let account = refreshed(platform, owner).await?;
    let mut session = platform.db().read().await?;
    let held = holding::reasons(&mut session, owner, &account, platform.now()).await?;
    drop(session);
    if !held.is_empty() {
        return Ok(Paid::Held);
    }
    let payout = patiently(platform, || async {
        let mut work = Work::resume(platform, "admin.payout.trigger", None).await?;
        if held_only {
            open(&mut work, owner).await?;
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
    let said = send(platform, &payout, &account).await;
    end(platform, &payout, said.as_ref()).await?;
    Ok(Paid::Sent)
}
