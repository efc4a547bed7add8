//! All data on an institution's deals, as one ZIP file.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::filter::{Filtered, Wanted};
use super::store::export as store;
use super::tables::{Athletes, Contracts, Disclosures, Transactions, document};
use crate::auth::PortalUser;
use crate::contracts::downloading;
use crate::error::Result;
use crate::export::{Archive, ExportFormat, into_archive};
use crate::kernel::{CollegeId, ContractId, Date, Time};
use crate::operation::{Cx, Download, Pieces};

/// The file that explains the others, and its name.
const README: (&str, &str) = ("README.txt", include_str!("../../assets/exports/transactions.txt"));

/// The number of contracts whose documents are noted at once.
const DOCUMENTS: u64 = 500;

/// The content of the export.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct ExportTransactions {
    /// Whether to add the contracts' documents (PDF).
    pub contracts: Option<bool>,
    /// The format of the tables (default `csv`).
    pub format: Option<ExportFormat>,
}

/// The manifest's header, besides the list of files.
#[derive(Serialize)]
struct About {
    college_id: CollegeId,
    made_at: Time,
    time_zone: &'static str,
    from: Option<Date>,
    to: Option<Date>,
}

/// Exports a ZIP file with `README.txt`, which explains columns and sums, `transactions.csv`,
/// `athletes.csv`, `contracts.csv`, `disclosures.csv` (or the same as spreadsheets, `.xlsx`), the
/// contracts' documents under `contracts/` if `contracts` is true, and last `manifest.json` with
/// every file's size and SHA-256. Transactions follow the filter, in every status unless some are
/// requested; contracts are selected by the day they were generated, disclosed jobs by the day they
/// were signed. The filter's statuses, flags and amounts do not apply to contracts and disclosed
/// jobs. The file is streamed; the export and each document are recorded in the audit trail.
pub async fn export(cx: Cx<PortalUser>, input: Filtered<ExportTransactions>) -> Result<Download> {
    let (input, filter) = input.parts();
    let with_documents = input.contracts.unwrap_or(false);
    let format = input.format.unwrap_or(ExportFormat::Csv);
    let mut work = cx.begin_audited_read().await?;
    let wanted = Wanted::of(&cx, &mut work, filter).await?;
    let what = json!({ "from": wanted.from, "to": wanted.to, "contracts": with_documents });
    work.note_change(cx.caller.college_id, "transactions_exported", None, what);
    work.finish_read().await?;
    let name = format!("transactions-{}.zip", wanted.today());
    Ok(Download::growing(name, "application/zip", |pieces| {
        write(cx, wanted, (with_documents, format), pieces)
    }))
}

async fn write(
    cx: Cx<PortalUser>,
    wanted: Wanted,
    (with_documents, format): (bool, ExportFormat),
    pieces: Pieces,
) -> Result<()> {
    let mut archive = Archive::new(pieces, wanted.now);
    let about = About {
        college_id: wanted.college,
        made_at: wanted.now,
        time_zone: wanted.zone.name(),
        from: wanted.from,
        to: wanted.to,
    };
    let platform = cx.platform();
    let (name, text) = README;
    archive.begin(name).await?;
    archive.write(text.into()).await?;
    // The documents come first, because the table of contracts names their files.
    let mut files = HashMap::new();
    if with_documents && !documents(&cx, &wanted, &mut archive, &mut files).await? {
        return Ok(());
    }
    let contracts = Contracts { wanted: wanted.clone(), files };
    let (transactions, athletes) = (Transactions(wanted.clone()), Athletes(wanted.clone()));
    let disclosures = Disclosures(wanted.clone());
    let whole = into_archive(platform, &mut archive, "transactions", format, transactions).await?
        && into_archive(platform, &mut archive, "athletes", format, athletes).await?
        && into_archive(platform, &mut archive, "contracts", format, contracts).await?
        && into_archive(platform, &mut archive, "disclosures", format, disclosures).await?;
    if whole {
        archive.finish(&about).await?;
    }
    Ok(())
}

/// Writes the documents of all contracts, and notes the files; returns whether the reader is still
/// there.
async fn documents(
    cx: &Cx<PortalUser>,
    wanted: &Wanted,
    archive: &mut Archive,
    files: &mut HashMap<ContractId, String>,
) -> Result<bool> {
    let mut last: Option<ContractId> = None;
    loop {
        let mut session = cx.read().await?;
        let rows = store::contracts(&mut session, wanted, last, DOCUMENTS).await?;
        drop(session);
        last = rows.last().map(|row| row.id);
        if last.is_none() {
            return Ok(true);
        }
        let ids: Vec<ContractId> = rows.iter().map(|row| row.id).collect();
        downloading::note_export(cx, &ids).await?;
        for row in &rows {
            let account = &cx.facts().actor;
            let (ending, paper) = downloading::paper(cx.platform(), account, row.id).await?;
            let name = document(&row.number, ending);
            archive.begin(&name).await?;
            if !archive.write(paper).await? {
                return Ok(false);
            }
            files.insert(row.id, name);
        }
    }
}
