//! A filing's content with derived values, checked and ready to be stored.

use super::completeness::{self, Frame};
use super::deadlines::{self, Clocks};
use super::particulars::Particulars;
use super::store::person::{self as people, Person};
use crate::error::{Error, Result};
use crate::institutions::checking;
use crate::kernel::{AgentId, AthleteId, CollegeId, Time, fold_words};
use crate::storage::Session;

/// A filing's content with derived values, ready to be stored.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) agent_id: Option<AgentId>,
    pub(super) particulars: Particulars,
    pub(super) clocks: Clocks,
    pub(super) search_text: String,
}

/// Checks that the content is consistent and, if `complete`, that nothing is missing; computes the
/// deadlines.
pub(super) async fn check(
    session: &mut Session,
    (college, (athlete, agent)): (CollegeId, (AthleteId, Option<AgentId>)),
    person: &Person,
    particulars: &Particulars,
    (complete, now): (bool, Time),
) -> Result<Content> {
    let school = people::school(session, college).await?;
    let zone = school.zone();
    let frame = Frame { now, zone, born_on: person.date_of_birth };
    completeness::agrees(particulars, frame)?;
    check_references(session, athlete, agent, particulars).await?;
    if complete {
        completeness::is_complete(particulars, frame)?;
    }
    let signed_at = particulars.contract.signed_at.unwrap_or(now);
    // The rule in force on the day of signing applies.
    let rules = checking::rules_of(session, college, deadlines::day_of(signed_at, zone)).await?;
    let rule = rules.agent_notice.rule;
    let (contract, notices) = (&particulars.contract, &particulars.notices);
    Ok(Content {
        agent_id: agent,
        search_text: search_text(person, particulars),
        clocks: deadlines::clocks(contract, notices, rule, zone),
        particulars: particulars.clone(),
    })
}

async fn check_references(
    session: &mut Session,
    athlete: AthleteId,
    agent: Option<AgentId>,
    particulars: &Particulars,
) -> Result<()> {
    if let Some(agent) = agent
        && !people::has_represented(session, agent, athlete).await?
    {
        let why = "must be an agent who represents or has represented the athlete";
        return Err(Error::invalid("agent_id", why));
    }
    let home: Vec<String> = particulars.registration.state.iter().cloned().collect();
    for (field, states) in
        [("registration.state", &home), ("other_states", &particulars.other_states)]
    {
        let unknown = people::unknown_states(session, states).await?;
        if !unknown.is_empty() {
            let why = format!("unknown states: {}", unknown.join(", "));
            return Err(Error::invalid(field, why));
        }
    }
    Ok(())
}

/// The search text: the words, folded.
fn search_text(person: &Person, particulars: &Particulars) -> String {
    let agent = &particulars.agent;
    let texts = [
        Some(&person.display_name),
        person.first_name.as_ref(),
        person.last_name.as_ref(),
        agent.name.as_ref(),
        agent.business.as_ref(),
        particulars.registration.number.as_ref(),
    ];
    let texts: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
    fold_words(&texts.join(" "))
}
