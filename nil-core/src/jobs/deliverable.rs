//! A deliverable: one milestone of one hired athlete (`milestonesAthleteRel` in the specification).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::words::{Activity, MediaKind, MediaPlatform};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, Cents, ContractId, Date, DeliverableId, FileId, JobId, Machine, MilestoneId, Move,
    Time,
};
use crate::operation::Subject;

vocabulary! {
    /// The state of a deliverable.
    DeliverableStatus {
        /// To be done.
        Pending = "pending",
        /// Handed in.
        Submitted = "submitted",
        /// Accepted; owed.
        Approved = "approved",
        /// Sent back.
        Denied = "denied",
        /// The contract ended first.
        Void = "void",
    }
}

/// What can happen to a deliverable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliverableEvent {
    /// The athlete hands it in.
    Submit,
    /// The brand accepts it.
    Approve,
    /// The brand sends it back.
    Deny,
    /// The contract ended.
    Void,
}

impl Machine for DeliverableStatus {
    type Event = DeliverableEvent;
    const NAME: &'static str = "deliverable";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Pending];
    const TERMINAL: &'static [Self] = &[Self::Approved, Self::Void];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Pending, DeliverableEvent::Submit, Self::Submitted), // POST /submitMediaPost
        (Self::Submitted, DeliverableEvent::Approve, Self::Approved), // POST /jobStatusChange
        (Self::Submitted, DeliverableEvent::Deny, Self::Denied), // …, /partner/deny-athlete-deliverable
        (Self::Denied, DeliverableEvent::Submit, Self::Submitted), // POST /submitMediaPost
        (Self::Pending, DeliverableEvent::Void, Self::Void),
        (Self::Submitted, DeliverableEvent::Void, Self::Void),
        (Self::Denied, DeliverableEvent::Void, Self::Void),
    ];

    fn word(self) -> &'static str {
        self.as_str()
    }
}

vocabulary! {
    /// Whether a caption says that the post is advertising.
    DisclosureVerdict {
        /// It has to and does.
        Clear = "clear",
        /// It has to and does not.
        Missing = "missing",
        /// It has to, and there is no caption to look at.
        Unknown = "unknown",
        /// It does not have to.
        NotRequired = "not_required",
    }
}

/// What the caption of a submission was found to say about being advertising. A notice to both sides,
/// never a refusal: platforms have disclosure tools of their own that a caption does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisclosureCheck {
    /// The finding.
    pub verdict: DisclosureVerdict,
    /// The words that were taken as the disclosure.
    pub found: Option<String>,
}

/// Tags that count by themselves, in small letters.
const TAGS: &[&str] = &[
    "#ad",
    "#ads",
    "#advertisement",
    "#sponsored",
    "#paidpartnership",
    "#paidpartner",
    "#paidad",
];
/// Words that count where they stand as words. A vague "thanks to" or "#partner" does not count.
const PHRASES: &[&str] = &[
    "paid partnership",
    "advertisement",
    "sponsored by",
    "paid ad",
];

/// Looks a caption over.
#[must_use]
pub fn check_disclosure(required: bool, caption: Option<&str>) -> DisclosureCheck {
    let verdict = |verdict, found| DisclosureCheck { verdict, found };
    if !required {
        return verdict(DisclosureVerdict::NotRequired, None);
    }
    let Some(caption) = caption.filter(|caption| !caption.trim().is_empty()) else {
        return verdict(DisclosureVerdict::Unknown, None);
    };
    let text = caption.to_lowercase();
    let tag = text
        .split(|c: char| c.is_whitespace() || ",;.!?()".contains(c))
        .find(|word| TAGS.contains(word));
    let phrase = || {
        PHRASES
            .iter()
            .copied()
            .find(|phrase| stands_in(&text, phrase))
    };
    match tag.or_else(phrase) {
        Some(found) => verdict(DisclosureVerdict::Clear, Some(found.to_owned())),
        None => verdict(DisclosureVerdict::Missing, None),
    }
}

/// Whether the phrase stands in the text with no letter or digit at either end.
fn stands_in(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, found)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + found.len()..)
            .and_then(|after| after.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// A deliverable.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Deliverable {
    /// Its id.
    pub id: DeliverableId,
    /// The contract.
    pub contract_id: ContractId,
    /// The job.
    pub job_id: JobId,
    /// The milestone it is for.
    pub milestone_id: MilestoneId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// What it is called.
    pub title: String,
    /// What is to be done.
    pub activity: Activity,
    /// Where.
    pub platform: MediaPlatform,
    /// In which form.
    pub media_kind: MediaKind,
    /// How many links or files it takes.
    pub quantity: i64,
    /// The brand's instructions.
    pub instructions: Option<String>,
    /// Tags the post has to carry.
    #[sqlx(json)]
    pub hashtags: Vec<String>,
    /// Whether the post has to be marked as advertising.
    pub disclosure_required: bool,
    /// The last day for it.
    pub due_on: Date,
    /// The end of that day in the institution's time zone.
    pub due_at: Time,
    /// Whether that is past and the work not handed in.
    #[sqlx(skip)]
    pub overdue: bool,
    /// Where it stands.
    pub status: DeliverableStatus,
    /// What it is worth.
    pub amount_cents: Cents,
    /// How much of that has been paid.
    pub paid_cents: Cents,
    /// Where it was published.
    #[sqlx(json)]
    pub post_urls: Vec<String>,
    /// The caption.
    pub caption: Option<String>,
    /// The files handed in.
    #[sqlx(json, rename = "file_ids")]
    pub media: Vec<FileId>,
    /// Whether the caption says that it is advertising.
    #[sqlx(json(nullable))]
    pub disclosure_check: Option<DisclosureCheck>,
    /// When it was last handed in.
    pub submitted_at: Option<Time>,
    /// When the brand last decided.
    pub reviewed_at: Option<Time>,
    /// What the brand said.
    pub review_note: Option<String>,
    /// How often it has been handed in again.
    pub revision: i64,
    /// When it came about.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Deliverable {
    /// How the audit trail names it.
    #[must_use]
    pub fn subject(&self) -> Subject {
        Subject {
            kind: "deliverable",
            id: self.id.get(),
        }
    }

    /// With `overdue` as it is at `now`.
    #[must_use]
    pub(crate) fn seen_at(mut self, now: Time) -> Self {
        let open = matches!(
            self.status,
            DeliverableStatus::Pending | DeliverableStatus::Denied
        );
        self.overdue = open && self.due_at < now;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_laws_hold() {
        assert_laws::<DeliverableStatus>();
    }

    #[test]
    fn a_caption_says_that_it_is_advertising_or_does_not() {
        let verdict = |caption| check_disclosure(true, Some(caption)).verdict;
        assert_eq!(verdict("Loving the vest! #AD"), DisclosureVerdict::Clear);
        assert_eq!(
            verdict("Paid partnership with Ridge"),
            DisclosureVerdict::Clear
        );
        assert_eq!(
            verdict("#adventure on the trail"),
            DisclosureVerdict::Missing
        );
        assert_eq!(verdict("Thanks to my #partner"), DisclosureVerdict::Missing);
        assert_eq!(verdict("unsponsored bystander"), DisclosureVerdict::Missing);
        assert_eq!(
            check_disclosure(true, None).verdict,
            DisclosureVerdict::Unknown
        );
        assert_eq!(
            check_disclosure(false, Some("x")).verdict,
            DisclosureVerdict::NotRequired
        );
    }
}
