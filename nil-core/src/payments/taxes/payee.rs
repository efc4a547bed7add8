//! What a payee has earned this year, and whether their payouts wait for a tax form.

use crate::error::Result;
use crate::kernel::{Cents, Time};
use crate::payments::HoldReason;
use crate::payments::ledger::Owner;
use crate::payments::store::tax_form as store;
use crate::payments::tax;
use crate::storage::Session;

/// What was earned in the year of this instant (UTC), less refunds: an athlete's payments with the agent's commission, an
/// agent's commissions; nothing for brands.
pub(super) async fn earned(session: &mut Session, owner: Owner, now: Time) -> Result<Cents> {
    let Some((from, until)) = tax::span(tax::year_of(now)) else {
        return Ok(Cents::ZERO);
    };
    match owner {
        Owner::Athlete(id) => store::paid_to_athlete(session, id, from, until).await,
        Owner::Agent(id) => store::paid_to_agent(session, id, from, until).await,
        Owner::Partner(_) => Ok(Cents::ZERO),
    }
}

/// Why the payouts of a payee wait, if the site says so: once a year's earnings come to the amount that payers must report,
/// a form must have been handed in. Foreign athletes would need one that is not supported.
pub(in crate::payments) async fn hold(
    session: &mut Session,
    owner: Owner,
    now: Time,
) -> Result<Option<HoldReason>> {
    if !store::site_holds_payouts(session).await? || store::has_form(session, owner).await? {
        return Ok(None);
    }
    let threshold = tax::rule(tax::year_of(now), tax::SERVICES)?.threshold_cents;
    if earned(session, owner, now).await? < threshold {
        return Ok(None);
    }
    Ok(Some(match owner {
        Owner::Athlete(id) if store::is_foreign(session, id).await? => {
            HoldReason::TaxFormUnsupported
        }
        _ => HoldReason::TaxFormMissing,
    }))
}
