//! Officers decide on disclosed jobs.

use schemars::JsonSchema;
use serde::Deserialize;

use super::browsing;
use super::clearance::ClearanceWord;
use super::clearing::{self, Heard};
use super::disclosed_job::{DisclosedJob, DisclosedJobEvent, DisclosedJobStatus};
use super::store::clearance::Which;
use super::store::{disclosed_job as store, person as people};
use super::telling;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{DisclosedJobId, Machine as _, Text};
use crate::notifications::{Event, FeedKind};
use crate::operation::{Cx, Done, Work};

vocabulary! {
    /// An officer's decision.
    DisclosedJobDecision {
        /// Start the review.
        Take = "take",
        /// Approve it.
        Approve = "approve",
        /// Reject it.
        Reject = "reject",
        /// Request more information.
        Ask = "ask",
    }
}

impl DisclosedJobDecision {
    const fn event(self) -> DisclosedJobEvent {
        match self {
            Self::Take => DisclosedJobEvent::Take,
            Self::Approve => DisclosedJobEvent::Approve,
            Self::Reject => DisclosedJobEvent::Reject,
            Self::Ask => DisclosedJobEvent::Ask,
        }
    }

    /// Whether it can be made about a deal in this state, at once or after a review is taken up.
    #[must_use]
    pub fn possible_in(self, status: DisclosedJobStatus) -> bool {
        status.can(self.event()) || self.needs_review_of(status)
    }

    /// Whether the review of a deal in this state has to be taken up before.
    #[must_use]
    pub fn needs_review_of(self, status: DisclosedJobStatus) -> bool {
        let reviewed = status.on(DisclosedJobEvent::Take).map(|taken| taken.to());
        !status.can(self.event()) && reviewed.is_ok_and(|status| status.can(self.event()))
    }

    /// What the athlete is told; nothing of a review that only starts.
    const fn told(self) -> Option<Event> {
        match self {
            Self::Take => None,
            Self::Approve => Some(Event::DisclosedJobApproved),
            Self::Reject => Some(Event::DisclosedJobRejected),
            Self::Ask => Some(Event::DisclosedJobInfoRequested),
        }
    }
}

/// A decision about a disclosed job, or the clearinghouse's decision about it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DecideDisclosedJob {
    /// The disclosed job.
    pub id: DisclosedJobId,
    /// The decision; send this or `clearinghouse`, or both.
    pub decision: Option<DisclosedJobDecision>,
    /// The reason; required for `reject` and `ask`, and if the clearinghouse flags or does not
    /// clear.
    pub note: Option<Text<1, 4000>>,
    /// The clearinghouse's decision, or the step taken there.
    pub clearinghouse: Option<ClearanceWord>,
    /// The clearinghouse's reference.
    pub reference: Option<Text<1, 120>>,
}

/// Decides on a disclosed job of the institution's athletes, or records the clearinghouse's
/// decision about it. 404 for a draft or another institution's, 409 `illegal_transition` if its
/// state does not allow it; submitting to the clearinghouse checks the packet again (422 naming
/// contradictions).
pub async fn decide(cx: Cx<PortalUser>, input: DecideDisclosedJob) -> Result<Done<DisclosedJob>> {
    if input.decision.is_none() && input.clearinghouse.is_none() {
        return Err(Error::invalid("decision", "send `decision` or `clearinghouse`"));
    }
    let needs_reason =
        matches!(input.decision, Some(DisclosedJobDecision::Reject | DisclosedJobDecision::Ask));
    if needs_reason && input.note.is_none() {
        return Err(Error::invalid("note", "is required: the athlete sees it"));
    }
    let note = input.note.map(|note| note.trim().to_owned());
    let mut work = cx.begin().await?;
    let job = store::lock_of_college(&mut work, input.id, &cx.caller).await?;
    if let Some(decision) = input.decision {
        write(&mut work, &cx, &job, decision, note.as_deref()).await?;
    }
    if let Some(word) = input.clearinghouse {
        let heard =
            Heard { word, reference: input.reference.map(|text| text.trim().to_owned()), note };
        clearing::hear(&mut work, &cx.caller, Which::Of(job.id), heard).await?;
    }
    let job = browsing::one(&mut work, job.id, cx.now()).await?;
    work.done(job).await
}

async fn write(
    work: &mut Work,
    cx: &Cx<PortalUser>,
    job: &DisclosedJob,
    decision: DisclosedJobDecision,
    note: Option<&str>,
) -> Result<()> {
    let moved = job.status.on(decision.event())?;
    let by = format!("portal_user:{}", cx.caller.id);
    store::decide(work, job.id, moved, (&by, note), cx.now()).await?;
    let person = people::find(work, job.athlete_id).await?;
    if let Some(event) = decision.told() {
        telling::of_decision(work, event, (&person, job), note);
    } else {
        let users = [Some(person.user_id), person.agent_user_id];
        for user in users.into_iter().flatten() {
            work.touch(user, FeedKind::Deals);
        }
    }
    work.note_change(
        job.id,
        moved.to().as_str(),
        serde_json::json!({ "status": moved.from() }),
        serde_json::json!({ "status": moved.to(), "note": note }),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decided_after_a_review_is_offered_before_it_too() {
        use DisclosedJobDecision::{Approve, Ask, Reject, Take};
        let possible = |status| {
            let all = DisclosedJobDecision::ALL.iter().copied();
            all.filter(|decision| decision.possible_in(status)).collect::<Vec<_>>()
        };
        assert_eq!(possible(DisclosedJobStatus::Submitted), [Take, Approve, Reject, Ask]);
        assert_eq!(possible(DisclosedJobStatus::UnderReview), [Approve, Reject, Ask]);
        assert_eq!(possible(DisclosedJobStatus::Rejected), []);
        assert!(Reject.needs_review_of(DisclosedJobStatus::Submitted));
        assert!(!Reject.needs_review_of(DisclosedJobStatus::UnderReview));
        assert!(!Approve.needs_review_of(DisclosedJobStatus::Submitted));
    }
}
