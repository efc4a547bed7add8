//! A party adds a file to the folder.

use schemars::JsonSchema;
use serde::Deserialize;

use super::browsing::complete;
use super::deal_file::DealFile;
use super::party;
use super::store::deal_file::{self as store, NewDealFile};
use crate::auth::Party;
use crate::content::storing::{self, Given};
use crate::content::{self, FileContent, FileOwner, FileUse, MediaType, StoredFile};
use crate::error::{Error, Result};
use crate::kernel::{AthleteId, JobId, Text};
use crate::operation::{Cx, Done, Work};

/// A file for the folder: a multipart form with one file part, or JSON with its content in base64.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AddDealFile {
    /// The job of the deal.
    pub job_id: JobId,
    /// The athlete of the deal.
    pub athlete_id: AthleteId,
    /// A note about it.
    pub note: Option<Text<1, 500>>,
    /// Its name (in a form: the file part's own, unless given).
    pub name: Text<1, 1000>,
    /// Its declared type (in a form: the file part's type). It must match the content.
    #[schemars(extend("examples" = [null]))]
    pub media_type: Option<MediaType>,
    /// Its content in base64, at most 10 MiB (in a form: the file part, at most 50 MiB).
    pub content: FileContent,
}

/// Adds a file to the folder of a deal (contract: *Deal folder*), for both parties and the athlete's agent. It is
/// checked like any other upload, and counts towards the caller's quota: 409 `file_quota_exceeded`. 404 for a deal of
/// other parties.
pub async fn add(cx: Cx<Party>, input: AddDealFile) -> Result<Done<DealFile>> {
    let (job, athlete) = (input.job_id, input.athlete_id);
    let mut session = cx.read().await?;
    party::check(&mut session, &cx.caller, job, athlete).await?;
    drop(session);
    let user = party::user_of(&cx.caller);
    let given = Given {
        owner: FileOwner::User(user),
        name: &input.name,
        media_type: input.media_type,
        content: &input.content,
    };
    let written = storing::write(cx.platform(), cx.facts().operation, given).await?;
    let mut work = cx.begin().await?;
    // Checks made before the bytes were written may be outdated.
    party::check(&mut work, &cx.caller, job, athlete).await?;
    party::act(&mut work, &cx.caller, athlete);
    let file = storing::keep(&mut work, written).await?;
    let new = NewDealFile {
        job,
        athlete,
        user,
        file: file.id,
        upload: None,
        note: input.note.map(|note| note.trim().to_owned()),
    };
    let added = enter(&mut work, &new, &file).await?;
    work.done(added).await
}

/// Adds a stored file to the folder.
pub(super) async fn enter(
    work: &mut Work,
    new: &NewDealFile,
    file: &StoredFile,
) -> Result<DealFile> {
    let now = work.now();
    let row = store::add(work, new, now).await?;
    content::attach(work, std::slice::from_ref(file), FileUse::DealFile, row.id.get()).await?;
    work.note(row.id, "added");
    let added = complete(work, vec![row]).await?.pop();
    added.ok_or_else(|| Error::internal("a file that was just added"))
}
