//! Operators export payments.

use schemars::JsonSchema;
use serde::Deserialize;

use super::admin::{PaymentFilter, PaymentSort};
use super::payment::{Payment, PaymentStatus};
use super::store::records::{self, Wanted};
use crate::auth::Operator;
use crate::error::Result;
use crate::export::{Column, Report, Table};
use crate::kernel::{BulkId, Combined};
use crate::operation::{Cx, Download};
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

/// The same as CSV.
pub async fn csv(cx: Cx<Operator>, input: ExportedPayments) -> Result<Download> {
    Payments::of(input)?.csv(&cx).await
}

/// An export of these payments.
pub(crate) struct Payments(Wanted);

impl Payments {
    pub(crate) fn of(input: ExportedPayments) -> Result<Self> {
        let (ExportPayments { status }, filter) = input.parts();
        filter.wanted(None, status, PaymentSort::Oldest).map(Self)
    }
}

impl Report for Payments {
    const FILE: &'static str = "payments";
    const ACTION: &'static str = "payments_exported";
}

impl Table for Payments {
    type Row = Payment;

    const COLUMNS: &'static [Column<Payment>] = &[
        Column("Payment", |row| (&row.number).into()),
        Column("Status", |row| row.status.as_str().into()),
        Column("Brand", |row| row.partner_id.get().into()),
        Column("Company", |row| (&row.company_name).into()),
        Column("Athlete", |row| row.athlete_id.get().into()),
        Column("Athlete's name", |row| (&row.athlete_name).into()),
        Column("Contract", |row| row.contract_id.get().into()),
        Column("Job", |row| (&row.job_title).into()),
        Column("Amount", |row| row.amount_cents.into()),
        Column("Fee", |row| row.fee_cents.into()),
        Column("Agent's commission", |row| row.agent_commission_cents.into()),
        Column("Charged", |row| row.total_cents.into()),
        Column("Refunded", |row| row.refunded_cents.into()),
        Column("Refunded fee", |row| row.refunded_fee_cents.into()),
        Column("Currency", |row| (&row.currency).into()),
        Column("Bulk payment", |row| row.bulk_id.map(BulkId::get).into()),
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
