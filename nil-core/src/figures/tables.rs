//! The columns of exported tables.

use std::collections::HashMap;

use super::athlete::CollegeAthlete;
use super::filter::Wanted;
use super::store::export::{self as store, ContractLine, DisclosureLine, TransactionLine};
use super::tallying;
use super::transaction::TransactionSource;
use crate::accounts::{ClassYear, Gender};
use crate::disclosures::ClearanceStatus;
use crate::error::Result;
use crate::export::{Column, Table};
use crate::institutions::DealFlag;
use crate::kernel::{Cents, ContractId};
use crate::storage::Session;

/// The currency of amounts without a currency column.
const USD: &str = "usd";

fn words(flags: &[DealFlag]) -> String {
    let words: Vec<_> = flags.iter().map(|flag| flag.as_str()).collect();
    words.join(" ")
}

/// The institution's athletes with their transaction totals, in the order of their ids.
pub(super) struct Athletes(pub(super) Wanted);

impl Table for Athletes {
    type Row = CollegeAthlete;
    const SHEET: &'static str = "Athletes";

    const COLUMNS: &'static [Column<CollegeAthlete>] = &[
        Column("Athlete ID", |row| row.id.get().into()),
        Column("Name", |row| (&row.display_name).into()),
        Column("Sport", |row| (&row.sport).into()),
        Column("Gender", |row| row.gender.map(Gender::as_str).into()),
        Column("Position", |row| (&row.position).into()),
        Column("Class year", |row| row.class_year.map(ClassYear::as_str).into()),
        Column("Jersey number", |row| (&row.jersey_number).into()),
        Column("Account", |row| row.status.as_str().into()),
        Column("Under 18", |row| row.minor.into()),
        Column("Agency", |row| (&row.agency).into()),
        Column("Transactions", |row| row.totals.count.into()),
        Column("Gross", |row| row.totals.gross_cents.into()),
        Column("Net", |row| row.totals.net_cents.into()),
        Column("Refunded", |row| row.totals.refunded_cents.into()),
        Column("Currency", |_| USD.into()),
        Column("Last transaction", |row| row.totals.last_at.into()),
        Column("Flags", |row| words(&row.flags).into()),
        Column("Joined", |row| row.created_at.into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&CollegeAthlete>,
        most: u64,
    ) -> Result<Vec<CollegeAthlete>> {
        tallying::after(session, &self.0, after.map(|row| row.id), most).await
    }
}

/// Transactions, newest first.
pub(super) struct Transactions(pub(super) Wanted);

impl Table for Transactions {
    type Row = TransactionLine;
    const SHEET: &'static str = "Transactions";

    const COLUMNS: &'static [Column<TransactionLine>] = &[
        Column("Number", |row| (&row.number).into()),
        Column("Source", |row| row.source.as_str().into()),
        Column("Occurred at", |row| row.occurred_at.into()),
        Column("Athlete ID", |row| row.athlete_id.get().into()),
        Column("Athlete name", |row| (&row.athlete).into()),
        Column("Sport", |row| (&row.sport).into()),
        Column("Gender", |row| row.gender.map(Gender::as_str).into()),
        Column("Payer", |row| (&row.payer).into()),
        Column("Category", |row| (&row.category).into()),
        Column("Payment type", |row| row.payment_type.as_str().into()),
        Column("Gross", |row| row.gross_cents.into()),
        Column("Fee", |row| row.fee_cents.into()),
        Column("Commission", |row| Cents(row.gross_cents.get() - row.net_cents.get()).into()),
        Column("Net", |row| row.net_cents.into()),
        Column("Refunded", |row| row.refunded_cents.into()),
        Column("Currency", |row| (&row.currency).into()),
        Column("Status", |row| row.status.as_str().into()),
        Column("Counted", |row| row.counted.into()),
        Column("Contract ID", |row| row.contract_id.map(ContractId::get).into()),
        Column("Disclosed job ID", |row| {
            (row.source == TransactionSource::Disclosed).then_some(row.record_id).into()
        }),
        Column("Flags", |row| words(&row.marks.flags()).into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&TransactionLine>,
        most: u64,
    ) -> Result<Vec<TransactionLine>> {
        store::transactions(session, &self.0, after, most).await
    }
}

/// The index of contracts, in the order of their ids.
pub(super) struct Contracts {
    pub(super) wanted: Wanted,
    /// The files of the contracts' documents in the archive, if they are in it.
    pub(super) files: HashMap<ContractId, String>,
}

/// The name of a contract's document in the archive. The platform assigns the numbers, so they are
/// safe file names.
pub(super) fn document(number: &str, ending: &str) -> String {
    format!("contracts/{number}.{ending}")
}

impl Table for Contracts {
    type Row = ContractLine;
    const SHEET: &'static str = "Contracts";

    const COLUMNS: &'static [Column<ContractLine>] = &[
        Column("Contract ID", |row| row.id.get().into()),
        Column("Number", |row| (&row.number).into()),
        Column("Status", |row| row.status.as_str().into()),
        Column("Job ID", |row| row.job_id.get().into()),
        Column("Job title", |row| (&row.job_title).into()),
        Column("Athlete ID", |row| row.athlete_id.get().into()),
        Column("Athlete name", |row| (&row.athlete).into()),
        Column("Payer", |row| (&row.payer).into()),
        Column("Agreed amount", |row| row.agreed_amount_cents.into()),
        Column("Currency", |_| USD.into()),
        Column("Generated at", |row| row.generated_at.into()),
        Column("Executed at", |row| row.executed_at.into()),
        Column("Cancelled at", |row| row.cancelled_at.into()),
        Column("Completed at", |row| row.completed_at.into()),
        Column("SHA-256 of the terms", |row| (&row.document_sha256).into()),
        Column("File", |row| (&row.file).into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&ContractLine>,
        most: u64,
    ) -> Result<Vec<ContractLine>> {
        let mut rows =
            store::contracts(session, &self.wanted, after.map(|row| row.id), most).await?;
        for row in &mut rows {
            row.file = self.files.get(&row.id).cloned();
        }
        Ok(rows)
    }
}

/// Disclosed jobs, in the order of their ids.
pub(super) struct Disclosures(pub(super) Wanted);

impl Table for Disclosures {
    type Row = DisclosureLine;
    const SHEET: &'static str = "Disclosed jobs";

    const COLUMNS: &'static [Column<DisclosureLine>] = &[
        Column("Disclosed job ID", |row| row.id.get().into()),
        Column("Status", |row| row.status.as_str().into()),
        Column("Athlete ID", |row| row.athlete_id.get().into()),
        Column("Athlete name", |row| (&row.athlete).into()),
        Column("Payer", |row| (&row.payer).into()),
        Column("Payer kind", |row| row.payer_kind.as_str().into()),
        Column("Title", |row| (&row.title).into()),
        Column("Category", |row| (&row.category).into()),
        Column("Payment type", |row| row.compensation.as_str().into()),
        Column("Amount", |row| row.amount_cents.into()),
        Column("Currency", |_| USD.into()),
        Column("Signed on", |row| row.signed_on.into()),
        Column("Due at", |row| row.due_at.into()),
        Column("First handed in", |row| row.first_submitted_at.into()),
        Column("Late", |row| row.is_late().into()),
        Column("Associated entity", |row| row.associated_entity.into()),
        Column("Decided by", |row| (&row.decided_by).into()),
        Column("Decided at", |row| row.decided_at.into()),
        Column("Clearinghouse", |row| row.clearinghouse.map(ClearanceStatus::as_str).into()),
        Column("Clearinghouse due", |row| row.clearinghouse_due_at.into()),
        Column("Clearinghouse reference", |row| (&row.clearinghouse_reference).into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&DisclosureLine>,
        most: u64,
    ) -> Result<Vec<DisclosureLine>> {
        store::disclosures(session, &self.0, after.map(|row| row.id), most).await
    }
}
