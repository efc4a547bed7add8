//! The rows of the tutorial, and users' first actions.

use crate::accounts::profiles::tutorial_step::TutorialStep;
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, PartnerId, Time, UserId};
use crate::storage::{FromRow, Session, insert, sql};

/// Marks a step as done; returns whether it was not done before.
pub async fn tick(
    session: &mut Session,
    user: UserId,
    step: TutorialStep,
    now: Time,
) -> Result<bool> {
    let row = insert("tutorial_step")
        .set("user_id", user)
        .set("step", step)
        .set("done_at", now)
        .unless_exists(&["user_id", "step"]);
    Ok(session.run(row).await? > 0)
}

/// The steps that a user has marked as done.
pub async fn ticked(session: &mut Session, user: UserId) -> Result<Vec<(TutorialStep, Time)>> {
    session.all(sql("SELECT step, done_at FROM tutorial_step WHERE user_id = $1").bind(user)).await
}

/// Whether the athlete has ever applied for a job. An unaccepted invitation does not count.
pub async fn has_applied(session: &mut Session, athlete: AthleteId) -> Result<bool> {
    session
        .value(
            sql("SELECT EXISTS (SELECT 1 FROM application WHERE athlete_id = $1 \
                 AND status NOT IN ('invited', 'declined'))")
            .bind(athlete),
        )
        .await
}

/// Whether the athlete has stated an enrolment at the institution of their profile.
pub async fn has_enrolled(session: &mut Session, athlete: AthleteId) -> Result<bool> {
    session
        .value(
            sql("SELECT EXISTS (SELECT 1 FROM athlete a JOIN athlete_entry e \
                 ON e.athlete_id = a.id AND e.college_id = a.university_id WHERE a.id = $1)")
            .bind(athlete),
        )
        .await
}

/// What a brand has done so far.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Firsts {
    pub has_card: bool,
    pub has_posted: bool,
    pub has_hired: bool,
}

/// Whether the brand has a card, a job and a contract.
pub async fn of_partner(session: &mut Session, partner: PartnerId) -> Result<Firsts> {
    session
        .one(
            sql("SELECT EXISTS (SELECT 1 FROM payment_method m \
                 WHERE m.owner = 'partner:' || p.id AND m.removed_at IS NULL) AS has_card, \
                 EXISTS (SELECT 1 FROM job j WHERE j.partner_id = p.id) AS has_posted, \
                 EXISTS (SELECT 1 FROM contract c WHERE c.partner_id = p.id) AS has_hired \
                 FROM partner p WHERE p.id = $1")
            .bind(partner),
        )
        .await
}

/// Whether the agent has ever invited an athlete.
pub async fn has_invited(session: &mut Session, agent: AgentId) -> Result<bool> {
    session
        .value(sql("SELECT EXISTS (SELECT 1 FROM representation WHERE agent_id = $1)").bind(agent))
        .await
}
