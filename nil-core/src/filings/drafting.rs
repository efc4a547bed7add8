//! Drafts the institution's filing about a contract between athlete and agent that was made on the
//! platform, with what the platform knows of it.

use super::content::check;
use super::notices;
use super::particulars::{
    AgencyContract, AgentOfRecord, FilingKind, Notices, Particulars, Registration,
};
use super::recording::{Step, record};
use super::store::filing as store;
use super::store::person::{self as people, AgentOnFile};
use super::version::FilingAction;
use crate::accounts::Certification;
use crate::agents::Representation;
use crate::error::{Result, codes};
use crate::kernel::{Date, Time, day_in};
use crate::operation::Work;
use crate::wording;

/// Drafts the filing for the institution that the athlete belongs to, and notifies its officers.
/// Does nothing without an institution, or if it has a filing about this representation.
/// `enrolled_at` is given if the athlete came to the institution after the representation began.
pub(super) async fn draft(
    work: &mut Work,
    representation: &Representation,
    enrolled_at: Option<Time>,
) -> Result<bool> {
    let (Some(athlete), Some(signed_at)) = (representation.athlete_id, representation.accepted_at)
    else {
        return Ok(false);
    };
    let Some(college) = people::college_of(work, athlete).await? else {
        return Ok(false);
    };
    if store::is_drafted(work, representation.id, college).await? {
        return Ok(false);
    }
    let zone = people::school(work, college).await?.zone();
    let on = |at: Time| day_in(at, zone);
    let agent = people::agent_on_file(work, representation.agent_id).await?;
    let person = people::find(work, athlete).await?;
    let mut particulars = Particulars {
        kind: Some(FilingKind::Nil),
        agent: agent_of_record(&agent),
        contract: contract(representation, signed_at, on(signed_at)),
        notices: Notices { enrolled_on: enrolled_at.map(on), ..Notices::default() },
        ..Particulars::default()
    };
    (particulars.registration, particulars.other_states) = registration(work, &agent).await?;
    let parties = (athlete, Some(representation.agent_id));
    let when = (false, work.now());
    let content = check(work, (college, parties), &person, &particulars, when).await?;
    let by = work.facts().actor.clone();
    let now = work.now();
    let id = store::add(work, (college, athlete), &content, &by, now).await?;
    store::set_representation(work, id, representation.id).await?;
    let step = Step { version: 1, action: FilingAction::Created, note: None };
    let filing = store::lock(work, id).await?;
    let filing = filing.ok_or(codes::INTERNAL)?;
    record(work, id, step, (&content, &[], filing.status)).await?;
    notices::of_draft(work, &filing).await?;
    Ok(true)
}

fn agent_of_record(agent: &AgentOnFile) -> AgentOfRecord {
    AgentOfRecord {
        name: Some(agent.name.clone()).filter(|name| !name.is_empty()),
        business: Some(agent.agency_name.clone()).filter(|name| !name.is_empty()),
        form: None,
        addresses: Vec::new(),
        phones: agent.phone.iter().cloned().collect(),
        emails: agent.email.iter().cloned().collect(),
        sites: agent.network_profile_url.iter().cloned().collect(),
    }
}

fn contract(of: &Representation, signed_at: Time, signed_on: Date) -> AgencyContract {
    let share = wording::percent(of.commission_basis_points.get());
    AgencyContract {
        signed_at: Some(signed_at),
        from: Some(signed_on),
        services: Some("Representation in deals made on the platform.".to_owned()),
        consideration: Some(format!("{share} of the athlete's pay from these deals")),
        consideration_method: Some("A share of each payment, taken when it is made.".to_owned()),
        ..AgencyContract::default()
    }
}

/// The code of the state that a licence is valid in.
fn state_of(licence: &Certification) -> Option<String> {
    licence.state.as_ref().map(|state| state.to_uppercase())
}

/// The registration among the agent's licences, and the other states they name: of licences with a
/// state the one that is valid longest.
async fn registration(work: &mut Work, agent: &AgentOnFile) -> Result<(Registration, Vec<String>)> {
    let licences = agent.licences();
    let states: Vec<String> = licences.iter().filter_map(state_of).collect();
    let unknown = people::unknown_states(work, &states).await?;
    let known = licences.iter().filter_map(|licence| {
        state_of(licence).filter(|state| !unknown.contains(state)).map(|state| (state, licence))
    });
    let known: Vec<_> = known.collect();
    // A licence without an end is valid longest.
    let longest =
        known.iter().max_by_key(|(_, licence)| (licence.expires_on.is_none(), licence.expires_on));
    let Some((home, licence)) = longest else {
        return Ok((Registration::default(), Vec::new()));
    };
    let mut others: Vec<String> =
        known.iter().map(|(state, _)| state.clone()).filter(|state| state != home).collect();
    others.sort_unstable();
    others.dedup();
    let registration = Registration {
        state: Some(home.clone()),
        number: Some(licence.number.to_string()),
        from: None,
        until: licence.expires_on,
    };
    Ok((registration, others))
}
