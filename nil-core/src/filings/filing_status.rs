//! The states of a filing.

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Machine, Move};

vocabulary! {
    /// The status of a filing.
    FilingStatus {
        /// In preparation; may be incomplete.
        Draft = "draft",
        /// Complete and filed.
        Submitted = "submitted",
        /// Acknowledged by the institution.
        Acknowledged = "acknowledged",
        /// Returned with a note.
        Returned = "returned",
        /// The contract has ended.
        Terminated = "terminated",
        /// Removed from the lists; the record is kept.
        Deleted = "deleted",
    }
}

/// An event in a filing's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilingEvent {
    /// It is submitted.
    Submit,
    /// The institution acknowledges it.
    Acknowledge,
    /// The institution returns it with a note.
    Return,
    /// The contract has ended.
    Terminate,
    /// It is removed from the lists.
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

#[cfg(test)]
mod tests {
    use super::*;

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
