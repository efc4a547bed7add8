//! Operators open and change agents.

use super::holder::Holder;
use crate::accounts::agents::{self, agent::EditAgent};
use crate::accounts::store::{agent as store, registration, user};
use crate::accounts::{AccountRecord, UserKind};
use crate::auth::Operator;
use crate::error::{Result, Wrong, codes};
use crate::kernel::{AgentId, Combined};
use crate::operation::{Cx, Done, Revised};

/// An agent to open (without `id`) or to change: the account and the record.
pub type SaveAgent = Combined<Holder<AgentId>, EditAgent>;

/// Opens an agent's account, or changes the given fields of one. The holder of a new account gets a
/// mail with a link to choose a password, and accepts the terms for agents after the first log-in.
/// 404 for an unknown id.
pub async fn save(cx: Cx<Operator>, input: SaveAgent) -> Result<Done<Revised<AccountRecord>>> {
    let (record, holder) = input.parts();
    let hash = holder.unknown_password(&cx).await?;
    let mut work = cx.begin().await?;
    let (id, user) = if let Some(id) = holder.id {
        let user = store::lock(&mut work, id).await?;
        holder.held(&mut work, user, id).await?;
        agents::editing::change(&mut work, id, user, &record).await?;
        holder.change(&mut work, user).await?;
        (id, user)
    } else {
        let mut wrong = Wrong::default();
        holder.check_new(&mut wrong);
        wrong.needs("agency_name", record.agency_name.is_some());
        wrong.needs("network_profile_url", record.network_profile_url.is_some());
        wrong.refuse()?;
        let user = holder.open(&mut work, UserKind::Agent, hash).await?;
        let id = registration::profile_id(&mut work, UserKind::Agent, user).await?;
        let id = AgentId::new(id).ok_or(codes::NOT_FOUND)?;
        store::edit(&mut work, id, user, &record, cx.now()).await?;
        holder.invite(&mut work, user).await?;
        (id, user)
    };
    let account = user::account(&mut work, user, cx.now()).await?;
    work.done(AccountRecord::of(id, account).into()).await
}
