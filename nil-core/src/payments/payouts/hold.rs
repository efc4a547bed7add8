//! The reasons for holding a wallet's payouts, and the part of an agent's wallet that waits.

use chrono::TimeDelta;

use super::payout::{HeldCommission, HoldReason};
use super::payout_account::PayoutAccount;
use crate::disclosures::threshold;
use crate::error::Result;
use crate::kernel::{Cents, Time};
use crate::payments::ledger::Owner;
use crate::payments::{store, taxes};
use crate::people;
use crate::storage::Session;

/// All reasons that hold every payout of this owner: a payout account that is not ready, a
/// suspended owner, an institution that holds payouts until deals are cleared, or a site that asks
/// for a tax form.
pub(crate) async fn reasons(
    session: &mut Session,
    owner: Owner,
    account: &PayoutAccount,
    now: Time,
) -> Result<Vec<HoldReason>> {
    let mut reasons = account.hold_reasons();
    let user = store::account::user_of(session, owner).await?;
    if let Some(user) = user
        && people::is_suspended(session, user).await?
    {
        reasons.push(HoldReason::AccountSuspended);
    }
    if let Owner::Athlete(athlete) = owner
        && threshold::holds_payouts(session, athlete, now).await?
    {
        reasons.push(HoldReason::InstitutionClearance);
    }
    reasons.extend(taxes::hold(session, owner).await?);
    Ok(reasons)
}

/// The parts of a wallet that wait, the soonest to be free first; none for others than agents. In a
/// transaction the wallet is locked before: then this covers all commission in it, and none that an
/// athlete has taken back.
pub(crate) async fn commission(
    session: &mut Session,
    owner: Owner,
    now: Time,
) -> Result<Vec<HeldCommission>> {
    let Owner::Agent(agent) = owner else {
        return Ok(Vec::new());
    };
    let mut held = store::account::held_commission(session, agent, now).await?;
    held.retain(|part| part.amount_cents.is_positive());
    Ok(held)
}

/// The last moment of a wait belongs to it.
const JUST_AFTER: TimeDelta = TimeDelta::seconds(1);

/// The parts of a wallet that wait, in sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// An agent's commission that the athlete can still take back.
    pub commission: Cents,
    /// What a cardholder's bank may take back.
    pub disputed: Cents,
    /// What cards were charged, but the processor cannot pay out yet.
    pub funds: Cents,
    /// When the first part of what waits for a day can be paid out.
    pub free_at: Option<Time>,
}

impl Waiting {
    /// All that waits. What waits for two reasons counts twice, so that it is paid out later.
    pub(crate) fn all(self) -> Cents {
        self.commission + self.disputed + self.funds
    }
}

/// How much of a wallet waits.
pub(crate) async fn waiting(session: &mut Session, owner: Owner, now: Time) -> Result<Waiting> {
    let parts = commission(session, owner, now).await?;
    let disputed = store::dispute::waiting(session, owner).await?;
    let (funds, funds_at) = store::account::pending_funds(session, owner, now).await?;
    let free_at =
        parts.first().map(|part| part.until + JUST_AFTER).into_iter().chain(funds_at).min();
    let commission = parts.iter().map(|part| part.amount_cents).sum();
    Ok(Waiting { commission, disputed, funds: funds.max(Cents::ZERO), free_at })
}
