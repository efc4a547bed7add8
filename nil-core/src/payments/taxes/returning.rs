//! Operators export a year's information returns, in the columns that the tax office's portal takes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::returns::{self, Payee, Return, Standing};
use super::tin::TinKind;
use super::{ReturnForm, year};
use crate::auth::Operator;
use crate::error::Result;
use crate::export::{Archive, Cell, Column, ExportFormat, Table, into_archive};
use crate::kernel::{PartnerId, Time};
use crate::operation::{Cx, Download, Pieces, Subject};
use crate::payments::ledger::Owner;
use crate::payments::store::tax_filed;
use crate::platform::Platform;
use crate::storage::Session;

/// The number of returns that the tax office takes in one file.
const PER_FILE: usize = 100;

/// The year to export.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ExportReturns {
    /// The tax year, which ends in each payer's time zone.
    #[schemars(range(min = 2021, max = 2100), extend("examples" = [2026]))]
    pub year: i64,
}

/// What whoever opens the file must know.
const NOTE: &str = "The titles of the columns were not compared with the templates that the tax office's portal (IRIS) hands \
                    out for this year after log-in. Compare them before you upload a file. Returns in not-filed.csv are in \
                    no other file. Not tax advice.";

/// The manifest's header, beside the list of files.
#[derive(Serialize)]
struct About {
    year: i64,
    made_at: Time,
    note: &'static str,
}

/// Exports a ZIP file with a year's information returns of brands for athletes and agents (extension): `1099-nec-….csv` and
/// `1099-misc-….csv` with at most a hundred returns each, `not-filed.csv` with those that cannot be filed and why, and last
/// `manifest.json`. Once returns of the year were filed, these files hold what was filed, files with `corrected` in their name
/// hold corrected returns, and `not-filed.csv` also names what waits to be filed. The files hold full taxpayer numbers. The
/// titles of the columns were not compared with the portal's templates of the year: compare them before you upload. Forms for
/// foreign persons (1042-S) are not made. The export is recorded in the audit trail. 422 for a year that is not from 2021 to
/// 2100. Not tax advice.
pub async fn export(cx: Cx<Operator>, input: ExportReturns) -> Result<Download> {
    year::check(input.year)?;
    let mut work = cx.begin_audited_read().await?;
    let subject = Subject::from(cx.caller.id);
    work.note_change(subject, "information_returns_exported", None, json!({ "year": input.year }));
    work.finish_read().await?;
    let name = format!("information-returns-{}.zip", input.year);
    Ok(Download::growing(name, "application/zip", move |pieces| write(cx, input.year, pieces)))
}

async fn write(cx: Cx<Operator>, year: i64, pieces: Pieces) -> Result<()> {
    let platform = cx.platform();
    let mut session = platform.db().read().await?;
    let is_filed = tax_filed::any(&mut session, year).await?;
    drop(session);
    let mut archive = Archive::new(pieces, cx.now());
    let parts: &[Part] = if is_filed { &[Part::Original, Part::Corrected] } else { &[Part::Draft] };
    for part in parts {
        for form in ReturnForm::ALL {
            if !files(platform, &mut archive, year, (*form, *part)).await? {
                return Ok(());
            }
        }
    }
    let open = NotFiled { platform: platform.clone(), year, is_filed };
    if into_archive(platform, &mut archive, "not-filed", ExportFormat::Csv, open).await? {
        archive.finish(&About { year, made_at: cx.now(), note: NOTE }).await?;
    }
    Ok(())
}

/// Which returns a file holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Those that would be filed.
    Draft,
    /// Those that were filed first.
    Original,
    /// The corrected returns that were filed last.
    Corrected,
}

impl Part {
    fn of(self, standing: &Standing) -> Option<Return> {
        match self {
            Self::Draft => standing.draft(),
            Self::Original => standing.original(),
            Self::Corrected => standing.corrected(),
        }
    }
}

/// Writes the returns on one form; returns whether the reader is still there.
async fn files(
    platform: &Platform,
    archive: &mut Archive,
    year: i64,
    (form, part): (ReturnForm, Part),
) -> Result<bool> {
    let mut number = 0;
    let mut last = None;
    let mut waiting: Vec<Return> = Vec::new();
    let kind = if part == Part::Corrected { "corrected-" } else { "" };
    loop {
        let mut session = platform.db().read().await?;
        let page =
            returns::of_payers_after(&mut session, platform.vault(), year, form, last).await?;
        drop(session);
        let over = page.is_none();
        if let Some((payer, found)) = page {
            last = Some(payer);
            waiting.extend(found.iter().filter_map(|standing| part.of(standing)));
        }
        while waiting.len() >= PER_FILE || (over && !waiting.is_empty()) {
            let rest = waiting.split_off(waiting.len().min(PER_FILE));
            let rows = std::mem::replace(&mut waiting, rest);
            number += 1;
            let name = format!("{}-{year}-{kind}{number:03}", form.as_str().to_lowercase());
            let csv = ExportFormat::Csv;
            let going = match form {
                ReturnForm::Services => {
                    into_archive(platform, archive, &name, csv, Nec(rows)).await
                }
                ReturnForm::Royalties => {
                    into_archive(platform, archive, &name, csv, Misc(rows)).await
                }
            };
            if !going? {
                return Ok(false);
            }
        }
        if over {
            return Ok(true);
        }
    }
}

/// A file for the form 1099-NEC.
struct Nec(Vec<Return>);

/// A file for the form 1099-MISC.
struct Misc(Vec<Return>);

fn payer(row: &Return) -> Option<&Payee> {
    row.parties.as_ref().ok().map(|parties| &parties.0)
}

fn recipient(row: &Return) -> Option<&Payee> {
    row.parties.as_ref().ok().map(|parties| &parties.1)
}

fn tin_kind(of: Option<&Payee>) -> Option<&'static str> {
    of.map(|of| match of.form.tin_kind {
        TinKind::Ein => "EIN",
        TinKind::Ssn | TinKind::Itin => "SSN",
    })
}

fn name_kind(of: Option<&Payee>) -> Option<&'static str> {
    of.map(|of| if of.is_person() { "I" } else { "B" })
}

fn business(of: Option<&Payee>) -> Option<String> {
    of.filter(|of| !of.is_person()).map(|of| of.business_lines().0)
}

fn business2(of: Option<&Payee>) -> Option<String> {
    of.filter(|of| !of.is_person()).and_then(|of| of.business_lines().1)
}

fn first_name(of: Option<&Payee>) -> Option<&str> {
    of.filter(|of| of.is_person()).and_then(|of| of.form.first_name.as_deref())
}

fn last_name(of: Option<&Payee>) -> Option<&str> {
    of.filter(|of| of.is_person()).and_then(|of| of.form.last_name.as_deref())
}

fn digits(of: Option<&str>) -> Option<String> {
    of.map(|text| text.chars().filter(char::is_ascii_digit).collect())
}

/// The number of an account of the United States: ten digits without the country code.
fn phone(of: Option<&Payee>) -> Option<String> {
    let digits = digits(of.and_then(|of| of.form.phone.as_deref()))?;
    Some(
        digits
            .strip_prefix('1')
            .filter(|rest| rest.len() == 10)
            .map_or(digits.clone(), str::to_owned),
    )
}

/// What tells the returns of a payer apart: an athlete's number, or an agent's after an `A`.
fn account(row: &Return) -> String {
    match row.payee {
        Owner::Athlete(id) => format!("{}-{id}", row.partner_id),
        Owner::Agent(id) => format!("{}-A{id}", row.partner_id),
        Owner::Partner(id) => format!("{}-P{id}", row.partner_id),
    }
}

/// The columns of a form: those that all forms begin with, its own, and those for states, which stay empty.
macro_rules! columns_of {
    ($($title:literal => $cell:expr,)+) => {
        &[
            Column("Form Type", |row| row.form.as_str().into()),
            Column("Tax Year", |row| row.year.to_string().into()),
            Column("Payer TIN Type", |row| tin_kind(payer(row)).into()),
            Column("Payer Taxpayer ID Number", |row| payer(row).map(|of| of.tin.digits()).into()),
            Column("Payer Name Type", |row| name_kind(payer(row)).into()),
            Column("Payer Business or Entity Name Line 1", |row| business(payer(row)).into()),
            Column("Payer Business or Entity Name Line 2", |row| business2(payer(row)).into()),
            Column("Payer First Name", |row| first_name(payer(row)).into()),
            Column("Payer Middle Name", |_| Cell::Empty),
            Column("Payer Last Name (Surname)", |row| last_name(payer(row)).into()),
            Column("Payer Suffix", |_| Cell::Empty),
            Column("Payer Country", |_| "US".into()),
            Column("Payer Address Line 1", |row| payer(row).map(|of| of.form.street.as_str()).into()),
            Column("Payer Address Line 2", |row| payer(row).and_then(|of| of.form.street2.as_deref()).into()),
            Column("Payer City/Town", |row| payer(row).map(|of| of.form.city.as_str()).into()),
            Column("Payer State/Province/Territory", |row| payer(row).map(|of| of.form.state.as_str()).into()),
            Column("Payer ZIP/Postal Code", |row| digits(payer(row).map(|of| of.form.postal_code.as_str())).into()),
            Column("Payer Phone Type", |_| "D".into()),
            Column("Payer Phone", |row| phone(payer(row)).into()),
            Column("Payer Email Address", |_| Cell::Empty),
            Column("Recipient TIN Type", |row| tin_kind(recipient(row)).into()),
            Column("Recipient Taxpayer ID Number", |row| recipient(row).map(|of| of.tin.digits()).into()),
            Column("Recipient Name Type", |row| name_kind(recipient(row)).into()),
            Column("Recipient Business or Entity Name Line 1", |row| business(recipient(row)).into()),
            Column("Recipient Business or Entity Name Line 2", |row| business2(recipient(row)).into()),
            Column("Recipient First Name", |row| first_name(recipient(row)).into()),
            Column("Recipient Middle Name", |_| Cell::Empty),
            Column("Recipient Last Name (Surname)", |row| last_name(recipient(row)).into()),
            Column("Recipient Suffix", |_| Cell::Empty),
            Column("Recipient Country", |_| "US".into()),
            Column("Recipient Address Line 1", |row| recipient(row).map(|of| of.form.street.as_str()).into()),
            Column("Recipient Address Line 2", |row| recipient(row).and_then(|of| of.form.street2.as_deref()).into()),
            Column("Recipient City/Town", |row| recipient(row).map(|of| of.form.city.as_str()).into()),
            Column("Recipient State/Province/Territory", |row| recipient(row).map(|of| of.form.state.as_str()).into()),
            Column("Recipient ZIP/Postal Code", |row| digits(recipient(row).map(|of| of.form.postal_code.as_str())).into()),
            Column("Office Code", |_| Cell::Empty),
            Column("Form Account Number", |row| account(row).into()),
            $(Column($title, $cell),)+
            Column("Combined Federal/State Filing", |_| Cell::Empty),
            Column("State 1", |_| Cell::Empty),
            Column("State 1 - State Tax Withheld", |_| Cell::Empty),
            Column("State 1 - State/Payer state number", |_| Cell::Empty),
            Column("State 1 - State income", |_| Cell::Empty),
            Column("State 1 - Local income tax withheld", |_| Cell::Empty),
            Column("State 1 - Special Data Entries", |_| Cell::Empty),
            Column("State 2", |_| Cell::Empty),
            Column("State 2 - State Tax Withheld", |_| Cell::Empty),
            Column("State 2 - State/Payer state number", |_| Cell::Empty),
            Column("State 2 - State income", |_| Cell::Empty),
            Column("State 2 - Local income tax withheld", |_| Cell::Empty),
            Column("State 2 - Special Data Entries", |_| Cell::Empty),
        ]
    };
}

impl Table for Nec {
    type Row = Return;
    const SHEET: &'static str = "1099-NEC";
    // The tax office's upload takes it.
    const FOR_SPREADSHEETS: bool = false;
    const COLUMNS: &'static [Column<Return>] = columns_of! {
        "2nd TIN Notice" => |_| Cell::Empty,
        "Box 1 - Nonemployee Compensation" => |row| row.amount.into(),
        "Box 2 - Payer made direct sales totaling $5000 or more of consumer products to a recipient for resale" => |_| Cell::Empty,
        "Box 4 - Federal income tax withheld" => |row| row.withheld.into(),
    };

    async fn next(&self, _: &mut Session, after: Option<&Return>, _: u64) -> Result<Vec<Return>> {
        Ok(if after.is_none() { self.0.clone() } else { Vec::new() })
    }
}

impl Table for Misc {
    type Row = Return;
    const SHEET: &'static str = "1099-MISC";
    // The tax office's upload takes it.
    const FOR_SPREADSHEETS: bool = false;
    const COLUMNS: &'static [Column<Return>] = columns_of! {
        "2nd TIN Notice" => |_| Cell::Empty,
        "FATCA Filing Requirements" => |_| Cell::Empty,
        "Box 1 - Rents" => |_| Cell::Empty,
        "Box 2 - Royalties" => |row| row.amount.into(),
        "Box 3 - Other income" => |_| Cell::Empty,
        "Box 4 - Federal income tax withheld" => |row| row.withheld.into(),
        "Box 5 - Fishing boat proceeds" => |_| Cell::Empty,
        "Box 6 - Medical and health care payments" => |_| Cell::Empty,
        "Box 7 - Payer made direct sales totaling $5000 or more of consumer products to a recipient for resale" => |_| Cell::Empty,
        "Box 8 - Substitute payments in lieu of dividends or interest" => |_| Cell::Empty,
        "Box 9 - Crop insurance proceeds" => |_| Cell::Empty,
        "Box 10 - Gross proceeds paid to an attorney" => |_| Cell::Empty,
        "Box 11 - Fish purchased for resale" => |_| Cell::Empty,
        "Box 12 - Section 409A deferrals" => |_| Cell::Empty,
        "Box 15 - Nonqualified deferred compensation" => |_| Cell::Empty,
    };

    async fn next(&self, _: &mut Session, after: Option<&Return>, _: u64) -> Result<Vec<Return>> {
        Ok(if after.is_none() { self.0.clone() } else { Vec::new() })
    }
}

/// The returns on all forms that cannot be filed, or wait to be.
struct NotFiled {
    platform: Platform,
    year: i64,
    is_filed: bool,
}

impl NotFiled {
    async fn of(
        &self,
        session: &mut Session,
        form: ReturnForm,
        mut last: Option<PartnerId>,
    ) -> Result<Vec<Return>> {
        let vault = self.platform.vault();
        while let Some((payer, found)) =
            returns::of_payers_after(session, vault, self.year, form, last).await?
        {
            last = Some(payer);
            let rows: Vec<Return> =
                found.iter().filter_map(|standing| standing.open(self.is_filed)).collect();
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
        Ok(Vec::new())
    }
}

impl Table for NotFiled {
    type Row = Return;
    const SHEET: &'static str = "Not filed";
    const COLUMNS: &'static [Column<Return>] = &[
        Column("Form", |row| row.form.as_str().into()),
        Column("Tax year", |row| row.year.to_string().into()),
        Column("Brand ID", |row| row.partner_id.get().into()),
        Column("Company", |row| (&row.company_name).into()),
        Column("Recipient", |row| row.payee.to_string().into()),
        Column("Recipient's name", |row| (&row.payee_name).into()),
        Column("Amount", |row| row.amount.into()),
        Column("Withheld", |row| row.withheld.into()),
        Column("Why not", |row| row.parties.as_ref().err().map(|why| why.join(", ")).into()),
    ];

    /// The rows of the last payer's page end with a payer, so the next page begins with the one after.
    async fn next(
        &self,
        session: &mut Session,
        after: Option<&Return>,
        _: u64,
    ) -> Result<Vec<Return>> {
        let (form, last) = match after {
            None => (ReturnForm::Services, None),
            Some(row) => (row.form, Some(row.partner_id)),
        };
        let rows = self.of(session, form, last).await?;
        if !rows.is_empty() || form == ReturnForm::Royalties {
            return Ok(rows);
        }
        self.of(session, ReturnForm::Royalties, None).await
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::form::TaxClass;
    use super::super::returns::a_payee;
    use super::*;
    use crate::kernel::{AthleteId, Cents};

    fn a_return(form: ReturnForm, amount: Cents) -> Return {
        let payer = a_payee(TaxClass::LlcPartnership, TinKind::Ein, "123456789");
        let recipient = a_payee(TaxClass::Individual, TinKind::Itin, "912701234");
        Return {
            year: 2026,
            form,
            partner_id: PartnerId::new(7).unwrap(),
            company_name: "Cedar Coffee".into(),
            payee: Owner::Athlete(AthleteId::new(3).unwrap()),
            payee_name: "Jordan Lake".into(),
            amount,
            withheld: Cents(24_000),
            parties: Ok(Box::new((payer, recipient))),
        }
    }

    /// The cells of a row, by title; empty ones are left out.
    fn filled<'r>(columns: &[Column<Return>], row: &'r Return) -> Vec<(&'static str, Cell<'r>)> {
        let cells = columns.iter().map(|Column(title, cell)| (*title, cell(row)));
        cells.filter(|(_, cell)| *cell != Cell::Empty).collect()
    }

    fn boxes<'r>(columns: &[Column<Return>], row: &'r Return) -> Vec<(&'static str, Cell<'r>)> {
        let all = filled(columns, row).into_iter();
        all.filter(|(title, _)| title.starts_with("Box ")).collect()
    }

    #[test]
    fn each_kind_of_income_is_in_its_box() {
        let withheld = ("Box 4 - Federal income tax withheld", Cell::Cents(24_000));
        let services = a_return(ReturnForm::Services, Cents(200_000));
        let first = ("Box 1 - Nonemployee Compensation", Cell::Cents(200_000));
        assert_eq!(boxes(Nec::COLUMNS, &services), [first, withheld.clone()]);
        let royalties = a_return(ReturnForm::Royalties, Cents(1_001));
        let second = ("Box 2 - Royalties", Cell::Cents(1_001));
        assert_eq!(boxes(Misc::COLUMNS, &royalties), [second, withheld]);
    }

    #[test]
    fn numbers_are_digits_alone_and_states_their_codes() {
        let row = a_return(ReturnForm::Services, Cents(200_000));
        let all: BTreeMap<_, _> = filled(Nec::COLUMNS, &row).into_iter().collect();
        for (title, value) in [
            ("Payer TIN Type", "EIN"),
            ("Recipient TIN Type", "SSN"),
            ("Recipient Taxpayer ID Number", "912701234"),
            ("Recipient ZIP/Postal Code", "009011234"),
            ("Recipient State/Province/Territory", "PR"),
            ("Recipient Country", "US"),
            ("Payer Phone", "3125550123"),
            ("Form Account Number", "7-3"),
        ] {
            assert_eq!(all[title], Cell::from(value), "{title}");
        }
        // A number of another country keeps its code.
        let mut payer = a_payee(TaxClass::LlcPartnership, TinKind::Ein, "123456789");
        payer.form.phone = Some("+442079460123".into());
        assert_eq!(phone(Some(&payer)).unwrap(), "442079460123");
        payer.form.phone = None;
        assert_eq!(phone(Some(&payer)), None);
    }
}
