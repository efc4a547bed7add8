//! Requests for public records: noted with who asks on what basis, answered with a redacted file,
//! every file on record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::filter::Wanted;
use super::grouping::Groups;
use super::publishing::of_everybody;
use super::records_request::RecordsRequest;
use super::redacting::{Contracts, Pseudonyms, Shuffled, Transactions};
use super::store::public_record::{self as store, Completed, NewRequest};
use super::store::publishing::smallest_group;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::export::{Archive, Counter, ExportFormat, into_archive};
use crate::kernel::{
    CollegeId, Date, Followed, Listing, Nothing, RecordsDisclosureId, RecordsRequestId, Text, Time,
};
use crate::operation::{Cx, Done, Download, Pieces};

/// A request for public records.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NoteRecordsRequest {
    /// Who asks: a name, and an organisation if there is one.
    pub requester: Text<1, 200>,
    /// The law under which they ask, and why it applies.
    pub legal_basis: Text<1, 1000>,
    /// The day on which the request was received.
    #[schemars(extend("examples" = ["2026-11-02"]))]
    pub received_on: Date,
    /// The first day that is asked about, in the institution's time zone.
    #[schemars(extend("examples" = ["2025-07-01"]))]
    pub from: Option<Date>,
    /// The last day.
    #[schemars(extend("examples" = ["2026-06-30"]))]
    pub to: Option<Date>,
}

/// The request whose records are handed out.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichRecordsRequest {
    /// The request.
    pub id: RecordsRequestId,
}

/// Notes a request for public records. 422 for a day in the future and for a period that ends
/// before it begins; 403 for users limited to certain sports.
pub async fn note(cx: Cx<PortalUser>, input: NoteRecordsRequest) -> Result<Done<RecordsRequest>> {
    let mut work = cx.begin().await?;
    let wanted = of_everybody(&cx, &mut work).await?;
    if input.received_on > wanted.today() {
        return Err(Error::invalid("received_on", "must not be in the future"));
    }
    if input.from.zip(input.to).is_some_and(|(from, to)| to < from) {
        return Err(Error::invalid("to", "must not be before `from`"));
    }
    let new = NewRequest {
        college: wanted.college,
        by: cx.caller.id,
        requester: input.requester.trim(),
        legal_basis: input.legal_basis.trim(),
        received_on: input.received_on,
        from: input.from,
        to: input.to,
    };
    let now = work.now();
    let request = store::add(&mut work, &new, now).await?;
    work.note(request.id, "noted");
    work.done(request).await
}

/// Lists requests for public records, newest first, each with what was handed out for it: to whom,
/// on what basis, when, and the file's SHA-256.
pub async fn list(cx: Cx<PortalUser>, input: Followed<Nothing>) -> Result<Listing<RecordsRequest>> {
    let (_, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let mut page = store::page(&mut session, cx.caller.college_id, place).await?;
    let ids: Vec<RecordsRequestId> = page.items.iter().map(|request| request.id).collect();
    for disclosure in store::disclosures(&mut session, &ids).await? {
        let of = page.items.iter_mut().find(|request| request.id == disclosure.request_id);
        if let Some(request) = of {
            request.disclosures.push(disclosure);
        }
    }
    Ok(page)
}

/// The manifest's header, besides the list of files.
#[derive(Serialize)]
struct About {
    college_id: CollegeId,
    request_id: RecordsRequestId,
    made_at: Time,
    from: Option<Date>,
    to: Option<Date>,
    smallest_group: i64,
    explanation: &'static str,
}

const EXPLANATION: &str = "Contracts of athletes of the institution, generated in the period, and transactions that occurred in \
    it. Names, addresses, birth dates, days and free texts are left out. Athletes, payers and contracts have pseudonyms, \
    which are the same in both files and for every file made for this request, and for no other request. A sport, or a \
    category with its sport, is withheld in both files where it stands for fewer athletes than the smallest group; the \
    next smallest are withheld with it until those withheld are as many. Amounts are rounded to two digits and whole \
    five dollars; rows have no meaningful order.";

/// Hands out the records of a request: a ZIP file with `contracts.csv`, `transactions.csv` and
/// `manifest.json`, without names, e-mail addresses, birth dates, addresses and free texts.
/// Athletes, payers and contracts have pseudonyms, the same in every file for this request;
/// instants are given as months and amounts rounded to two digits; rows are shuffled; a sport or a
/// category is withheld in all files where it stands for fewer athletes than the institution's
/// `smallest_group`. The download, its length and its SHA-256 are recorded before its last bytes
/// are sent. 404 for another institution's request; 403 for users limited to certain sports.
pub async fn file(cx: Cx<PortalUser>, input: WhichRecordsRequest) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let wanted = of_everybody(&cx, &mut work).await?;
    let request = store::find(&mut work, wanted.college, input.id).await?;
    let wanted = Wanted { from: request.from, to: request.to, ..wanted };
    let least = smallest_group(&mut work, wanted.college).await?;
    let name = format!("public-records-{}-{}.zip", request.id, wanted.today());
    let now = work.now();
    let begun = store::begin(&mut work, request.id, cx.caller.id, (&name, least), now).await?;
    work.note_change(request.id, "handed_out", None, json!({ "file_name": name }));
    work.finish_read().await?;
    Ok(Download::growing(name, "application/zip", move |pieces| {
        write(cx, wanted, (request.id, begun), least, pieces)
    }))
}

async fn write(
    cx: Cx<PortalUser>,
    wanted: Wanted,
    (request, begun): (RecordsRequestId, RecordsDisclosureId),
    least: i64,
    pieces: Pieces,
) -> Result<()> {
    let platform = cx.platform();
    let mut archive = Archive::new(pieces, wanted.now);
    let about = About {
        college_id: wanted.college,
        request_id: request,
        made_at: wanted.now,
        from: wanted.from,
        to: wanted.to,
        smallest_group: least,
        explanation: EXPLANATION,
    };
    let mut session = cx.read().await?;
    let groups = Groups::of(&store::members(&mut session, &wanted).await?, least);
    let contract_ids = store::contract_ids(&mut session, &wanted).await?;
    let records = store::transaction_ids(&mut session, &wanted).await?;
    drop(session);
    let pseudonyms = Pseudonyms::new(platform, request);
    let (contracts, transactions) = (Counter::default(), Counter::default());
    let first = Contracts {
        wanted: wanted.clone(),
        records: Shuffled::contracts(contract_ids, &pseudonyms),
        groups: groups.clone(),
        pseudonyms: pseudonyms.clone(),
        counter: contracts.clone(),
    };
    let second = Transactions {
        wanted,
        records: Shuffled::transactions(records, &pseudonyms),
        groups,
        pseudonyms,
        counter: transactions.clone(),
    };
    let whole = into_archive(platform, &mut archive, "contracts", ExportFormat::Csv, first).await?
        && into_archive(platform, &mut archive, "transactions", ExportFormat::Csv, second).await?;
    if !whole {
        return Ok(());
    }
    let sealed = archive.seal(&about).await?;
    let completed = Completed {
        contracts: contracts.rows(),
        transactions: transactions.rows(),
        bytes: i64::try_from(sealed.bytes).map_err(Error::internal)?,
        sha256: &sealed.sha256,
    };
    // Nothing complete leaves without a record.
    let mut work = cx.begin_audited_read().await?;
    store::complete(&mut work, begun, &completed, platform.now()).await?;
    work.note_change(begun, "completed", None, json!({ "sha256": sealed.sha256 }));
    work.finish_read().await?;
    sealed.send().await;
    Ok(())
}
