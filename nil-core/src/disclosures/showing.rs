//! Athletes, agents and officers see clearances with their packets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::browsing::owner;
use super::clearance::{Clearance, ClearanceStatus};
use super::clearance_packet::ClearanceDetail;
use super::prefilling;
use super::store::{clearance as clearances, packet as packets};
use crate::auth::{Payee, PortalUser};
use crate::error::Result;
use crate::kernel::{AthleteId, ClearanceId, Followed, Listing, Many, Time};
use crate::operation::{Cx, Work};
use crate::people::looked_at;
use crate::storage::Session;

/// The caller's clearances to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListOwnClearances {
    /// In these states (default: all).
    pub statuses: Option<Many<ClearanceStatus, 0, 7>>,
}

/// The clearance to show.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ShowClearance {
    /// The clearance.
    pub id: ClearanceId,
}

/// The status of the caller's deals at the clearinghouse, newest first: of contracts and of
/// disclosed jobs; for an agent, of the deals of the athletes they represent.
pub async fn own(cx: Cx<Payee>, input: Followed<ListOwnClearances>) -> Result<Listing<Clearance>> {
    let (input, place) = cx.place(input)?;
    let statuses = Many::or_none(input.statuses);
    let mut session = cx.read().await?;
    let page = clearances::page_of(&mut session, owner(cx.caller), &statuses, place).await?;
    drop(session);
    let page = page.map(|one| one.seen_at(cx.now()));
    let athletes: Vec<AthleteId> = page.items.iter().map(|one| one.athlete_id).collect();
    agent_looked_at(&cx, athletes, "clearances_listed").await?;
    Ok(page)
}

/// One of the caller's clearances with its packet, what is still missing from it, and the steps at
/// the clearinghouse. 404 for another athlete's.
pub async fn detail(cx: Cx<Payee>, input: ShowClearance) -> Result<ClearanceDetail> {
    let mut session = cx.read().await?;
    let clearance = clearances::find_of(&mut session, input.id, owner(cx.caller)).await?;
    let athlete = clearance.athlete_id;
    let detail = shown(&mut session, clearance, cx.now()).await?;
    drop(session);
    agent_looked_at(&cx, vec![athlete], "clearance_read").await?;
    Ok(detail)
}

/// A clearance at the caller's institution with its packet, what is still missing from it, and the
/// steps at the clearinghouse. The view is recorded in the audit trail. 404 for another
/// institution's, for an athlete in a sport that the caller may not see, and for a disclosed job
/// that was not submitted.
pub async fn detail_for_college(
    cx: Cx<PortalUser>,
    input: ShowClearance,
) -> Result<ClearanceDetail> {
    let mut work = cx.begin_audited_read().await?;
    let clearance = clearances::find_for_college(&mut work, input.id, &cx.caller).await?;
    let detail = shown(&mut work, clearance, cx.now()).await?;
    work.note(input.id, "read");
    work.finish_read().await?;
    Ok(detail)
}

/// Records an agent's view in the audit trail.
async fn agent_looked_at(
    cx: &Cx<Payee>,
    athletes: Vec<AthleteId>,
    action: &'static str,
) -> Result<()> {
    match cx.caller {
        Payee::Agent(_) => looked_at(cx, athletes.into_iter(), action).await,
        Payee::Athlete(_) => Ok(()),
    }
}

async fn shown(session: &mut Session, clearance: Clearance, now: Time) -> Result<ClearanceDetail> {
    let id = clearance.id;
    let sources = prefilling::sources(session, clearance, now).await?;
    let steps = packets::steps(session, id).await?;
    sources.detail(steps, now)
}

/// A clearance with its packet, what is still missing from it, and the steps at the clearinghouse,
/// read within a transaction.
pub(super) async fn detailed(work: &mut Work, clearance: Clearance) -> Result<ClearanceDetail> {
    let now = work.now();
    shown(work, clearance, now).await
}
