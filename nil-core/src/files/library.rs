//! A brand's content library: submissions that it approved, and how long it may use them. An asset
//! is an approved submission; its id is the deliverable's.

use chrono::{Days, TimeDelta};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::{self as library, AssetRow, Wanted};
use crate::auth::Partner;
use crate::content;
use crate::content::file::StoredFile;
use crate::content::reading::send;
use crate::content::signing::{Link, link};
use crate::contracts::terms::UsageTerms;
use crate::error::{Error, Result, codes};
use crate::jobs::{MediaKind, MediaPlatform};
use crate::kernel::{
    AthleteId, ContractId, Date, DeliverableId, FileId, Followed, JobId, Listing, Many, Nothing,
    Time, midnight, utc_day,
};
use crate::operation::{Cx, RecordOrFile};
use crate::wording;

/// The assets to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListAssets {
    /// Of these platforms only.
    pub platforms: Option<Many<MediaPlatform, 0, 12>>,
    /// Of these jobs only.
    pub job_ids: Option<Many<JobId, 0, 100>>,
    /// Of these athletes only.
    pub athlete_ids: Option<Many<AthleteId, 0, 100>>,
    /// Approved on this day (UTC) or later.
    pub from: Option<Date>,
    /// Approved on this day (UTC) or earlier.
    pub to: Option<Date>,
}

/// The asset to download.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DownloadAsset {
    /// The asset.
    pub id: DeliverableId,
    /// The file; required if the asset has several.
    pub file_id: Option<FileId>,
    /// Whether to return the file itself (default false: a signed address).
    pub inline: Option<bool>,
}

/// The number of assets in a group.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AssetCount {
    /// The platform, the form, or the month such as `2026-11`.
    pub value: String,
    /// The number of assets.
    pub count: i64,
}

/// The content library in figures.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Overview {
    /// Approved submissions.
    pub assets: i64,
    /// Files in them.
    pub files: i64,
    /// The size of these files in bytes.
    pub storage_used_bytes: i64,
    /// Assets by platform, largest group first.
    pub by_platform: Vec<AssetCount>,
    /// Assets by form, largest group first.
    pub by_media_kind: Vec<AssetCount>,
    /// Assets by the month (UTC) of approval, latest first.
    pub by_month: Vec<AssetCount>,
}

/// The brand's rights to an asset, according to the signed contract.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a permission of its own")]
#[non_exhaustive]
pub struct AssetRights {
    /// The media it may be used in, such as `organic_social`.
    pub media: Vec<String>,
    /// The territory.
    pub territory: String,
    /// Whether the brand may advertise through the athlete's own account.
    pub allow_listing: bool,
    /// Whether the brand may edit it into new works.
    pub derivative_works: bool,
    /// Whether the brand may sublicense it.
    pub sublicensable: bool,
    /// Whether the right never ends.
    pub perpetual: bool,
    /// When the right began: when the published work was submitted.
    pub starts_at: Time,
    /// When it ends; null if it never does.
    pub expires_at: Option<Time>,
    /// Whether it has ended.
    pub expired: bool,
}

/// An approved submission.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Asset {
    /// Its id, which is the deliverable's.
    pub id: DeliverableId,
    /// The job.
    pub job_id: JobId,
    /// The job's title.
    pub job_title: String,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's public name.
    pub athlete_name: String,
    /// The contract.
    pub contract_id: ContractId,
    /// The contract's number.
    pub contract_number: String,
    /// The deliverable's title.
    pub title: String,
    /// The platform.
    pub platform: MediaPlatform,
    /// The form.
    pub media_kind: MediaKind,
    /// The addresses of the publication.
    pub post_urls: Vec<String>,
    /// The caption.
    pub caption: Option<String>,
    /// The files.
    pub files: Vec<StoredFile>,
    /// When it was approved.
    pub approved_at: Time,
    /// The brand's rights to it.
    pub usage_rights: AssetRights,
}

/// The right of use under the frozen terms, for work submitted at that instant.
fn rights(usage: UsageTerms, starts_at: Time, now: Time) -> AssetRights {
    let days = usage.days.filter(|_| !usage.perpetual);
    let lasting = days.and_then(TimeDelta::try_days);
    let expires_at = lasting.and_then(|lasting| starts_at.checked_add_signed(lasting));
    AssetRights {
        media: usage.media,
        territory: usage.territory,
        allow_listing: usage.allow_listing,
        derivative_works: usage.derivative_works,
        sublicensable: usage.sublicensable,
        perpetual: usage.perpetual,
        starts_at,
        expires_at,
        expired: expires_at.is_some_and(|end| end <= now),
    }
}

impl Asset {
    fn new(row: AssetRow, all: &[StoredFile], now: Time) -> Result<Self> {
        let usage: UsageTerms = row
            .terms
            .get("usage")
            .cloned()
            .map(serde_json::from_value)
            .transpose()
            .map_err(Error::internal)?
            .ok_or_else(|| Error::internal("a contract without terms of use"))?;
        let own = |file: &&StoredFile| row.file_ids.contains(&file.id);
        Ok(Self {
            files: all.iter().filter(own).cloned().collect(),
            usage_rights: rights(usage, row.submitted_at, now),
            id: row.id,
            job_id: row.job_id,
            job_title: row.job_title,
            athlete_id: row.athlete_id,
            athlete_name: row.athlete_name,
            contract_id: row.contract_id,
            contract_number: row.contract_number,
            title: row.title,
            platform: row.platform,
            media_kind: row.media_kind,
            post_urls: row.post_urls,
            caption: row.caption,
            approved_at: row.reviewed_at,
        })
    }
}

/// The caller's content library in figures.
pub async fn overview(cx: Cx<Partner>, _: Nothing) -> Result<Overview> {
    let mut session = cx.read().await?;
    let partner = cx.caller.id;
    let by_platform = library::by_platform(&mut session, partner).await?;
    let (files, storage_used_bytes) = library::storage(&mut session, partner).await?;
    Ok(Overview {
        assets: by_platform.iter().map(|(_, count)| count).sum(),
        files,
        storage_used_bytes,
        by_platform: counts(by_platform),
        by_media_kind: counts(library::by_media_kind(&mut session, partner).await?),
        by_month: counts(library::by_month(&mut session, partner).await?),
    })
}

fn counts(rows: Vec<(String, i64)>) -> Vec<AssetCount> {
    let count = |(value, count)| AssetCount { value, count };
    rows.into_iter().map(count).collect()
}

/// The submissions that the caller approved, latest first, with files and rights.
pub async fn list(cx: Cx<Partner>, input: Followed<ListAssets>) -> Result<Listing<Asset>> {
    let (input, place) = cx.place(input)?;
    let next = |day: Date| day.checked_add_days(Days::new(1));
    let wanted = Wanted {
        partner: cx.caller.id,
        asset: None,
        platforms: Many::or_none(input.platforms),
        jobs: Many::or_none(input.job_ids),
        athletes: Many::or_none(input.athlete_ids),
        from: input.from.map(midnight),
        before: input.to.and_then(next).map(midnight),
    };
    let mut session = cx.read().await?;
    let page = library::page(&mut session, &wanted, place).await?;
    let ids = page.items.iter().flat_map(|row| row.file_ids.iter().copied());
    let all = content::found(&mut session, &ids.collect::<Vec<FileId>>()).await?;
    page.try_map(|row| Asset::new(row, &all, cx.now()))
}

/// A signed address of one of the asset's files, or the file itself. 409 `usage_rights_expired`
/// after the right to use it has ended, `no_file` if the asset consists of links only.
pub async fn download(cx: Cx<Partner>, input: DownloadAsset) -> Result<RecordOrFile<Link>> {
    let mut work = cx.begin_audited_read().await?;
    let row = library::asset(&mut work, cx.caller.id, input.id).await?;
    let all = content::found(&mut work, &row.file_ids).await?;
    let asset = Asset::new(row, &all, cx.now())?;
    let mut own = asset.files.into_iter();
    let file = match input.file_id {
        Some(id) => own.find(|file| file.id == id).ok_or(codes::NOT_FOUND)?,
        None if own.len() > 1 => {
            let why = "is required because this asset has several files";
            return Err(Error::invalid("file_id", why));
        }
        None => own.next().ok_or(codes::NO_FILE)?,
    };
    if let Some(end) = asset.usage_rights.expires_at.filter(|_| asset.usage_rights.expired) {
        let day = wording::day(utc_day(end));
        let sentence = format!("The right to use this content ended on {day}.");
        return Err(codes::USAGE_RIGHTS_EXPIRED.saying(sentence));
    }
    work.note(file.id, "downloaded");
    work.finish_read().await?;
    if input.inline == Some(true) {
        return send(cx.platform(), file).await.map(RecordOrFile::File);
    }
    Ok(RecordOrFile::Record(link(cx.platform(), file.id, cx.now())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_ends_to_the_second_or_never() {
        let start: Time = "2026-11-20T12:00:00Z".parse().unwrap();
        let end: Time = "2027-02-18T12:00:00Z".parse().unwrap();
        let usage = UsageTerms {
            media: vec!["web".to_owned()],
            territory: "US".to_owned(),
            days: Some(90),
            perpetual: false,
            allow_listing: true,
            derivative_works: false,
            sublicensable: false,
        };
        let at = |now: Time| rights(usage.clone(), start, now);
        assert_eq!(at(start).expires_at, Some(end));
        assert!(!at(end - TimeDelta::seconds(1)).expired && at(end).expired);
        let forever = UsageTerms { perpetual: true, days: None, ..usage.clone() };
        let forever = rights(forever, start, end + TimeDelta::days(90_000));
        assert_eq!((forever.expires_at, forever.expired), (None, false));
    }
}
