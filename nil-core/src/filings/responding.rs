//! Athletes answer agents' invitations; the institution gets a draft of its filing with the
//! acceptance.

use super::drafting;
use crate::agents::answering::{self, RespondAgent};
use crate::agents::{Representation, RepresentationStatus};
use crate::auth::Athlete;
use crate::error::Result;
use crate::operation::{Cx, Done};

/// Accepts or declines an agent's invitation. An athlete has one agent at a time: 409
/// `already_represented`. 409 `agent_unavailable` if the agent's account is no longer in use. With
/// an acceptance the athlete's institution gets a draft of its filing about the contract, with the
/// deadlines of both notices.
pub async fn respond(cx: Cx<Athlete>, input: RespondAgent) -> Result<Done<Representation>> {
    let mut work = cx.begin().await?;
    let answered = answering::answer(&mut work, cx.caller.id, input).await?;
    if answered.status == RepresentationStatus::Active {
        drafting::draft(&mut work, &answered, None).await?;
    }
    work.done(answered).await
}
