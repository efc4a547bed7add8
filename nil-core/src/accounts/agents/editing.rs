//! Agents edit their own record and accept the platform's terms for agents.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::agent::EditAgent;
use crate::accounts::AgentProfile;
use crate::accounts::edit_note::note_edit;
use crate::accounts::store::{agent, profile};
use crate::auth::Agent;
use crate::backoffice::site;
use crate::error::{Error, Result};
use crate::kernel::{AgentId, UserId};
use crate::operation::{Cx, Done, Work};

/// The legal document that agents accept.
const TERMS: &str = "agent_terms";

/// The terms to accept.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct AcceptTerms {
    /// The version that was read; it must be the version in force.
    pub terms_version: i64,
}

/// Changes the calling agent's record.
pub async fn edit(cx: Cx<Agent>, input: EditAgent) -> Result<Done<AgentProfile>> {
    let mut work = cx.begin().await?;
    let after = change(&mut work, cx.caller.id, cx.caller.user_id, &input).await?;
    work.done(after).await
}

/// Writes changes to an agent and adds the audit row.
pub(crate) async fn change(
    work: &mut Work,
    id: AgentId,
    user: UserId,
    input: &EditAgent,
) -> Result<AgentProfile> {
    let now = work.now();
    let before = profile::agent(work, id).await?;
    agent::edit(work, id, user, input, now).await?;
    let after = profile::agent(work, id).await?;
    note_edit(work, id, &before, &after);
    Ok(after)
}

/// Accepts the terms for agents in the version in force; 422 for any other version. Accepting the
/// same version again keeps the time of the first acceptance.
pub async fn accept_contract(cx: Cx<Agent>, input: AcceptTerms) -> Result<Done<AgentProfile>> {
    let mut work = cx.begin().await?;
    let in_force = site::legal_version(&mut work, TERMS, cx.now()).await?;
    if in_force != Some(input.terms_version) {
        let message = in_force.map_or_else(
            || "there are no terms to accept".to_owned(),
            |version| format!("must be {version}, the version in force"),
        );
        return Err(Error::invalid("terms_version", message));
    }
    let before = profile::agent(&mut work, cx.caller.id).await?;
    if before.terms_version == in_force {
        return work.done(before).await;
    }
    let version = input.terms_version;
    agent::accept_terms(&mut work, cx.caller.id, version, cx.now()).await?;
    let was = json!({ "terms_version": before.terms_version });
    let is = json!({ "terms_version": version });
    work.note_change(cx.caller.id, "accepted_terms", was, is);
    let after = profile::agent(&mut work, cx.caller.id).await?;
    work.done(after).await
}
