//! Everything there is on an institution's deals, as one ZIP file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::filter::{Filtered, Wanted};
use super::store::export as store;
use super::tables::{Athletes, Contracts, Disclosures, Transactions, document};
use crate::auth::PortalUser;
use crate::contracts::downloading;
use crate::error::Result;
use crate::export::{Archive, into_archive};
use crate::kernel::{CollegeId, ContractId, Date, Time};
use crate::operation::{Cx, Download, Pieces};

/// What is exported.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct ExportTransactions {
    /// Whether the contracts' documents (PDF) are added.
    pub contracts: Option<bool>,
}

/// What the manifest says of the archive, beside its files.
#[derive(Serialize)]
struct About {
    college_id: CollegeId,
    made_at: Time,
    time_zone: &'static str,
    from: Option<Date>,
    to: Option<Date>,
}

/// A ZIP file with `transactions.csv`, `athletes.csv`, `contracts.csv`, `disclosures.csv`, the contracts'
/// documents under `contracts/` where `contracts` is true, and last `manifest.json` with every file's
/// size and SHA-256. Transactions are those of the filter, in every state unless some are asked for;
/// contracts count by the day they were written, disclosed jobs by the day they were signed. Of the
/// filter's states, flags and amounts nothing bears on contracts and disclosed jobs. It is written while it
/// is sent; that it was asked for is in the audit trail, and so is each document.
pub async fn export(cx: Cx<PortalUser>, input: Filtered<ExportTransactions>) -> Result<Download> {
    let (input, filter) = input.parts();
    let with_documents = input.contracts.unwrap_or(false);
    let mut work = cx.begin().await?;
    let wanted = Wanted::of(&cx, &mut work, filter).await?;
    let what = json!({ "from": wanted.from, "to": wanted.to, "contracts": with_documents });
    work.note_change(cx.caller.college_id, "transactions_exported", None, what);
    work.done(()).await?;
    let name = format!("transactions-{}.zip", wanted.today());
    Ok(Download::growing(name, "application/zip", |pieces| {
        write(cx, wanted, with_documents, pieces)
    }))
}

async fn write(
    cx: Cx<PortalUser>,
    wanted: Wanted,
    with_documents: bool,
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
    let contracts = Contracts { wanted: wanted.clone(), with_documents };
    let whole =
        into_archive(platform, &mut archive, "transactions.csv", Transactions(wanted.clone()))
            .await?
            && into_archive(platform, &mut archive, "athletes.csv", Athletes(wanted.clone()))
                .await?
            && into_archive(platform, &mut archive, "contracts.csv", contracts).await?
            && into_archive(platform, &mut archive, "disclosures.csv", Disclosures(wanted.clone()))
                .await?
            && (!with_documents || documents(&cx, &wanted, &mut archive).await?);
    if whole {
        archive.finish(&about).await?;
    }
    Ok(())
}

async fn documents(cx: &Cx<PortalUser>, wanted: &Wanted, archive: &mut Archive) -> Result<bool> {
    let mut last: Option<ContractId> = None;
    loop {
        let mut session = cx.read().await?;
        let rows = store::contracts(&mut session, wanted, last).await?;
        drop(session);
        last = rows.last().map(|row| row.id);
        if last.is_none() {
            return Ok(true);
        }
        let ids: Vec<ContractId> = rows.iter().map(|row| row.id).collect();
        downloading::note_export(cx, &ids).await?;
        for row in &rows {
            let paper = downloading::paper(cx.platform(), row.id).await?;
            archive.begin(&document(&row.number))?;
            if !archive.write(&paper).await? {
                return Ok(false);
            }
        }
    }
}
