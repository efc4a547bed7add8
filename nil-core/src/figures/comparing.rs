//! What comparable deals paid, for an officer who looks at a deal.

use schemars::JsonSchema;
use serde::Deserialize;

use super::store::comparable::{self as store, Deal};
use crate::auth::PortalUser;
use crate::compensation::{Asker, CompensationRange, Question, of};
use crate::error::Result;
use crate::kernel::{ContractId, DisclosedJobId};
use crate::operation::Cx;
use crate::storage::Session;

/// The contract to compare.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct CompareContract {
    /// The contract.
    pub contract_id: ContractId,
}

/// The disclosed job to compare.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct CompareDisclosedJob {
    /// The disclosed job.
    pub id: DisclosedJobId,
}

/// Returns what deals comparable to a contract of the institution paid, and where its amount
/// stands. The contract itself does not count. 404 for another institution's.
pub async fn of_contract(cx: Cx<PortalUser>, input: CompareContract) -> Result<CompensationRange> {
    let mut session = cx.read().await?;
    let deal = store::contract(&mut session, &cx.caller, input.contract_id).await?;
    range(&cx, &mut session, deal, Some(input.contract_id)).await
}

/// Returns what deals of the platform paid that are comparable to a disclosed job of the
/// institution, and where its amount stands. 404 for another institution's and for drafts.
pub async fn of_disclosed_job(
    cx: Cx<PortalUser>,
    input: CompareDisclosedJob,
) -> Result<CompensationRange> {
    let mut session = cx.read().await?;
    let deal = store::disclosed(&mut session, &cx.caller, input.id).await?;
    range(&cx, &mut session, deal, None).await
}

async fn range(
    cx: &Cx<PortalUser>,
    session: &mut Session,
    deal: Deal,
    about: Option<ContractId>,
) -> Result<CompensationRange> {
    let (college, sports) = (cx.caller.college_id, cx.caller.sports.clone());
    let asker = Asker::Institution { college, sports, about };
    let question =
        Question { work: deal.work(), person: deal.person, amount: deal.amount(), asker };
    of(session, &question, cx.now()).await
}
