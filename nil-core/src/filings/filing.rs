//! A filing about an athlete's contract with an agent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deadlines;
use super::filing_status::FilingStatus;
use super::particulars::Particulars;
use super::version::FilingVersion;
use crate::content::{MediaType, StoredFile};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AgentId, AthleteId, CollegeId, Date, FileId, FilingId, Many, RepresentationId, SportId, Text,
    Time,
};
use crate::storage::FromRow;

/// A file that belongs to a filing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FilingDocument {
    /// The file.
    pub id: FileId,
    /// Its name.
    pub name: String,
    /// The media type detected from its content.
    pub media_type: MediaType,
    /// Its size in bytes.
    pub size: i64,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

impl From<&StoredFile> for FilingDocument {
    fn from(file: &StoredFile) -> Self {
        Self {
            id: file.id,
            name: file.name.clone(),
            media_type: file.media_type,
            size: file.size,
            sha256: file.sha256.clone(),
        }
    }
}

/// An institution's record of an athlete's contract with an agent.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Filing {
    /// The filing's id.
    pub id: FilingId,
    /// The institution.
    pub college_id: CollegeId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's display name.
    pub athlete_name: String,
    /// The athlete's sport.
    pub sport_id: Option<SportId>,
    /// The agent's account on the platform, if there is one.
    pub agent_id: Option<AgentId>,
    /// The representation on the platform that it was drafted for.
    pub representation_id: Option<RepresentationId>,
    /// The content.
    #[serde(flatten)]
    #[row(json)]
    pub particulars: Particulars,
    /// The ids of its files.
    #[serde(skip)]
    #[row(json)]
    pub file_ids: Vec<FileId>,
    /// Its files.
    #[row(skip)]
    pub documents: Vec<FilingDocument>,
    /// The day of signing, in the institution's time zone.
    pub signed_on: Option<Date>,
    /// The deadline for the agent's and the athlete's notice: the institution's hours after signing
    /// (rule `agent_notice`), its days after enrolment for a contract signed before it, or the next
    /// event, whichever comes first.
    pub notice_due_at: Option<Time>,
    /// Whether a notice was late, or is missing after the deadline.
    #[row(skip)]
    pub late: bool,
    /// The end of the athlete's right to cancel: the end of the fourteenth day after signing,
    /// unless the institution's rule sets another number of days.
    pub cancellation_ends_at: Option<Time>,
    /// The status.
    pub status: FilingStatus,
    /// The version; increases by one with every change.
    pub version: i64,
    /// Who entered it, in the audit trail's notation: an officer, or the athlete whose acceptance
    /// of an agent made the draft.
    pub filed_by: String,
    /// The officer who submitted it, in the audit trail's notation.
    pub submitted_by: Option<String>,
    /// When it was first submitted.
    pub first_submitted_at: Option<Time>,
    /// When it was last submitted.
    pub submitted_at: Option<Time>,
    /// The note of the decision.
    pub decision_note: Option<String>,
    /// The decider, in the audit trail's notation.
    pub decided_by: Option<String>,
    /// When it was decided.
    pub decided_at: Option<Time>,
    /// Its versions, the latest first (200 at most); empty in lists of filings.
    #[row(skip)]
    pub history: Vec<FilingVersion>,
    /// When it was entered.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Filing {
    /// The title, for notifications.
    pub(super) fn title(&self) -> String {
        match &self.particulars.agent.name {
            Some(name) => format!("Agent contract with {name}"),
            None => "Agent contract".to_owned(),
        }
    }

    /// Fills in the values that depend on the time, as of `now`.
    pub(super) fn seen_at(mut self, now: Time) -> Self {
        self.late = deadlines::is_late(self.notice_due_at, &self.particulars.notices, now);
        self
    }

    /// Whether it must stay complete in every change.
    pub(super) fn is_filed(&self) -> bool {
        matches!(self.status, FilingStatus::Submitted | FilingStatus::Acknowledged)
    }
}

vocabulary! {
    /// The order of filings. Those without the date come last.
    FilingSort {
        /// Newest first.
        Newest = "newest",
        /// Oldest first.
        Oldest = "-newest",
        /// Earliest notice deadline first.
        DueUp = "notice_due_at",
        /// Latest notice deadline first.
        DueDown = "-notice_due_at",
        /// Earliest signing first.
        SignedUp = "signed_on",
        /// Latest signing first.
        SignedDown = "-signed_on",
        /// By the athlete's name, A to Z; accented letters sort after Z.
        AthleteUp = "athlete_name",
        /// By the athlete's name, Z to A.
        AthleteDown = "-athlete_name",
    }
}

/// Filters for the institution's filings. All must match; of a list, one match is enough.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListFilings {
    /// Of contracts signed on this day or later.
    pub from: Option<Date>,
    /// Of contracts signed on this day or earlier.
    pub to: Option<Date>,
    /// About athletes of these sports.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// About these athletes.
    pub athlete_ids: Option<Many<AthleteId, 0, 500>>,
    /// With these statuses (default: all except `deleted`; deleted filings are never listed).
    pub statuses: Option<Many<FilingStatus, 0, 6>>,
    /// Whether a notice was late or is overdue.
    pub late: Option<bool>,
    /// Words of the athlete's or agent's name, the agent's business or the registration number. All
    /// must match, as parts of words too. Accents and case are ignored.
    pub q: Option<Text<0, 200>>,
    /// The order (default `newest`).
    pub sort: Option<FilingSort>,
}
