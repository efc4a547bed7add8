//! Athletes and agents give the institution the notice of their contract, and see what is due.

use schemars::JsonSchema;
use serde::Deserialize;

use super::agency_notice::{AgencyNotice, ListNotices, Whose};
use super::content::check;
use super::filing::Filing;
use super::filing_status::FilingStatus;
use super::notices;
use super::particulars::{Particulars, Side};
use super::recording::{Step, record};
use super::store::{filing as store, notice as notice_store, person as people};
use super::version::FilingAction;
use crate::auth::{Agent, Athlete};
use crate::error::{Error, Result, codes};
use crate::kernel::{Listing, Paged, RepresentationId, Time};
use crate::operation::{Cx, Done, Work};
use crate::storage::Session;

/// The athlete's notice.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct GiveOwnNotice {
    /// The contract with the agent.
    pub representation_id: RepresentationId,
    /// The athlete's next event after signing, if there is one before the deadline: the notices are
    /// due before it.
    #[schemars(extend("examples" = [null]))]
    pub next_event_at: Option<Time>,
}

/// The agent's notice.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct GiveNotice {
    /// The contract with the athlete.
    pub representation_id: RepresentationId,
}

/// Gives the institution the athlete's notice of the contract with an agent. Repeating it changes
/// nothing. The institution's officers are notified. 404 for another athlete's, and without an
/// institution that holds a filing about it.
pub async fn give_as_athlete(cx: Cx<Athlete>, input: GiveOwnNotice) -> Result<Done<AgencyNotice>> {
    let mut work = cx.begin().await?;
    let whose = Whose::Athlete(cx.caller.id);
    let filing = notice_store::lock(&mut work, input.representation_id, whose).await?;
    let event = input.next_event_at;
    let notice = give(&mut work, filing, (Side::Athlete, event)).await?;
    work.done(notice).await
}

/// Gives the institution the agent's notice of the contract with an athlete. Repeating it changes
/// nothing. The institution's officers are notified. 404 for another agent's, and without an
/// institution that holds a filing about it.
pub async fn give_as_agent(cx: Cx<Agent>, input: GiveNotice) -> Result<Done<AgencyNotice>> {
    let mut work = cx.begin().await?;
    let whose = Whose::Agent(cx.caller.id);
    let filing = notice_store::lock(&mut work, input.representation_id, whose).await?;
    let notice = give(&mut work, filing, (Side::Agent, None)).await?;
    work.done(notice).await
}

/// The contracts with agents that institutions must hear of from the calling athlete, newest first:
/// the deadlines, who has given notice, and until when the athlete can cancel.
pub async fn list_of_athlete(
    cx: Cx<Athlete>,
    input: Paged<ListNotices>,
) -> Result<Listing<AgencyNotice>> {
    list(cx.read().await?, Whose::Athlete(cx.caller.id), input, cx.now()).await
}

/// The contracts with athletes that institutions must hear of from the calling agent, newest first:
/// the deadlines, who has given notice, and until when the athlete can cancel.
pub async fn list_of_agent(
    cx: Cx<Agent>,
    input: Paged<ListNotices>,
) -> Result<Listing<AgencyNotice>> {
    list(cx.read().await?, Whose::Agent(cx.caller.id), input, cx.now()).await
}

async fn list(
    mut session: Session,
    whose: Whose,
    input: Paged<ListNotices>,
    now: Time,
) -> Result<Listing<AgencyNotice>> {
    let (input, paging) = input.parts();
    let page = notice_store::page(&mut session, whose, &input, paging).await?;
    Ok(page.map(|notice: AgencyNotice| notice.seen_at(now)))
}

/// Writes the notice of one side, now. One that was given stays as it is.
async fn give(
    work: &mut Work,
    filing: Filing,
    (side, event): (Side, Option<Time>),
) -> Result<AgencyNotice> {
    let now = work.now();
    if filing.status == FilingStatus::Terminated {
        let sentence = "The institution has closed its filing about this contract.";
        return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
    }
    let signed_at = filing.particulars.contract.signed_at;
    if event.zip(signed_at).is_some_and(|(event, signed)| event < signed) {
        return Err(Error::invalid("next_event_at", "must not be before the contract was signed"));
    }
    let mut particulars = filing.particulars.clone();
    let notices = &mut particulars.notices;
    let given = match side {
        Side::Agent => &mut notices.agent_at,
        Side::Athlete => &mut notices.athlete_at,
    };
    let first = given.is_none();
    given.get_or_insert(now);
    if event.is_some() {
        notices.next_event_at = event;
    }
    if particulars != filing.particulars {
        let note = match side {
            Side::Agent => "The agent gave notice.",
            Side::Athlete => "The athlete gave notice.",
        };
        rewritten(work, &filing, particulars, note).await?;
        if first {
            notices::of_notice(work, filing.id, side).await?;
        }
    }
    Ok(notice_store::find(work, filing.id).await?.seen_at(now))
}

/// Writes a filing's new content as its next version.
pub(super) async fn rewritten(
    work: &mut Work,
    filing: &Filing,
    particulars: Particulars,
    note: &str,
) -> Result<()> {
    let now = work.now();
    let person = people::find(work, filing.athlete_id).await?;
    let parties = (filing.athlete_id, filing.agent_id);
    let when = (false, now);
    let content = check(work, (filing.college_id, parties), &person, &particulars, when).await?;
    store::rewrite(work, filing, &content, now).await?;
    let step = Step {
        version: filing.version + 1,
        action: FilingAction::Changed,
        note: Some(note.to_owned()),
    };
    record(work, filing.id, step, (&content, &filing.file_ids, filing.status)).await
}
