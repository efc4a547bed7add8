//! Why a wallet is not paid out now.

use super::account::PayoutAccount;
use super::ledger::Owner;
use super::payout::HoldReason;
use crate::disclosures::weighing;
use crate::error::Result;
use crate::kernel::Time;
use crate::storage::Session;

/// Everything a payout of this owner waits for: what the account lacks, and an institution that holds
/// payouts until deals are cleared.
pub(super) async fn reasons(
    session: &mut Session,
    owner: Owner,
    account: &PayoutAccount,
    now: Time,
) -> Result<Vec<HoldReason>> {
    let mut reasons = account.hold_reasons();
    if let Owner::Athlete(athlete) = owner
        && weighing::holds_payouts(session, athlete, now).await?
    {
        reasons.push(HoldReason::InstitutionClearance);
    }
    Ok(reasons)
}
