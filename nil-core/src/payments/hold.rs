//! The reasons for holding a wallet's payouts.

use super::ledger::Owner;
use super::payout::HoldReason;
use super::payout_account::PayoutAccount;
use super::{store, taxes};
use crate::disclosures::threshold;
use crate::error::Result;
use crate::kernel::Time;
use crate::people;
use crate::storage::Session;

/// All reasons that hold a payout of this owner: a payout account that is not ready, a suspended owner, an institution that
/// holds payouts until deals are cleared, a site that asks for a tax form, or, for an agent, an athlete who can still
/// cancel the contract with them.
pub(super) async fn reasons(
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
    if let Owner::Agent(agent) = owner
        && store::account::commission_can_be_cancelled(session, agent, now).await?
    {
        reasons.push(HoldReason::CancellationWindow);
    }
    reasons.extend(taxes::hold(session, owner, now).await?);
    Ok(reasons)
}
