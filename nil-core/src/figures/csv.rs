//! The tables of exports.

use super::athletes::CollegeAthlete;
use super::store::export::{ContractLine, DisclosureLine};
use super::transaction::Transaction;
use crate::institutions::DealFlag;
use crate::kernel::{Sheet, Time};

fn moment(at: Option<Time>) -> Option<String> {
    at.map(|at| at.format("%Y-%m-%dT%H:%M:%SZ").to_string())
}

fn flags(flags: &[DealFlag]) -> String {
    let words: Vec<_> = flags.iter().map(|flag| flag.as_str()).collect();
    words.join(" ")
}

/// The table of athletes.
pub(super) fn athletes() -> Sheet {
    Sheet::headed(&[
        "Athlete",
        "Name",
        "Sport",
        "Gender",
        "Position",
        "Class year",
        "Jersey number",
        "Account",
        "Under 18",
        "Agency",
        "Transactions",
        "Gross",
        "Net",
        "Refunded",
        "Currency",
        "Last transaction",
        "Flags",
        "Joined",
    ])
}

/// A line of it.
pub(super) fn athlete(sheet: &mut Sheet, row: &CollegeAthlete) {
    sheet.number(row.id.get());
    sheet.text(&row.display_name);
    sheet.maybe(row.sport.as_deref());
    sheet.maybe(row.gender);
    sheet.maybe(row.position.as_deref());
    sheet.maybe(row.class_year);
    sheet.maybe(row.jersey_number.as_deref());
    sheet.text(row.status.as_str());
    sheet.text(if row.minor { "yes" } else { "no" });
    sheet.maybe(row.agency.as_deref());
    sheet.number(row.totals.count);
    sheet.cents(row.totals.gross_cents.get());
    sheet.cents(row.totals.net_cents.get());
    sheet.cents(row.totals.refunded_cents.get());
    sheet.text("usd");
    sheet.maybe(moment(row.totals.last_at));
    sheet.text(&flags(&row.flags));
    sheet.maybe(moment(Some(row.created_at)));
    sheet.end_line();
}

/// The table of transactions.
pub(super) fn transactions() -> Sheet {
    Sheet::headed(&[
        "Number",
        "Source",
        "Occurred at",
        "Athlete",
        "Athlete name",
        "Sport",
        "Gender",
        "Payer",
        "Category",
        "Payment type",
        "Gross",
        "Fee",
        "Net",
        "Refunded",
        "Currency",
        "Status",
        "Contract",
        "Disclosed job",
        "Flags",
    ])
}

/// A line of it.
pub(super) fn transaction(sheet: &mut Sheet, row: &Transaction) {
    sheet.text(&row.number);
    sheet.text(row.source.as_str());
    sheet.maybe(moment(Some(row.occurred_at)));
    sheet.number(row.athlete_id.get());
    sheet.text(&row.athlete);
    sheet.maybe(row.sport.as_deref());
    sheet.maybe(row.gender);
    sheet.text(&row.payer);
    sheet.text(&row.category);
    sheet.text(row.payment_type.as_str());
    sheet.cents(row.gross_cents.get());
    sheet.cents(row.fee_cents.get());
    sheet.cents(row.net_cents.get());
    sheet.cents(row.refunded_cents.get());
    sheet.text(&row.currency);
    sheet.text(row.status.as_str());
    sheet.maybe(row.contract_id);
    sheet.maybe(row.disclosed_job_id);
    sheet.text(&flags(&row.flags));
    sheet.end_line();
}

/// The index of contracts.
pub(super) fn contracts() -> Sheet {
    Sheet::headed(&[
        "Contract",
        "Number",
        "Status",
        "Job",
        "Job title",
        "Athlete",
        "Athlete name",
        "Payer",
        "Agreed amount",
        "Currency",
        "Generated at",
        "Executed at",
        "Cancelled at",
        "Completed at",
        "SHA-256 of the terms",
        "File",
    ])
}

/// A line of it; `file` is the name of the document in the archive, where it is there.
pub(super) fn contract(sheet: &mut Sheet, row: &ContractLine, file: Option<&str>) {
    sheet.number(row.id.get());
    sheet.text(&row.number);
    sheet.text(row.status.as_str());
    sheet.number(row.job_id.get());
    sheet.text(&row.job_title);
    sheet.number(row.athlete_id.get());
    sheet.text(&row.athlete);
    sheet.text(&row.payer);
    sheet.cents(row.agreed_amount_cents.get());
    sheet.text("usd");
    sheet.maybe(moment(Some(row.generated_at)));
    sheet.maybe(moment(row.executed_at));
    sheet.maybe(moment(row.cancelled_at));
    sheet.maybe(moment(row.completed_at));
    sheet.text(&row.document_sha256);
    sheet.maybe(file);
    sheet.end_line();
}

/// The table of disclosed jobs.
pub(super) fn disclosures() -> Sheet {
    Sheet::headed(&[
        "Disclosed job",
        "Status",
        "Athlete",
        "Athlete name",
        "Payer",
        "Payer kind",
        "Title",
        "Category",
        "Payment type",
        "Amount",
        "Currency",
        "Signed on",
        "Due at",
        "First handed in",
        "Late",
        "Associated entity",
        "Decided by",
        "Decided at",
        "Clearinghouse",
        "Clearinghouse due",
        "Clearinghouse reference",
    ])
}

/// A line of it.
pub(super) fn disclosure(sheet: &mut Sheet, row: &DisclosureLine) {
    let yes = |yes| if yes { "yes" } else { "no" };
    sheet.number(row.id.get());
    sheet.text(row.status.as_str());
    sheet.number(row.athlete_id.get());
    sheet.text(&row.athlete);
    sheet.text(&row.payer);
    sheet.text(row.payer_kind.as_str());
    sheet.text(&row.title);
    sheet.text(&row.category);
    sheet.text(row.compensation.as_str());
    sheet.cents(row.amount_cents.get());
    sheet.text("usd");
    sheet.text(&row.signed_on.to_string());
    sheet.maybe(moment(Some(row.due_at)));
    sheet.maybe(moment(Some(row.first_submitted_at)));
    sheet.text(yes(row.is_late()));
    sheet.text(yes(row.associated_entity));
    sheet.maybe(row.decided_by.as_deref());
    sheet.maybe(moment(row.decided_at));
    sheet.maybe(row.clearinghouse);
    sheet.maybe(moment(row.clearinghouse_due_at));
    sheet.maybe(row.clearinghouse_reference.as_deref());
    sheet.end_line();
}
