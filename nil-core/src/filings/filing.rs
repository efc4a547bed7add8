//! A filing about an athlete's contract with an agent.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use super::clocks;
use super::particulars::Particulars;
use super::version::FilingVersion;
use crate::content::{MediaType, StoredFile};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AgentId, AthleteId, CollegeId, Date, FileId, FilingId, Machine, Move, SportId, Time,
};

vocabulary! {
    /// Where a filing stands.
    FilingStatus {
        /// Being prepared; it may be incomplete.
        Draft = "draft",
        /// Complete and filed.
        Submitted = "submitted",
        /// Accepted by the institution.
        Acknowledged = "acknowledged",
        /// Sent back with a note.
        Returned = "returned",
        /// The contract it is about has ended.
        Terminated = "terminated",
        /// Taken off the lists; the record is kept.
        Deleted = "deleted",
    }
}

/// What can happen to a filing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilingEvent {
    /// It is filed.
    Submit,
    /// The institution accepts it.
    Acknowledge,
    /// It is sent back with a note.
    Return,
    /// The contract has ended.
    Terminate,
    /// It is taken off the lists.
    Delete,
}

impl Machine for FilingStatus {
    type Event = FilingEvent;
    const NAME: &'static str = "disclosure";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Draft];
    const TERMINAL: &'static [Self] = &[Self::Terminated, Self::Deleted];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Draft, FilingEvent::Submit, Self::Submitted), // POST, PUT /athlete-agent-disclosures
        (Self::Submitted, FilingEvent::Acknowledge, Self::Acknowledged), // PUT
        (Self::Submitted, FilingEvent::Return, Self::Returned), // PUT
        (Self::Returned, FilingEvent::Submit, Self::Submitted), // PUT
        (Self::Acknowledged, FilingEvent::Terminate, Self::Terminated), // PUT
        (Self::Draft, FilingEvent::Delete, Self::Deleted),   // DELETE
        (Self::Submitted, FilingEvent::Delete, Self::Deleted),
        (Self::Returned, FilingEvent::Delete, Self::Deleted),
    ];
}

/// A file that belongs to a filing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilingDocument {
    /// The file.
    pub id: FileId,
    /// Its name.
    pub name: String,
    /// What its content was found to be.
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

/// What an institution holds about an athlete's contract with an agent.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Filing {
    /// Its id.
    pub id: FilingId,
    /// The institution.
    pub college_id: CollegeId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's name as others see it.
    pub athlete_name: String,
    /// The athlete's sport.
    pub sport_id: Option<SportId>,
    /// The agent's account on the platform, where there is one.
    pub agent_id: Option<AgentId>,
    /// What it says.
    #[serde(flatten)]
    #[sqlx(json)]
    pub particulars: Particulars,
    /// The files it consists of, by their ids.
    #[serde(skip)]
    #[sqlx(json)]
    pub file_ids: Vec<FileId>,
    /// The files it consists of.
    #[sqlx(skip)]
    pub documents: Vec<FilingDocument>,
    /// The day of signing, in the institution's time zone.
    pub signed_on: Option<Date>,
    /// Until when agent and athlete have to give notice: the institution's hours after signing
    /// (rule `agent_notice`), ten days after enrolment for a contract from before it, or the next event,
    /// whichever comes first.
    pub notice_due_at: Option<Time>,
    /// Whether one of the notices came, or is still missing, after that.
    #[sqlx(skip)]
    pub late: bool,
    /// Until when the athlete can cancel: the end of the fourteenth day after signing.
    pub cancellation_ends_at: Option<Time>,
    /// Where it stands.
    pub status: FilingStatus,
    /// Goes up by one with everything that is done to it.
    pub version: i64,
    /// Who entered it, as the audit trail words it.
    pub filed_by: String,
    /// Who submitted it.
    pub submitted_by: Option<String>,
    /// When it was first submitted.
    pub first_submitted_at: Option<Time>,
    /// When it was last submitted.
    pub submitted_at: Option<Time>,
    /// What whoever decided says.
    pub decision_note: Option<String>,
    /// Who decided, as the audit trail words it.
    pub decided_by: Option<String>,
    /// When.
    pub decided_at: Option<Time>,
    /// What was done to it, the latest first (200 at most); a list of filings leaves it empty.
    #[sqlx(skip)]
    pub history: Vec<FilingVersion>,
    /// When it was entered.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Filing {
    /// What it is called where people hear of it.
    pub(super) fn title(&self) -> String {
        match &self.particulars.agent.name {
            Some(name) => format!("Agent contract with {name}"),
            None => "Agent contract".to_owned(),
        }
    }

    /// Fills in what follows from the clock at `now`.
    pub(super) fn seen_at(mut self, now: Time) -> Self {
        self.late = clocks::is_late(self.notice_due_at, &self.particulars.notices, now);
        self
    }

    /// Whether it has to stay complete whatever is changed.
    pub(super) fn is_filed(&self) -> bool {
        matches!(self.status, FilingStatus::Submitted | FilingStatus::Acknowledged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_laws_hold() {
        assert_laws::<FilingStatus>();
    }

    #[test]
    fn what_was_accepted_is_never_deleted() {
        for status in FilingStatus::ALL {
            let open = matches!(
                status,
                FilingStatus::Draft | FilingStatus::Submitted | FilingStatus::Returned
            );
            assert_eq!(status.can(FilingEvent::Delete), open, "{status}");
        }
    }
}
