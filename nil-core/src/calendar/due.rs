//! A deadline in a calendar.

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Date, Time, day_in, end_of_day, zone_or_utc};
use crate::storage::FromRow;

vocabulary! {
    /// What is due.
    DueKind {
        /// A deliverable of an executed contract.
        Deliverable = "deliverable",
        /// A contract that lapses unless the athlete confirms it.
        Contract = "contract",
        /// An invitation to a job, which can be accepted until the job closes.
        Invitation = "invitation",
        /// An order of a service, which lapses unless the athlete answers it.
        ServiceOrder = "service_order",
        /// A deal made off the platform that the institution must be told of.
        DisclosedJob = "disclosed_job",
        /// A deal that must be submitted to the clearinghouse.
        Clearance = "clearance",
        /// A notice of an agency contract.
        AgentNotice = "agent_notice",
    }
}

impl DueKind {
    /// What a calendar calls it, with the title of the record.
    pub(super) fn in_words(self, title: &str) -> String {
        let what = match self {
            Self::Deliverable => "Deliverable due",
            Self::Contract => "Contract to confirm",
            Self::Invitation => "Invitation ends",
            Self::ServiceOrder => "Order to answer",
            Self::DisclosedJob => "Disclosure due",
            Self::Clearance => "Submission to the clearinghouse due",
            Self::AgentNotice => "Due",
        };
        format!("{what}: {title}")
    }
}

/// A deadline that counts, or that has stopped to count.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Due {
    pub(super) kind: DueKind,
    pub(super) record_id: i64,
    pub(super) title: String,
    /// The day, if the record says one.
    day: Option<Date>,
    at: Time,
    /// The time zone of the institution, if the record has one.
    time_zone: Option<String>,
    pub(super) created_at: Time,
    pub(super) changed_at: Time,
    /// Since when it does not count any more.
    pub(super) ended_at: Option<Time>,
}

/// When something is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// By the end of a day.
    On(Date),
    /// At an instant.
    At(Time),
}

impl Due {
    /// When it is due: a day if the record says one, or if the instant ends a day at the
    /// institution.
    pub(super) fn when(&self) -> When {
        let zone = zone_or_utc(self.time_zone.as_deref());
        let day = day_in(self.at, zone);
        match self.day {
            Some(day) => When::On(day),
            None if end_of_day(day, zone) == self.at => When::On(day),
            None => When::At(self.at),
        }
    }

    /// The number of its version, which never falls: the seconds from the record's beginning to its
    /// last change.
    pub(super) fn sequence(&self) -> i64 {
        (self.changed_at - self.created_at).num_seconds().clamp(0, i64::from(i32::MAX))
    }
}

#[cfg(test)]
pub(super) fn due(kind: DueKind, title: &str, due_at: &str, zone: Option<&str>) -> Due {
    let at = |text: &str| text.parse().expect("an instant");
    Due {
        kind,
        record_id: 7,
        title: title.to_owned(),
        day: None,
        at: at(due_at),
        time_zone: zone.map(str::to_owned),
        created_at: at("2026-11-20T12:00:00Z"),
        changed_at: at("2026-11-20T12:01:40Z"),
        ended_at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_day_at_the_institution_is_that_day() {
        let when = |at, zone| due(DueKind::Clearance, "x", at, zone).when();
        let day = "2026-12-01".parse().unwrap();
        let chicago = Some("America/Chicago");
        assert_eq!(when("2026-12-02T05:59:59Z", chicago), When::On(day));
        assert_eq!(when("2026-12-01T23:59:59Z", None), When::On(day));
        // 72 hours after something end in the middle of a day.
        let noon = "2026-12-01T12:00:00Z";
        assert_eq!(when(noon, chicago), When::At(noon.parse().unwrap()));
        let midnight = "2026-12-01T23:59:59Z";
        assert_eq!(when(midnight, chicago), When::At(midnight.parse().unwrap()));
    }

    #[test]
    fn a_version_grows_with_changes_and_never_falls_below_none() {
        let mut one = due(DueKind::Contract, "x", "2026-12-01T12:00:00Z", None);
        assert_eq!(one.sequence(), 100);
        one.changed_at = one.created_at - chrono::TimeDelta::seconds(5);
        assert_eq!(one.sequence(), 0);
    }
}
