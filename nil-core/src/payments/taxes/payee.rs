//! What a payee has earned in a year, and whether their payouts wait for a tax form.

use std::collections::{BTreeMap, BTreeSet};

use super::year::{self, Lines};
use crate::error::Result;
use crate::kernel::{Cents, LAST_TIME, PartnerId, Time, proportion};
use crate::payments::HoldReason;
use crate::payments::ledger::Owner;
use crate::payments::store::tax_form as store;
use crate::payments::store::tax_return::{self, Movement};
use crate::payments::taxes::ReturnForm;
use crate::storage::Session;

/// What was earned in one year of the payers, less refunds of the same year: an athlete's payments
/// with the agent's commission and the value of goods, an agent's commissions; nothing for brands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Earned {
    /// All of it.
    pub(super) all: Cents,
    /// What of it are royalties, which have an amount to report of their own.
    pub(super) royalties: Cents,
}

impl Earned {
    fn add(&mut self, movement: &Movement) {
        self.all += movement.amount_cents;
        if movement.form == ReturnForm::Royalties {
            self.royalties += movement.amount_cents;
        }
    }

    /// The earnings of a year.
    pub(super) async fn of(session: &mut Session, owner: Owner, year: i64) -> Result<Self> {
        let mut earned = Self::default();
        for movement in &movements_of(session, owner, year).await? {
            earned.add(movement);
        }
        Ok(earned)
    }

    /// Whether they come to this part, in percent, of an amount that payers must report in the
    /// year.
    pub(super) fn comes_to(self, percent: i64, lines: Lines) -> bool {
        let amount = |form| proportion(lines.on(form), percent, 100);
        self.all >= amount(ReturnForm::Services) || self.royalties >= amount(ReturnForm::Royalties)
    }
}

/// What counts for a payee in one year of the payers.
pub(super) async fn movements_of(
    session: &mut Session,
    owner: Owner,
    year: i64,
) -> Result<Vec<Movement>> {
    let Some(span) = year::anywhere(year) else {
        return Ok(Vec::new());
    };
    let mut all = tax_return::movements(session, owner, span).await?;
    all.retain(|movement| movement.year() == year && movement.counts());
    Ok(all)
}

/// Whether a payer must file a return for a payee for a year: one paid as much as must be reported
/// on a form, or tax was withheld.
pub(super) async fn is_reported(session: &mut Session, owner: Owner, year: i64) -> Result<bool> {
    let lines = Lines::of(session, year).await?;
    let mut sums: BTreeMap<(PartnerId, &'static str), (Cents, Cents)> = BTreeMap::new();
    for movement in movements_of(session, owner, year).await? {
        let key = (movement.partner_id, movement.form.as_str());
        let (amount, withheld) = sums.entry(key).or_default();
        *amount += movement.amount_cents;
        *withheld += movement.withheld_cents;
    }
    Ok(sums.iter().any(|((_, form), (amount, withheld))| {
        let line = ReturnForm::ALL.iter().find(|one| one.as_str() == *form);
        withheld.is_positive() || line.is_some_and(|form| *amount >= lines.on(*form))
    }))
}

/// The years in which a payee earned as much as payers must report: for services, or on any form.
async fn years_to_report(
    session: &mut Session,
    owner: Owner,
    any_form: bool,
) -> Result<BTreeSet<i64>> {
    let mut earned: BTreeMap<i64, Earned> = BTreeMap::new();
    let ever = (Time::UNIX_EPOCH, LAST_TIME);
    for movement in tax_return::movements(session, owner, ever).await? {
        if movement.counts() {
            earned.entry(movement.year()).or_default().add(&movement);
        }
    }
    let mut years = BTreeSet::new();
    for (year, earned) in earned {
        let lines = Lines::of(session, year).await?;
        if earned.all >= lines.on(ReturnForm::Services) || (any_form && earned.comes_to(100, lines))
        {
            years.insert(year);
        }
    }
    Ok(years)
}

/// Whether a payee earned as much in any year as payers must report on a form.
pub(super) async fn was_ever_reported(session: &mut Session, owner: Owner) -> Result<bool> {
    Ok(!years_to_report(session, owner, true).await?.is_empty())
}

/// The last year whose earnings hold a payee's payouts, if the site says so.
pub(super) async fn held_for(session: &mut Session, owner: Owner) -> Result<Option<i64>> {
    if !store::site_holds_payouts(session).await? || store::has_form(session, owner).await? {
        return Ok(None);
    }
    Ok(years_to_report(session, owner, false).await?.last().copied())
}

/// Why the payouts of a payee wait, if the site says so: once the earnings of a year come to the
/// amount that payers must report, a form must have been handed in. They wait until it is, also
/// after that year. Foreign athletes would need one that is not supported.
pub(in crate::payments) async fn hold(
    session: &mut Session,
    owner: Owner,
) -> Result<Option<HoldReason>> {
    if held_for(session, owner).await?.is_none() {
        return Ok(None);
    }
    Ok(Some(match owner {
        Owner::Athlete(id) if store::is_foreign(session, id).await? => {
            HoldReason::TaxFormUnsupported
        }
        _ => HoldReason::TaxFormMissing,
    }))
}
