//! Operators export payments and payouts.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::filter::{ExportedPayouts, PaymentFilter, PaymentSort, Wanted};
use crate::auth::Operator;
use crate::error::Result;
use crate::export::{Column, Report, Table};
use crate::kernel::{AgentId, AthleteId, BulkId, Combined, PayoutId};
use crate::operation::{Cx, Download};
use crate::payments::charges::payment::{Payment, PaymentStatus};
use crate::payments::payouts::payout::Payout;
use crate::payments::store::{payout as payouts, records};
use crate::storage::Session;

/// Which payments an export has.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct ExportPayments {
    /// Only payments with this status.
    pub status: Option<PaymentStatus>,
}

/// An export of payments: its own filter beside those of the list.
pub type ExportedPayments = Combined<PaymentFilter, ExportPayments>;

/// Exports payments as a spreadsheet, ordered by id. The export is recorded in the audit trail.
pub async fn xlsx(cx: Cx<Operator>, input: ExportedPayments) -> Result<Download> {
    Payments::of(input)?.xlsx(&cx).await
}

/// Exports the payments that the filter selects as CSV, oldest first.
pub async fn csv(cx: Cx<Operator>, input: ExportedPayments) -> Result<Download> {
    Payments::of(input)?.csv(&cx).await
}

/// An export of these payments.
pub struct Payments(Wanted);

impl Payments {
    /// The payments that the filter selects, oldest first. 422 for a filter that is none.
    pub fn of(input: ExportedPayments) -> Result<Self> {
        let (ExportPayments { status }, filter) = input.parts();
        filter.wanted(None, status, Some(PaymentSort::Oldest)).map(Self)
    }
}

impl Report for Payments {
    const FILE: &'static str = "payments";
    const ACTION: &'static str = "payments_exported";
}

impl Table for Payments {
    type Row = Payment;
    const SHEET: &'static str = "Payments";

    const COLUMNS: &'static [Column<Payment>] = &[
        Column("Payment", |row| (&row.number).into()),
        Column("Status", |row| row.status.as_str().into()),
        Column("Brand ID", |row| row.partner_id.get().into()),
        Column("Company", |row| (&row.company_name).into()),
        Column("Athlete ID", |row| row.athlete_id.get().into()),
        Column("Athlete's name", |row| (&row.athlete_name).into()),
        Column("Contract ID", |row| row.contract_id.get().into()),
        Column("Job", |row| (&row.job_title).into()),
        Column("Amount", |row| row.amount_cents.into()),
        Column("Fee", |row| row.fee_cents.into()),
        Column("Agent's commission", |row| row.agent_commission_cents.into()),
        Column("Charged", |row| row.total_cents.into()),
        Column("Refunded", |row| row.refunded_cents.into()),
        Column("Refunded fee", |row| row.refunded_fee_cents.into()),
        Column("Currency", |row| (&row.currency).into()),
        Column("Bulk payment ID", |row| row.bulk_id.map(BulkId::get).into()),
        Column("Processor's charge", |row| (&row.processor_charge_id).into()),
        Column("Failure", |row| (&row.failure_code).into()),
        Column("Requested", |row| row.created_at.into()),
        Column("Paid", |row| row.paid_at.into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&Payment>,
        most: u64,
    ) -> Result<Vec<Payment>> {
        records::after(session, &self.0, after.map(|last| last.id), most).await
    }
}

impl Table for ExportedPayouts {
    type Row = Payout;
    const SHEET: &'static str = "Payouts";

    const COLUMNS: &'static [Column<Payout>] = &[
        Column("Payout ID", |row| row.id.get().into()),
        Column("Athlete ID", |row| row.athlete_id.map(AthleteId::get).into()),
        Column("Agent ID", |row| row.agent_id.map(AgentId::get).into()),
        Column("Amount", |row| row.amount_cents.into()),
        Column("Status", |row| row.status.as_str().into()),
        Column("Attempt", |row| row.attempt.into()),
        Column("Retry of", |row| row.retry_of.map(PayoutId::get).into()),
        Column("On hold because", |row| held_because(row).into()),
        Column("Failure", |row| (&row.failure_code).into()),
        Column("Processor's transfer", |row| (&row.processor_transfer_id).into()),
        Column("Arrives", |row| row.arrives_on.into()),
        Column("Made", |row| row.created_at.into()),
        Column("Last changed", |row| row.updated_at.into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&Payout>,
        most: u64,
    ) -> Result<Vec<Payout>> {
        payouts::after(session, self, after.map(|last| last.id), most).await
    }
}

/// The reasons of a hold, in one cell.
fn held_because(payout: &Payout) -> Option<String> {
    let reasons = payout.hold_reasons.as_array()?;
    let reasons: Vec<&str> = reasons.iter().filter_map(Value::as_str).collect();
    (!reasons.is_empty()).then(|| reasons.join(", "))
}
