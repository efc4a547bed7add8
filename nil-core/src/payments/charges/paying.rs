//! Brands pay athletes, one or many at once.
//!
//! A charge with its payments is a `movement`. If the processor does not answer, the payments stay
//! `processing`, and [`reconcile`](crate::payments::reconcile) asks again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amount_owed::{Earned, Line, Unpayable, WantedPayment, sums};
use super::answering;
use super::charging::{charge_card, intend};
use super::payment::{BulkPayment, Payment, PaymentKind};
use super::selection::{only_line, planned};
use crate::auth::Partner;
use crate::error::{Error, Result, codes};
use crate::kernel::{
    Amount, AthleteId, Cents, ContractId, ConversionId, DeliverableId, JobId, Many, Total,
};
use crate::operation::{Cx, Done};

/// A payment to one athlete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Pay {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The contract to pay under; give this or `job_id`.
    pub contract_id: Option<ContractId>,
    /// The job the athlete was hired for; give this or `contract_id`.
    pub job_id: Option<JobId>,
    /// Pay only these deliverables; default: all approved work, and commission on sales.
    pub deliverable_ids: Option<Many<DeliverableId, 1, 100>>,
    /// The athlete's amount; default: everything owed. A partial amount settles the earliest
    /// deliverables first, commission after them.
    pub amount_cents: Option<Amount>,
}

/// Payments to preview.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Preview {
    /// The payments.
    pub payments: Many<WantedPayment, 1, 1000>,
}

/// Payments to make with one charge.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PayBulk {
    /// The payments.
    pub payments: Many<WantedPayment, 1, 1000>,
    /// The grand total of the preview, in cents.
    pub expected_total_cents: Total,
}

/// The preview of one line of a bulk payment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SummaryLine {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete_name: Option<String>,
    /// The contract it would be paid under.
    pub contract_id: Option<ContractId>,
    /// The job of that contract.
    pub job_id: Option<JobId>,
    /// The job's title.
    pub job_title: Option<String>,
    /// The deliverables it would settle, earliest first.
    pub deliverable_ids: Vec<DeliverableId>,
    /// The sales it would pay commission on, earliest first.
    pub conversion_ids: Vec<ConversionId>,
    /// The athlete's amount.
    pub amount_cents: Cents,
    /// The platform's fee.
    pub fee_cents: Cents,
    /// What the card would be charged.
    pub total_cents: Cents,
    /// Whether it can be paid.
    pub payable: bool,
    /// Why it cannot be paid: `not_found`, `nothing_owed`, `amount_exceeds_owed`,
    /// `category_prohibited`, `visa_status`.
    pub reason: Option<String>,
}

/// The preview of a bulk payment. The totals cover the lines that can be paid.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Summary {
    /// The lines, in the order of the request.
    pub lines: Vec<SummaryLine>,
    /// Whether every line can be paid.
    pub payable: bool,
    /// The athletes' amounts.
    pub amount_cents: Cents,
    /// The platform's fees.
    pub fee_cents: Cents,
    /// What the card would be charged.
    pub total_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
}

/// Pays an athlete with the brand's default card (contract: Core *Payments*). 404 for a contract
/// that is not the brand's, 409 `nothing_owed` or `no_payment_method`, 422 `amount_exceeds_owed`,
/// 422 for deliverables that are not approved work of the contract. A declined card is 402
/// `card_declined` with the failed payment. If the processor does not answer, the payment comes
/// back `processing` and is settled later. 409 `category_prohibited` or `visa_status` if a rule of
/// the athlete's institution forbids the payment, provided it was in force at hiring and still is.
pub async fn pay_with_saved_card(cx: Cx<Partner>, input: Pay) -> Result<Done<Payment>> {
    let wanted = WantedPayment {
        athlete_id: input.athlete_id,
        contract_id: input.contract_id,
        job_id: input.job_id,
        deliverable_ids: input.deliverable_ids,
        amount_cents: input.amount_cents,
    };
    let mut work = cx.begin().await?;
    let line = only_line(&mut work, cx.caller.id, wanted).await?;
    let charge = intend(work, cx.caller.id, PaymentKind::Card, &[line], None).await?;
    charge_card(&cx, charge, |work| answering::answer_card(work, charge)).await
}

/// Previews a bulk payment; charges nothing. 422 if two lines name the same contract, and for
/// deliverables that are not approved work of their line's contract.
pub async fn bulk_summary(cx: Cx<Partner>, input: Preview) -> Result<Summary> {
    let mut session = cx.read().await?;
    let wanted = (&*input.payments, PaymentKind::Bulk);
    let planned = planned(&mut session, cx.caller.id, wanted, false, cx.now()).await?;
    let payable = planned.iter().all(Result::is_ok);
    let [amount_cents, fee_cents] = sums(planned.iter().filter_map(|line| line.as_ref().ok()));
    Ok(Summary {
        payable,
        amount_cents,
        fee_cents,
        total_cents: amount_cents + fee_cents,
        currency: "usd".into(),
        lines: input
            .payments
            .iter()
            .zip(planned)
            .map(|(wanted, line)| summary_line(wanted, line))
            .collect(),
    })
}

/// Pays several athletes with one charge to the brand's default card (contract: Core *Payments*).
/// If any line cannot be paid, 422 `line_not_payable` names it and nothing is charged. 409
/// `total_changed` if the total differs from the previewed one. A declined card fails every line:
/// 402 `card_declined` with the failed payments.
pub async fn pay_bulk(cx: Cx<Partner>, input: PayBulk) -> Result<Done<BulkPayment>> {
    let mut work = cx.begin().await?;
    let wanted = (&*input.payments, PaymentKind::Bulk);
    let planned = planned(&mut work, cx.caller.id, wanted, true, cx.now()).await?;
    let mut lines = Vec::with_capacity(planned.len());
    let mut refused: Option<Error> = None;
    for (at, line) in planned.into_iter().enumerate() {
        match line {
            Ok(line) => lines.push(line),
            Err(Unpayable { code, message }) => {
                let error = refused.unwrap_or_else(|| codes::LINE_NOT_PAYABLE.into());
                let message = format!("{}: {message}", code.name);
                refused = Some(error.at(format!("payments.{at}"), message));
            }
        }
    }
    if let Some(error) = refused {
        return Err(error);
    }
    let [amount, fee] = sums(&lines);
    if amount + fee != input.expected_total_cents.cents() {
        return Err(codes::TOTAL_CHANGED.saying(format!(
            "The total is now {} cents, which differs from the preview. Check the summary again.",
            (amount + fee).get()
        )));
    }
    let charge = intend(work, cx.caller.id, PaymentKind::Bulk, &lines, None).await?;
    charge_card(&cx, charge, |work| answering::answer_bulk(work, charge)).await
}

fn summary_line(wanted: &WantedPayment, line: Result<Line, Unpayable>) -> SummaryLine {
    let reason = line.as_ref().err().map(|why| why.code.name.to_owned());
    let line = line.ok();
    let cents = line.as_ref().map(|line| line.cents);
    SummaryLine {
        athlete_id: wanted.athlete_id,
        athlete_name: line.as_ref().map(|line| line.contract.athlete_name.clone()),
        contract_id: line.as_ref().map_or(wanted.contract_id, |line| Some(line.contract.id)),
        job_id: line.as_ref().map_or(wanted.job_id, |line| Some(line.contract.job_id)),
        job_title: line.as_ref().map(|line| line.contract.job_title.clone()),
        deliverable_ids: line
            .iter()
            .flat_map(|line| &line.shares)
            .filter_map(|(earned, _)| match earned {
                Earned::Deliverable(id) => Some(*id),
                Earned::Conversion(_) => None,
            })
            .collect(),
        conversion_ids: line
            .iter()
            .flat_map(|line| &line.shares)
            .filter_map(|(earned, _)| match earned {
                Earned::Conversion(id) => Some(*id),
                Earned::Deliverable(_) => None,
            })
            .collect(),
        amount_cents: cents.map_or(Cents::ZERO, |cents| cents.amount),
        fee_cents: cents.map_or(Cents::ZERO, |cents| cents.fee),
        total_cents: cents.map_or(Cents::ZERO, super::fee::LineCents::total),
        payable: reason.is_none(),
        reason,
    }
}
