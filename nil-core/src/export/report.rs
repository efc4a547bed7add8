//! Exports that operators ask for: a whole table as one file. The audit trail records each.

use super::sending::send;
use super::table::{Counter, ExportFormat, Table};
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::Time;
use crate::operation::{Cx, Download};

/// A table that operators export.
pub trait Report: Table + Sized {
    /// The beginning of the file's name, such as `payments`.
    const FILE: &'static str;
    /// The action in the audit trail.
    const ACTION: &'static str;

    /// Sends it in this format.
    fn send(
        self,
        cx: &Cx<Operator>,
        format: ExportFormat,
    ) -> impl Future<Output = Result<Download>> + Send {
        async move {
            let mut work = cx.begin_audited_read().await?;
            work.note(cx.caller.id, Self::ACTION);
            work.finish_read().await?;
            let name = dated(Self::FILE, cx.now());
            Ok(send(cx.platform(), &name, format, self, Counter::default()))
        }
    }

    /// Sends it as a spreadsheet.
    fn xlsx(self, cx: &Cx<Operator>) -> impl Future<Output = Result<Download>> + Send {
        self.send(cx, ExportFormat::Xlsx)
    }

    /// Sends it as CSV.
    fn csv(self, cx: &Cx<Operator>) -> impl Future<Output = Result<Download>> + Send {
        self.send(cx, ExportFormat::Csv)
    }
}

/// The name of a file of that day, without its ending.
pub fn dated(name: &str, at: Time) -> String {
    format!("{name}-{}", at.format("%Y-%m-%d"))
}
