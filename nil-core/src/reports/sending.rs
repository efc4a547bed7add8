//! Operators download exports; their files are deleted after a week.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::report::{ExportStatus, ReportRow};
use super::store;
use crate::auth::{Operator, Permission};
use crate::content::reading::{Sent, send_object};
use crate::error::{Result, codes};
use crate::export::content_type;
use crate::feed::withdraw;
use crate::kernel::{ExportReportId, Text};
use crate::operation::{Cx, Download, Work};
use crate::platform::Platform;
use crate::ports::objects::ObjectKey;
use crate::schedule::due;

/// The export to download.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DownloadExport {
    /// Its code.
    #[schemars(extend("examples" = ["5b0c6d4f1e2a39788796a5b4c3d2e1f0"]))]
    pub code: Text<1, 64>,
}

/// Sends the file of an export (payloads: *exports*); parts of it can be requested with `Range`.
/// Only the operator who requested it downloads it, or one with all permissions; every download is
/// recorded in the audit trail. 404 for an unknown code and for another operator's, 409 `not_ready`
/// until the file is written (the message says how many rows there are), 409 `export_failed` if it
/// was given up, 410 `export_expired` a week after it became ready.
pub async fn download(cx: Cx<Operator>, input: DownloadExport) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let found = store::find(&mut work, &input.code).await?;
    let caller = &cx.caller;
    let may = |row: &ReportRow| {
        row.kind.is_some() && (row.operator_id == Some(caller.id) || caller.may(Permission::All))
    };
    let row = found.filter(may).ok_or(codes::NOT_FOUND)?;
    let file = ready(&row, &work)?;
    work.note(row.id, "downloaded");
    work.finish_read().await?;
    send_object(cx.platform(), file).await
}

/// Its file, or why there is none.
pub(super) fn ready(row: &ReportRow, work: &Work) -> Result<Sent> {
    let (object_key, name, size) = match row.status {
        ExportStatus::Queued | ExportStatus::Processing => {
            let rows = row.rows;
            let so_far = match row.kind {
                Some(_) => format!("The export is {}: it has {rows} rows so far.", row.status),
                None => format!("The takeout is {}: ask again in a moment.", row.status),
            };
            let progress = json!({ "status": row.status, "rows": rows });
            return Err(codes::NOT_READY.saying(so_far).with_data(progress));
        }
        ExportStatus::Failed => return Err(codes::EXPORT_FAILED.into()),
        ExportStatus::Ready => match (&row.object_key, &row.name, row.size) {
            (Some(key), Some(name), Some(size)) if !row.is_over(work.now()) => {
                (key.clone(), name.clone(), size)
            }
            _ => return Err(codes::EXPORT_EXPIRED.into()),
        },
    };
    let content_type = row.format.map_or("application/zip", content_type);
    Ok(Sent { object_key, name, content_type, size })
}

/// Deletes the files of exports whose time is over; returns their number.
pub async fn remove_expired(platform: &Platform) -> Result<usize> {
    let over = |behind| async move {
        let mut session = platform.db().read().await?;
        store::over(&mut session, platform.now(), behind).await
    };
    due::each("export", over, |id| expire(platform, id)).await
}

/// Returns whether this call deleted its file.
async fn expire(platform: &Platform, id: ExportReportId) -> Result<bool> {
    let mut work = Work::resume(platform, "admin.export.process", None).await?;
    let now = work.now();
    let row = store::lock(&mut work, id).await?.filter(|row| row.is_over(now));
    let Some(key) = row.as_ref().map(ReportRow::key).transpose()?.flatten() else {
        // Another worker was faster.
        return Ok(false);
    };
    store::forget(&mut work, id, now).await?;
    withdraw(&mut work, id).await?;
    work.note(id, "export_deleted");
    work.done(()).await?;
    remove(platform, &key).await;
    Ok(true)
}

/// Removes an object. If that fails, the worker finds it later as one that no record needs.
pub(super) async fn remove(platform: &Platform, key: &ObjectKey) {
    if let Err(error) = platform.objects().remove(key).await {
        // Filters of logs know this line by the file that makes exports.
        tracing::warn!(
            target: "nil_domain::reports::making",
            %error,
            "an export's file could not be removed yet"
        );
    }
}
