//! Operators queue exports.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::report::{ExportKind, ExportReport};
use super::store::{self, NewReport};
use super::tables::{self, Asked, ExportFilters};
use crate::auth::Operator;
use crate::error::{Error, Result, codes};
use crate::export::{Counter, ExportFormat};
use crate::operation::{Cx, Done};
use crate::platform::Platform;

/// The most exports of one operator that are not made yet.
const MOST_OPEN: i64 = 10;

/// The export to queue.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RequestExport {
    /// What it has.
    pub kind: ExportKind,
    /// The format of the file.
    pub format: ExportFormat,
    /// Which records it has (default: all).
    pub filters: Option<ExportFilters>,
}

/// Queues an export (payloads: *exports*). For operators with the permission `reports`. The answer
/// has the code to download it with; a mail follows when it is ready. 422 for a filter that does
/// not apply to the kind, 409 `too_many_exports` for an operator with ten exports that are not made
/// yet.
pub async fn request(cx: Cx<Operator>, input: RequestExport) -> Result<Done<ExportReport>> {
    let RequestExport { kind, format, filters } = input;
    let filters = filters.unwrap_or_default();
    // It is not begun: nothing is read before the file's bytes are.
    let asked = Asked { format, counter: Counter::default(), day: cx.now() };
    tables::file(cx.platform(), kind, filters.clone(), asked)?;
    let new = NewReport {
        code: code(cx.platform()),
        operator: cx.caller.id,
        kind,
        format,
        filters: serde_json::to_string(&filters).map_err(Error::internal)?,
    };
    let mut work = cx.begin().await?;
    // Requests of one operator wait for each other, so that they are counted.
    work.lock("operator", cx.caller.id).await?;
    if store::open(&mut work, cx.caller.id).await? >= MOST_OPEN {
        return Err(codes::TOO_MANY_EXPORTS.into());
    }
    let report = store::add(&mut work, new, cx.now()).await?;
    let wanted = json!({ "kind": kind, "format": format, "filters": filters });
    work.note_change(report.id, "export_requested", None, wanted);
    work.done(report.try_into()?).await
}

/// A new code, of 32 hexadecimal digits.
pub(super) fn code(platform: &Platform) -> String {
    let mut code = [0; 16];
    platform.random().fill(&mut code);
    hex::encode(code)
}
