//! A published post that must stay up, and what is to be seen of it.

use schemars::JsonSchema;
use serde::Serialize;

use super::disclosure::check_disclosure;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Date, DeliverableId, Time};
use crate::ports::social_metrics::{Look, Outage};
use crate::storage::FromRow;

vocabulary! {
    /// What a check of a post found.
    PostOutcome {
        /// It is up, and it discloses the advertising if it must.
        Live = "live",
        /// It is not up any more.
        Gone = "gone",
        /// It is up, but it does not disclose the advertising.
        Undisclosed = "undisclosed",
        /// It could not be checked.
        Unchecked = "unchecked",
    }
}

/// A published post that must stay up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
pub struct WatchedPost {
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) deliverable_id: DeliverableId,
    /// Its address.
    pub url: String,
    /// The end of its live period: as many days after it was handed in as the contract says.
    pub live_until: Time,
    /// What the last check found.
    pub outcome: PostOutcome,
    /// Why, if it was not found in place.
    pub reason: Option<String>,
    /// When it was last looked at; null before the first time, and where the platform has no source
    /// that looks.
    pub checked_at: Option<Time>,
    /// When it was last found in place.
    pub seen_at: Option<Time>,
}

/// What was found of a published post on a day of its live period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PostCheck {
    /// The post's address.
    pub url: String,
    /// The day, by UTC.
    pub day: Date,
    /// What was found. A day without an answer takes a later answer of the same day; no other
    /// result is replaced.
    pub outcome: PostOutcome,
    /// Why, if it was not found in place.
    pub reason: Option<String>,
    /// When it was found.
    pub at: Time,
}

/// What a check found, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) outcome: PostOutcome,
    pub(super) reason: Option<String>,
    /// The source did not answer: it is asked again soon.
    pub(super) again: bool,
    /// Whether a source looked at all.
    pub(super) looked: bool,
}

/// The reason where no source is connected.
const NO_SOURCE: &str = "The platform has no source that looks at posts.";
/// The reason for a post that nobody has looked at yet.
const NOT_YET: &str = "It has not been checked yet.";

impl Finding {
    /// The state before the first look.
    pub(super) fn before(has_source: bool) -> Self {
        let reason = if has_source { NOT_YET } else { NO_SOURCE };
        Self { looked: false, ..Self::unchecked(reason) }
    }

    /// It could not be checked, for this reason.
    fn unchecked(reason: &str) -> Self {
        Self {
            outcome: PostOutcome::Unchecked,
            reason: Some(reason.to_owned()),
            again: false,
            looked: true,
        }
    }

    /// What a source's answer means for a post that must disclose advertising, or need not.
    pub(super) fn of(answer: Result<Look, Outage>, disclosed: bool) -> Self {
        let found = |outcome, reason: Option<&str>| Self {
            outcome,
            reason: reason.map(str::to_owned),
            again: false,
            looked: true,
        };
        match answer {
            Err(Outage(_)) => Self {
                again: true,
                ..Self::unchecked("The source that looks at posts did not answer.")
            },
            Ok(Look::Unknown(why)) => Self::unchecked(&why),
            Ok(Look::Gone) => found(PostOutcome::Gone, Some("There is no post at this address.")),
            Ok(Look::There { .. }) if !disclosed => found(PostOutcome::Live, None),
            Ok(Look::There { caption: None }) => {
                Self::unchecked("The post is up, but its caption cannot be read.")
            }
            Ok(Look::There { caption }) => {
                let check = check_disclosure(true, &[], caption.as_deref());
                if check.passed {
                    found(PostOutcome::Live, None)
                } else {
                    found(PostOutcome::Undisclosed, Some(&check.message))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_seen_is_fine() {
        let there = |caption: Option<&str>| Ok(Look::There { caption: caption.map(str::to_owned) });
        for (answer, disclosed, outcome) in [
            (there(Some("#ad Hello")), true, PostOutcome::Live),
            (there(Some("Hello")), true, PostOutcome::Undisclosed),
            (there(Some("Hello")), false, PostOutcome::Live),
            (there(None), true, PostOutcome::Unchecked),
            (there(None), false, PostOutcome::Live),
            (Ok(Look::Gone), true, PostOutcome::Gone),
            (Ok(Look::Gone), false, PostOutcome::Gone),
            (Ok(Look::Unknown("Closed.".into())), false, PostOutcome::Unchecked),
            (Err(Outage("down".into())), false, PostOutcome::Unchecked),
        ] {
            let asked = format!("{answer:?}");
            let found = Finding::of(answer, disclosed);
            assert_eq!(found.outcome, outcome, "{asked}");
            assert_eq!(found.reason.is_some(), outcome != PostOutcome::Live, "{asked}");
        }
    }
}
