//! Everything there is on an institution's deals, as one ZIP file.

use serde::Serialize;
use serde_json::json;

use super::filter::{Wanted, filtered};
use super::store::export as store;
use super::store::transaction as transactions;
use super::transaction::Transaction;
use super::{athletes, csv};
use crate::archive::Archive;
use crate::auth::PortalUser;
use crate::contracts::downloading;
use crate::error::Result;
use crate::kernel::{CollegeId, ContractId, Date, Time};
use crate::operation::{Cx, Download, Pieces, Subject};

filtered! {
    /// What is exported.
    ExportTransactions {
        /// Whether the contracts' documents (PDF) are added.
        contracts: Option<bool>,
    }
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
pub async fn export(cx: Cx<PortalUser>, input: ExportTransactions) -> Result<Download> {
    let with_documents = input.contracts.unwrap_or(false);
    let mut work = cx.begin().await?;
    let wanted = Wanted::of(&cx, &mut work, input.filter()).await?;
    let college = Subject { kind: "college", id: cx.caller.college_id.get() };
    let what = json!({ "from": wanted.from, "to": wanted.to, "contracts": with_documents });
    work.note_change(college, "transactions_exported", None, what);
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
    let whole = all_transactions(&cx, &wanted, &mut archive).await?
        && all_athletes(&cx, &wanted, &mut archive).await?
        && all_contracts(&cx, &wanted, with_documents, &mut archive).await?
        && all_disclosures(&cx, &wanted, &mut archive).await?
        && (!with_documents || documents(&cx, &wanted, &mut archive).await?);
    if whole {
        archive.finish(&about).await?;
    }
    Ok(())
}

async fn all_transactions(
    cx: &Cx<PortalUser>,
    wanted: &Wanted,
    archive: &mut Archive,
) -> Result<bool> {
    archive.begin("transactions.csv")?;
    let mut sheet = csv::transactions();
    let mut last: Option<Transaction> = None;
    loop {
        let mut session = cx.read().await?;
        let mut rows = transactions::after(&mut session, wanted, last.as_ref()).await?;
        drop(session);
        let next = rows.pop().map(Transaction::flagged);
        let rows = rows.into_iter().map(Transaction::flagged);
        for row in rows.chain(next.clone()) {
            csv::transaction(&mut sheet, &row);
        }
        let wants = archive.write(&sheet.take()).await?;
        if next.is_none() || !wants {
            return Ok(wants);
        }
        last = next;
    }
}

async fn all_athletes(cx: &Cx<PortalUser>, wanted: &Wanted, archive: &mut Archive) -> Result<bool> {
    archive.begin("athletes.csv")?;
    let mut sheet = csv::athletes();
    let mut last = None;
    loop {
        let mut session = cx.read().await?;
        let rows = athletes::after(&mut session, wanted, last).await?;
        drop(session);
        last = rows.last().map(|row| row.id);
        for row in &rows {
            csv::athlete(&mut sheet, row);
        }
        let wants = archive.write(&sheet.take()).await?;
        if last.is_none() || !wants {
            return Ok(wants);
        }
    }
}

/// The name of a contract's document in the archive. Numbers are the platform's own.
fn document(number: &str) -> String {
    format!("contracts/{number}.pdf")
}

async fn all_contracts(
    cx: &Cx<PortalUser>,
    wanted: &Wanted,
    with_documents: bool,
    archive: &mut Archive,
) -> Result<bool> {
    archive.begin("contracts.csv")?;
    let mut sheet = csv::contracts();
    let mut last = None;
    loop {
        let mut session = cx.read().await?;
        let rows = store::contracts(&mut session, wanted, last).await?;
        drop(session);
        last = rows.last().map(|row| row.id);
        for row in &rows {
            let file = with_documents.then(|| document(&row.number));
            csv::contract(&mut sheet, row, file.as_deref());
        }
        let wants = archive.write(&sheet.take()).await?;
        if last.is_none() || !wants {
            return Ok(wants);
        }
    }
}

async fn all_disclosures(
    cx: &Cx<PortalUser>,
    wanted: &Wanted,
    archive: &mut Archive,
) -> Result<bool> {
    archive.begin("disclosures.csv")?;
    let mut sheet = csv::disclosures();
    let mut last = None;
    loop {
        let mut session = cx.read().await?;
        let rows = store::disclosures(&mut session, wanted, last).await?;
        drop(session);
        last = rows.last().map(|row| row.id);
        for row in &rows {
            csv::disclosure(&mut sheet, row);
        }
        let wants = archive.write(&sheet.take()).await?;
        if last.is_none() || !wants {
            return Ok(wants);
        }
    }
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
