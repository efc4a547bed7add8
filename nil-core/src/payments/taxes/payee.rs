//! What a payee has earned this year, and whether their payouts wait for a tax form.

use crate::error::Result;
use crate::kernel::{Cents, Time, proportion};
use crate::payments::HoldReason;
use crate::payments::ledger::Owner;
use crate::payments::store::{tax_form as store, tax_return};
use crate::payments::tax;
use crate::storage::Session;

/// What was earned in a year (UTC), less refunds: an athlete's payments with the agent's commission, an agent's
/// commissions; nothing for brands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Earned {
    /// All of it.
    pub(super) all: Cents,
    /// What of it are royalties, which have an amount to report of their own.
    pub(super) royalties: Cents,
}

impl Earned {
    /// The earnings of the year of this instant.
    pub(super) async fn of(session: &mut Session, owner: Owner, now: Time) -> Result<Self> {
        let Some(span) = tax::span(tax::year_of(now)) else {
            return Ok(Self::default());
        };
        match owner {
            Owner::Athlete(athlete) => {
                let mut earned = Self::default();
                for (_, services, royalties) in tax_return::paid_to(session, athlete, span).await? {
                    earned.all += services + royalties;
                    earned.royalties += royalties;
                }
                Ok(earned)
            }
            Owner::Agent(id) => {
                let all = store::paid_to_agent(session, id, span.0, span.1).await?;
                Ok(Self { all, royalties: Cents::ZERO })
            }
            Owner::Partner(_) => Ok(Self::default()),
        }
    }

    /// Whether they come to this part, in percent, of an amount that payers must report in the year.
    pub(super) fn comes_to(self, percent: i64, year: i64) -> Result<bool> {
        let amount = |form| -> Result<Cents> {
            Ok(proportion(tax::rule(year, form)?.threshold_cents, percent, 100))
        };
        Ok(self.all >= amount(tax::SERVICES)? || self.royalties >= amount(tax::ROYALTIES)?)
    }
}

/// Whether one payer paid as much in a year as they must report on a form.
pub(super) async fn is_reported(session: &mut Session, owner: Owner, year: i64) -> Result<bool> {
    let (Owner::Athlete(athlete), Some(span)) = (owner, tax::span(year)) else {
        return Ok(false);
    };
    let [services, royalties] = [tax::rule(year, tax::SERVICES)?, tax::rule(year, tax::ROYALTIES)?];
    let paid = tax_return::paid_to(session, athlete, span).await?;
    Ok(paid.iter().any(|(_, work, licences)| {
        *work >= services.threshold_cents || *licences >= royalties.threshold_cents
    }))
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
    if Earned::of(session, owner, now).await?.all < threshold {
        return Ok(None);
    }
    Ok(Some(match owner {
        Owner::Athlete(id) if store::is_foreign(session, id).await? => {
            HoldReason::TaxFormUnsupported
        }
        _ => HoldReason::TaxFormMissing,
    }))
}
