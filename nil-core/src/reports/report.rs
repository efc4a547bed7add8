//! A queued export, and its state.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::export::ExportFormat;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{ExportReportId, Machine, Move, OperatorId, Time, UserId};
use crate::ports::objects::ObjectKey;
use crate::storage::FromRow;

vocabulary! {
    /// What an export has.
    ExportKind {
        /// Athletes with their accounts.
        Athletes = "athletes",
        /// Brands with their accounts.
        Partners = "partners",
        /// Agents with their accounts.
        Agents = "agents",
        /// Jobs.
        Jobs = "jobs",
        /// Payments.
        Payments = "payments",
        /// Payouts to athletes and agents.
        Payouts = "payouts",
        /// Deals made off the platform.
        Disclosures = "disclosures",
        /// The audit trail.
        Audit = "audit",
    }
}

vocabulary! {
    /// The state of an export.
    ExportStatus {
        /// Waiting for the worker.
        Queued = "queued",
        /// Its file is being written.
        Processing = "processing",
        /// Its file can be downloaded until it expires.
        Ready = "ready",
        /// Given up after several attempts.
        Failed = "failed",
    }
}

/// The events of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportEvent {
    /// A server begins it, or begins it anew because another one died.
    Begin,
    /// An attempt failed, or somebody has left whose data it may have written; it is tried again.
    PutBack,
    /// Its file is durable.
    Finish,
    /// The last attempt failed.
    GiveUp,
}

impl Machine for ExportStatus {
    type Event = ExportEvent;
    const NAME: &'static str = "export_report";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Queued];
    const TERMINAL: &'static [Self] = &[Self::Ready, Self::Failed];
    const MOVES: &'static [Move<Self>] = &[
        // GET /export-report-process, the worker
        (Self::Queued, ExportEvent::Begin, Self::Processing),
        (Self::Processing, ExportEvent::Begin, Self::Processing),
        (Self::Processing, ExportEvent::PutBack, Self::Queued),
        (Self::Processing, ExportEvent::Finish, Self::Ready),
        (Self::Processing, ExportEvent::GiveUp, Self::Failed),
    ];
}

/// A queued export as its operator sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ExportReport {
    /// The code of its download: 32 hexadecimal digits.
    #[schemars(extend("examples" = ["5b0c6d4f1e2a39788796a5b4c3d2e1f0"]))]
    pub code: String,
    /// What it has.
    pub kind: ExportKind,
    /// The format of its file.
    pub format: ExportFormat,
    /// Its state.
    pub status: ExportStatus,
    /// The number of rows written so far.
    pub rows: i64,
    /// When its file is deleted; null until it is ready.
    pub expires_at: Option<Time>,
    /// When it was requested.
    pub created_at: Time,
}

/// An export in the list of its operator.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct OwnExport {
    /// The export.
    #[serde(flatten)]
    pub report: ExportReport,
    /// The name of its file; null until it is ready.
    pub name: Option<String>,
    /// The size of its file in bytes; null until it is ready.
    pub size: Option<i64>,
    /// Whether its file can be downloaded now.
    pub available: bool,
}

/// The caller's exports to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListExports {
    /// Only in this state (default: all).
    pub status: Option<ExportStatus>,
}

/// Its row.
#[derive(Clone, Debug, FromRow)]
pub(super) struct ReportRow {
    pub(super) id: ExportReportId,
    pub(super) code: String,
    /// The operator who asked for it; none of a takeout.
    pub(super) operator_id: Option<OperatorId>,
    /// Whose takeout it is.
    pub(super) user_id: Option<UserId>,
    /// None of a takeout.
    pub(super) kind: Option<ExportKind>,
    /// None of a takeout, which is a ZIP file.
    pub(super) format: Option<ExportFormat>,
    pub(super) filters: String,
    pub(super) status: ExportStatus,
    pub(super) attempt: i64,
    pub(super) rows: i64,
    pub(super) due_at: Time,
    pub(super) name: Option<String>,
    pub(super) size: Option<i64>,
    pub(super) object_key: Option<String>,
    pub(super) expires_at: Option<Time>,
    pub(super) created_at: Time,
}

impl ReportRow {
    /// Whether a server may begin it: nobody holds it.
    pub(super) fn is_free(&self, now: Time) -> bool {
        self.is_open() && self.due_at <= now
    }

    /// Whether it is not made yet.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.status, ExportStatus::Queued | ExportStatus::Processing)
    }

    /// Whether its file is deleted, or about to be.
    pub(super) fn is_over(&self, now: Time) -> bool {
        self.expires_at.is_some_and(|until| until <= now)
    }

    /// The export as its operator's list shows it. Fails for a takeout.
    pub(super) fn shown(self, now: Time) -> Result<OwnExport> {
        let available =
            self.status == ExportStatus::Ready && self.object_key.is_some() && !self.is_over(now);
        let (name, size) = (self.name.clone(), self.size);
        Ok(OwnExport { report: self.try_into()?, name, size, available })
    }

    /// The key of its object; none if it has none.
    pub(super) fn key(&self) -> Result<Option<ObjectKey>> {
        let parse = |key: &String| {
            ObjectKey::parse(key).ok_or_else(|| Error::internal("an export has no valid key"))
        };
        self.object_key.as_ref().map(parse).transpose()
    }
}

impl TryFrom<ReportRow> for ExportReport {
    type Error = Error;

    /// Fails for a takeout.
    fn try_from(row: ReportRow) -> Result<Self> {
        let ReportRow { code, kind, format, status, rows, expires_at, created_at, .. } = row;
        let (Some(kind), Some(format)) = (kind, format) else {
            return Err(Error::internal("a takeout is no operator's export"));
        };
        Ok(Self { code, kind, format, status, rows, expires_at, created_at })
    }
}

/// A queued takeout as its user sees it.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Takeout {
    /// Its state.
    pub status: ExportStatus,
    /// The size of its file in bytes; null until it is ready.
    pub size: Option<i64>,
    /// When its file is deleted; null until it is ready.
    pub expires_at: Option<Time>,
    /// When it was asked for.
    pub created_at: Time,
}

impl From<&ReportRow> for Takeout {
    fn from(row: &ReportRow) -> Self {
        let ReportRow { status, size, expires_at, created_at, .. } = *row;
        Self { status, size, expires_at, created_at }
    }
}
