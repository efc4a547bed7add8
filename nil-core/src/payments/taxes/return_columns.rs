//! The columns of the files of information returns, a table for each form, as the tax office's
//! portal names them.

use super::returns::{Payee, Return};
use super::tin::TinKind;
use crate::error::Result;
use crate::export::{Cell, Column, Table};
use crate::payments::ledger::Owner;
use crate::storage::Session;

/// A file for the form 1099-NEC.
pub(super) struct Nec(pub Vec<Return>);

/// A file for the form 1099-MISC.
pub(super) struct Misc(pub Vec<Return>);

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

/// The columns of a form: those that all forms begin with, its own, and those for states, which
/// stay empty.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::ReturnForm;
    use super::super::form::TaxClass;
    use super::super::returns::a_payee;
    use super::*;
    use crate::kernel::{AthleteId, Cents, PartnerId};

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
