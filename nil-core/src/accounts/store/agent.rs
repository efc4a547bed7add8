//! Changes to agents' own records.

use sea_query::{Expr, Query};
use serde_json::json;

use crate::accounts::AgentCard;
use crate::accounts::agents::agent::EditAgent;
use crate::error::Result;
use crate::kernel::{AgentId, Time, UserId};
use crate::storage::{Among as _, Session, sql, update};

/// The agent's account; the agent is locked until the transaction ends. 404 if it does not exist.
pub async fn lock(session: &mut Session, id: AgentId) -> Result<UserId> {
    let row = sql("SELECT user_id FROM agent WHERE id = $1").locking("FOR NO KEY UPDATE");
    session.value(row.bind(id)).await
}

/// Writes the given fields; omitted fields keep their values.
pub async fn edit(
    session: &mut Session,
    id: AgentId,
    user: UserId,
    new: &EditAgent,
    now: Time,
) -> Result<()> {
    let person = update("app_user")
        .set("updated_at", now)
        .when("id", user)
        .given("first_name", new.first_name.as_ref().map(|name| name.trim()))
        .given("last_name", new.last_name.as_ref().map(|name| name.trim()))
        .given("phone", new.phone.as_deref());
    session.change(person).await?;
    let row = update("agent")
        .set("updated_at", now)
        .when("id", id)
        .given("agency_name", new.agency_name.as_ref().map(|name| name.trim()))
        .given("network_profile_url", new.network_profile_url.as_deref())
        .given(
            "certifications",
            new.certifications.as_ref().map(|certifications| json!(**certifications)),
        );
    session.change(row).await
}

/// Records the version of the terms that the agent accepted.
pub async fn accept_terms(
    session: &mut Session,
    agent: AgentId,
    version: i64,
    now: Time,
) -> Result<()> {
    session
        .change(
            update("agent")
                .set("terms_version", version)
                .set("terms_accepted_at", now)
                .set("updated_at", now)
                .when("id", agent),
        )
        .await
}

/// The summaries of these agents.
pub async fn cards(session: &mut Session, ids: &[AgentId]) -> Result<Vec<AgentCard>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = Query::select();
    query
        .expr(Expr::cust(
            "g.id, u.first_name, u.last_name, g.agency_name, g.network_profile_url, \
             g.certifications",
        ))
        .from_as("agent", "g")
        .join_as(sea_query::JoinType::InnerJoin, "app_user", "u", Expr::cust("u.id = g.user_id"))
        .and_where(Expr::col(("g", "id")).among(ids.iter().map(|id| id.get())));
    session.all(query).await
}
