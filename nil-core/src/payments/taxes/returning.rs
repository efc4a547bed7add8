//! Operators export a year's information returns, in the columns that the tax office's portal
//! takes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::return_columns::{Misc, Nec};
use super::returns::{self, Return, Standing};
use super::{ReturnForm, year};
use crate::auth::Operator;
use crate::error::Result;
use crate::export::{Archive, Column, ExportFormat, Table, into_archive};
use crate::kernel::{PartnerId, Time};
use crate::operation::{Cx, Download, Pieces, Subject};
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

/// Exports a ZIP file with a year's information returns of brands for athletes and agents
/// (extension): `1099-nec-….csv` and `1099-misc-….csv` with at most a hundred returns each,
/// `not-filed.csv` with those that cannot be filed and why, and last `manifest.json`. Once returns
/// of the year were filed, these files hold what was filed, files with `corrected` in their name
/// hold corrected returns, and `not-filed.csv` also names what waits to be filed. The files hold
/// full taxpayer numbers. The titles of the columns were not compared with the portal's templates
/// of the year: compare them before you upload. Forms for foreign persons (1042-S) are not made.
/// The export is recorded in the audit trail. 422 for a year that is not from 2021 to
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

    /// The rows of the last payer's page end with a payer, so the next page begins with the one
    /// after.
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
