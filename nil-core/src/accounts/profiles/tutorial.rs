//! First steps for new users of each kind. A step is done as soon as the platform detects it; the
//! user can also tick off any step by hand.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tutorial_step::TutorialStep;
use crate::accounts::UserKind;
use crate::accounts::store::{profile, tutorial as store};
use crate::auth::User;
use crate::error::{Error, Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, AthleteId, FanId, Nothing, PartnerId, Time};
use crate::operation::{Cx, Done};
use crate::storage::Session;

vocabulary! {
    /// Why a step counts as done.
    DoneBy {
        /// The platform detected it.
        Platform = "platform",
        /// The caller ticked it off.
        Caller = "caller",
    }
}

/// A step with its state for the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct TutorialItem {
    /// The step.
    pub step: TutorialStep,
    /// Its title.
    pub title: &'static str,
    /// What to do.
    pub text: &'static str,
    /// Whether it is done.
    pub done: bool,
    /// Why it counts as done; null if it is not.
    pub done_by: Option<DoneBy>,
    /// When the caller ticked it off; null if they did not.
    pub ticked_at: Option<Time>,
}

/// The steps for the caller's kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Tutorial {
    /// The steps, in the recommended order.
    pub steps: Vec<TutorialItem>,
    /// How many are done.
    pub done: usize,
    /// Whether all are.
    pub is_complete: bool,
}

/// A step to tick off.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CompleteStep {
    /// One of the steps for the caller's kind.
    pub step: TutorialStep,
}

/// Returns the caller's first steps, each with whether it is done.
pub async fn show(cx: Cx<User>, _: Nothing) -> Result<Tutorial> {
    let mut session = cx.read().await?;
    tutorial(&mut session, &cx.caller, cx.now()).await
}

/// Ticks a step off; repeating it changes nothing. 422 for a step of another kind of account.
pub async fn complete_step(cx: Cx<User>, input: CompleteStep) -> Result<Done<Tutorial>> {
    let step = input.step;
    if !steps(cx.caller.kind).contains(&step) {
        let why = format!("`{step}` is not a step for this kind of account");
        return Err(Error::invalid("step", why));
    }
    let mut work = cx.begin().await?;
    let id = cx.caller.user_id;
    if store::tick(&mut work, id, step, cx.now()).await? {
        work.note(id, "tutorial_step_done");
    }
    let tutorial = tutorial(&mut work, &cx.caller, cx.now()).await?;
    work.done(tutorial).await
}

async fn tutorial(session: &mut Session, who: &User, now: Time) -> Result<Tutorial> {
    let seen = seen(session, who, now).await?;
    let ticked = store::ticked(session, who.user_id).await?;
    let ticked: BTreeMap<TutorialStep, Time> = ticked.into_iter().collect();
    Ok(told(who.kind, &seen, &ticked))
}

fn told(
    kind: UserKind,
    seen: &BTreeSet<TutorialStep>,
    ticked: &BTreeMap<TutorialStep, Time>,
) -> Tutorial {
    let item = |step: &TutorialStep| {
        let ticked_at = ticked.get(step).copied();
        let by_caller = ticked_at.map(|_| DoneBy::Caller);
        let done_by = seen.get(step).map(|_| DoneBy::Platform).or(by_caller);
        let (title, text) = words(*step);
        TutorialItem { step: *step, title, text, done: done_by.is_some(), done_by, ticked_at }
    };
    let steps: Vec<TutorialItem> = steps(kind).iter().map(item).collect();
    let done = steps.iter().filter(|item| item.done).count();
    Tutorial { is_complete: done == steps.len(), done, steps }
}

const fn steps(kind: UserKind) -> &'static [TutorialStep] {
    use TutorialStep as S;
    match kind {
        UserKind::Athlete => &[
            S::TakeTour,
            S::CompleteProfile,
            S::StateEnrolment,
            S::AddSocialAccount,
            S::ChooseActivities,
            S::SetUpPayouts,
            S::ApplyToFirstJob,
        ],
        UserKind::Partner => {
            &[S::TakeTour, S::CompleteProfile, S::SaveCard, S::PostFirstJob, S::HireFirstAthlete]
        }
        UserKind::Agent => &[
            S::TakeTour,
            S::CompleteProfile,
            S::AcceptTerms,
            S::SetUpPayouts,
            S::InviteFirstAthlete,
        ],
        UserKind::Fan => &[S::TakeTour, S::CompleteProfile, S::FollowFirstAthlete],
    }
}

const fn words(step: TutorialStep) -> (&'static str, &'static str) {
    match step {
        TutorialStep::TakeTour => ("Take a look around", "See where everything is."),
        TutorialStep::CompleteProfile => {
            ("Complete your profile", "Fill in what others look for before they deal with you.")
        }
        TutorialStep::StateEnrolment => (
            "Say when you enrolled",
            "Deals you signed before that day have deadlines of their own.",
        ),
        TutorialStep::AddSocialAccount => (
            "Add a social account",
            "Brands look for athletes on the networks where their customers are.",
        ),
        TutorialStep::ChooseActivities => {
            ("Choose what you do", "Pick the kinds of work you take on, and your prices.")
        }
        TutorialStep::SetUpPayouts => {
            ("Set up payouts", "Open a payout account, so that what you earn can reach your bank.")
        }
        TutorialStep::ApplyToFirstJob => {
            ("Apply for a job", "Find a job that fits you and tell the brand why.")
        }
        TutorialStep::SaveCard => ("Save a card", "Athletes are paid with the card you save here."),
        TutorialStep::PostFirstJob => {
            ("Post a job", "Say what you want done, by when, and what it pays.")
        }
        TutorialStep::HireFirstAthlete => {
            ("Hire an athlete", "Choose among the applicants. The contract is drawn up for you.")
        }
        TutorialStep::AcceptTerms => (
            "Accept the terms for agents",
            "You must accept them before you can act for an athlete.",
        ),
        TutorialStep::InviteFirstAthlete => {
            ("Invite an athlete", "You can act for them as soon as they have accepted.")
        }
        TutorialStep::FollowFirstAthlete => {
            ("Follow an athlete", "You get their news from then on.")
        }
    }
}

/// The steps that the platform detects as done.
async fn seen(session: &mut Session, who: &User, now: Time) -> Result<BTreeSet<TutorialStep>> {
    use TutorialStep as S;
    let id = who.profile_id;
    let facts = match who.kind {
        UserKind::Athlete => {
            let id = AthleteId::new(id).ok_or(codes::NOT_FOUND)?;
            let athlete = profile::athlete(session, id, now).await?;
            let account = athlete.payout_account.as_ref();
            vec![
                (S::CompleteProfile, athlete.readiness.is_ready()),
                (S::StateEnrolment, store::has_enrolled(session, id).await?),
                (S::AddSocialAccount, !athlete.socials.is_empty()),
                (S::ChooseActivities, !athlete.activities.is_empty()),
                (S::SetUpPayouts, account.is_some_and(|account| account.status == "enabled")),
                (S::ApplyToFirstJob, store::has_applied(session, id).await?),
            ]
        }
        UserKind::Partner => {
            let id = PartnerId::new(id).ok_or(codes::NOT_FOUND)?;
            let partner = profile::partner(session, id).await?;
            let done = store::of_partner(session, id).await?;
            vec![
                (S::CompleteProfile, partner.website.is_some() && partner.about.is_some()),
                (S::SaveCard, done.has_card),
                (S::PostFirstJob, done.has_posted),
                (S::HireFirstAthlete, done.has_hired),
            ]
        }
        UserKind::Agent => {
            let id = AgentId::new(id).ok_or(codes::NOT_FOUND)?;
            let agent = profile::agent(session, id).await?;
            vec![
                (S::CompleteProfile, agent.network_profile_url.is_some()),
                (S::AcceptTerms, agent.terms_accepted_at.is_some()),
                (S::SetUpPayouts, agent.processor_account_status == "enabled"),
                (S::InviteFirstAthlete, store::has_invited(session, id).await?),
            ]
        }
        UserKind::Fan => {
            let id = FanId::new(id).ok_or(codes::NOT_FOUND)?;
            let fan = profile::fan(session, id).await?;
            vec![
                (S::CompleteProfile, fan.university_id.is_some()),
                (S::FollowFirstAthlete, !fan.followed_athletes.is_empty()),
            ]
        }
    };
    let done = facts.into_iter().filter(|(_, done)| *done);
    Ok(done.map(|(step, _)| step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_somebodys_and_nobody_has_one_twice() {
        let mut all = BTreeSet::new();
        for kind in UserKind::ALL {
            let own: BTreeSet<_> = steps(*kind).iter().copied().collect();
            assert_eq!(own.len(), steps(*kind).len(), "{kind}");
            all.extend(own);
        }
        assert_eq!(all.len(), TutorialStep::ALL.len());
    }

    #[test]
    fn what_the_platform_sees_outweighs_a_tick() {
        let at = "2026-11-20T12:00:00Z".parse().unwrap();
        let ticked = BTreeMap::from([(TutorialStep::SaveCard, at), (TutorialStep::TakeTour, at)]);
        let seen = BTreeSet::from([TutorialStep::SaveCard]);
        let tutorial = told(UserKind::Partner, &seen, &ticked);
        let by = |step| {
            let item = tutorial.steps.iter().find(|item| item.step == step);
            item.and_then(|item| item.done_by)
        };
        assert_eq!(by(TutorialStep::SaveCard), Some(DoneBy::Platform));
        assert_eq!(by(TutorialStep::TakeTour), Some(DoneBy::Caller));
        assert_eq!(by(TutorialStep::PostFirstJob), None);
        assert_eq!((tutorial.done, tutorial.is_complete), (2, false));
    }
}
