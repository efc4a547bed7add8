//! An athlete's payments of a year by payer, as they stand on information returns.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::payee;
use super::return_form::ReturnForm;
use super::year::{self, Lines};
use crate::auth::Athlete;
use crate::error::Result;
use crate::kernel::{Cents, PartnerId};
use crate::operation::Cx;
use crate::payments::ledger::Owner;
use crate::payments::store::tax_return::Movement;

/// Selects a year.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct TaxYear {
    /// The tax year; default: the current one.
    pub year: Option<i64>,
}

/// What one payer reports of a year on one form.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FormSum {
    /// The form.
    pub form: ReturnForm,
    /// What was paid that belongs on it, less refunds of the same year.
    pub amount_cents: Cents,
    /// The yearly amount from which a payer must report on it.
    pub threshold_cents: Cents,
    /// What was withheld from these payments for the tax office.
    pub withheld_cents: Cents,
    /// Whether the payer must report: the amount comes to the threshold, or tax was withheld.
    pub reportable: bool,
}

/// One payer's payments in a year.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PayerSum {
    /// The brand.
    pub partner_id: PartnerId,
    /// Its name.
    pub company_name: String,
    /// The number of payments.
    pub payments: i64,
    /// What was paid, an agent's commission and the value of goods and services included.
    pub gross_cents: Cents,
    /// The value of goods and services within it. They count when the deal is completed.
    pub goods_cents: Cents,
    /// How much of it was refunded in the same year. A later refund changes no year that is over.
    pub refunded_cents: Cents,
    /// Gross less refunds.
    pub net_cents: Cents,
    /// The agent's commission within it.
    pub agent_commission_cents: Cents,
    /// What was withheld for the tax office.
    pub withheld_cents: Cents,
    /// Whether the payer must report on one of the forms.
    pub reportable: bool,
    /// What stands on which form.
    pub forms: Vec<FormSum>,
}

/// A year's payments by payer, as they will appear on information returns. Not tax advice.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct TaxSummary {
    /// The year.
    pub year: i64,
    /// The form that payers report services on, such as `1099-NEC`.
    pub form: ReturnForm,
    /// The yearly amount from which a payer must report services.
    pub threshold_cents: Cents,
    /// The payers, largest first.
    pub payers: Vec<PayerSum>,
    /// The gross of all payers.
    pub gross_cents: Cents,
    /// All refunds of the same year.
    pub refunded_cents: Cents,
    /// Gross less refunds.
    pub net_cents: Cents,
    /// What was withheld from payments for the tax office.
    pub withheld_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
}

/// Returns the calling athlete's payments of a year by payer, and what each payer reports on which
/// form (extension). A payment belongs to the year in which the card was charged, in the payer's
/// time zone. 422 for a year that is not from 2021 to 2100.
pub async fn show(cx: Cx<Athlete>, input: TaxYear) -> Result<TaxSummary> {
    let year = input.year.unwrap_or_else(|| year::year_of(cx.now()));
    year::check(year)?;
    let mut session = cx.read().await?;
    let lines = Lines::of(&mut session, year).await?;
    let owner = Owner::Athlete(cx.caller.id);
    let mut by_payer: BTreeMap<PartnerId, Vec<Movement>> = BTreeMap::new();
    for movement in payee::movements_of(&mut session, owner, year).await? {
        by_payer.entry(movement.partner_id).or_default().push(movement);
    }
    let mut payers: Vec<PayerSum> =
        by_payer.into_iter().map(|(payer, movements)| sum(payer, &movements, lines)).collect();
    payers.sort_by_key(|payer| (-payer.gross_cents, payer.partner_id));
    let all = |of: fn(&PayerSum) -> Cents| payers.iter().map(of).sum::<Cents>();
    Ok(TaxSummary {
        year,
        form: ReturnForm::Services,
        threshold_cents: lines.on(ReturnForm::Services),
        gross_cents: all(|payer| payer.gross_cents),
        refunded_cents: all(|payer| payer.refunded_cents),
        net_cents: all(|payer| payer.net_cents),
        withheld_cents: all(|payer| payer.withheld_cents),
        payers,
        currency: "usd".into(),
    })
}

fn sum(payer: PartnerId, movements: &[Movement], lines: Lines) -> PayerSum {
    let mut sum = PayerSum {
        partner_id: payer,
        company_name: String::new(),
        payments: 0,
        gross_cents: Cents::ZERO,
        goods_cents: Cents::ZERO,
        refunded_cents: Cents::ZERO,
        net_cents: Cents::ZERO,
        agent_commission_cents: Cents::ZERO,
        withheld_cents: Cents::ZERO,
        reportable: false,
        forms: Vec::new(),
    };
    for movement in movements {
        sum.company_name.clone_from(&movement.company_name);
        sum.net_cents += movement.amount_cents;
        sum.agent_commission_cents += movement.commission_cents;
        sum.withheld_cents += movement.withheld_cents;
        match movement.kind.as_str() {
            "refund" => sum.refunded_cents += -movement.amount_cents,
            kind => {
                sum.gross_cents += movement.amount_cents;
                if kind == "goods" {
                    sum.goods_cents += movement.amount_cents;
                } else {
                    sum.payments += 1;
                }
            }
        }
    }
    for form in ReturnForm::ALL.iter().copied() {
        let of: Vec<&Movement> = movements.iter().filter(|one| one.form == form).collect();
        if of.is_empty() {
            continue;
        }
        let amount_cents: Cents = of.iter().map(|one| one.amount_cents).sum();
        let withheld_cents: Cents = of.iter().map(|one| one.withheld_cents).sum();
        let threshold_cents = lines.on(form);
        let reportable = amount_cents >= threshold_cents || withheld_cents.is_positive();
        sum.reportable |= reportable;
        sum.forms.push(FormSum { form, amount_cents, threshold_cents, withheld_cents, reportable });
    }
    sum
}
