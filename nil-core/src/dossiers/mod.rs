//! What operators see of one account: the record, its history, its money and its newest deals.
//!
//! It reads what other modules keep and owns no tables. Every view is a fixed number of statements,
//! each through an index.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::{AccountRecord, UserKind, profiles};
use crate::auth::Operator;
use crate::deals::Deal;
use crate::deals::browsing::{self, Side};
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, Identity, PartnerId, Time};
use crate::operation::audit::{self, AuditEntry};
use crate::operation::{Cx, Revised};
use crate::payments::PayoutAccount;
use crate::payments::browsing::history::{self, Balances};
use crate::payments::ledger::Owner;
use crate::payments::payouts::payout_settings;
use crate::storage::Session;

/// The number of audit entries in a view.
const MOST_ENTRIES: i64 = 50;

/// The number of deals in a view.
const MOST_DEALS: u64 = 20;

/// Selects an athlete.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ViewAthlete {
    /// The athlete's id.
    pub id: AthleteId,
}

/// Selects a brand.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ViewPartner {
    /// The brand's id.
    pub id: PartnerId,
}

/// Selects an agent.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ViewAgent {
    /// The agent's id.
    pub id: AgentId,
}

/// An account with what the platform knows about it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Dossier {
    /// The record and its account.
    #[serde(flatten)]
    pub account: Revised<AccountRecord>,
    /// The newest entries of the audit trail about the account and its record, newest first (at
    /// most 50).
    pub history: Vec<AuditEntry>,
    /// What it has earned and paid.
    pub money: Balances,
    /// Where its money is sent, as it was seen last; null if no payout account was opened. Its
    /// `restriction` says why nothing is sent there.
    pub payout_account: Option<PayoutAccount>,
    /// The newest deals with a contract, newest first (at most 20); for an agent, those of the
    /// athletes the agent represents now.
    pub deals: Vec<Deal>,
}

/// An athlete's account with its history, money and deals. The view is recorded in the audit trail,
/// because the record has the birth date. 404 for an unknown id.
pub async fn athlete(cx: Cx<Operator>, input: ViewAthlete) -> Result<Dossier> {
    let mut work = cx.begin_audited_read().await?;
    let found = assemble(&mut work, input.id, Owner::Athlete, Side::Athlete, cx.now()).await?;
    work.note(input.id, "viewed");
    work.finish_read().await?;
    Ok(found)
}

/// A brand's account with its history, money and deals. 404 for an unknown id.
pub async fn partner(cx: Cx<Operator>, input: ViewPartner) -> Result<Dossier> {
    let mut session = cx.read().await?;
    assemble(&mut session, input.id, Owner::Partner, Side::Partner, cx.now()).await
}

/// An agent's account with its history, its money, and the deals of the athletes it represents. 404
/// for an unknown id.
pub async fn agent(cx: Cx<Operator>, input: ViewAgent) -> Result<Dossier> {
    let mut session = cx.read().await?;
    assemble(&mut session, input.id, Owner::Agent, Side::Agent, cx.now()).await
}

async fn assemble<Id: Identity>(
    session: &mut Session,
    id: Id,
    owner: fn(Id) -> Owner,
    side: fn(Id) -> Side,
    now: Time,
) -> Result<Dossier> {
    let owner = owner(id);
    let kind = match owner {
        Owner::Athlete(_) => UserKind::Athlete,
        Owner::Partner(_) => UserKind::Partner,
        Owner::Agent(_) => UserKind::Agent,
    };
    let account = profiles::account_of(session, kind, id.number(), now).await?;
    Ok(Dossier {
        history: audit::newest_about(session, [account.id.into(), id.into()], MOST_ENTRIES).await?,
        money: history::balances(session, owner, now).await?,
        payout_account: payout_settings::stored(session, owner).await?,
        deals: browsing::newest(session, &side(id), MOST_DEALS, now).await?,
        account: AccountRecord::of(id, account).into(),
    })
}
