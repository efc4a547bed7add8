//! Exports that operators ask for: a whole table as one file. The audit trail records each.

use super::table::{Table, send_csv, send_xlsx};
use crate::auth::Operator;
use crate::error::Result;
use crate::operation::{Cx, Download};

/// A table that operators export.
pub(crate) trait Report: Table + Sized {
    /// The beginning of the file's name, such as `payments`.
    const FILE: &'static str;
    /// The action in the audit trail.
    const ACTION: &'static str;

    /// Sends it as a spreadsheet.
    fn xlsx(self, cx: &Cx<Operator>) -> impl Future<Output = Result<Download>> + Send {
        async move {
            let name = recorded::<Self>(cx).await?;
            Ok(send_xlsx(cx.platform(), format!("{name}.xlsx"), self))
        }
    }

    /// Sends it as CSV.
    fn csv(self, cx: &Cx<Operator>) -> impl Future<Output = Result<Download>> + Send {
        async move {
            let name = recorded::<Self>(cx).await?;
            Ok(send_csv(cx.platform(), format!("{name}.csv"), self))
        }
    }
}

/// Records the export in the audit trail; returns the name of its file.
async fn recorded<R: Report>(cx: &Cx<Operator>) -> Result<String> {
    let mut work = cx.look().await?;
    work.note(cx.caller.id, R::ACTION);
    work.seen().await?;
    Ok(format!("{}-{}", R::FILE, cx.now().format("%Y-%m-%d")))
}
