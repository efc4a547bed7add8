//! What comparable deals paid, for an officer who looks at a deal.

use schemars::JsonSchema;
use serde::Deserialize;

use super::store::comparable::{self as store, Deal};
use crate::auth::PortalUser;
use crate::compensation::{Asker, CompensationRange, Question, of};
use crate::error::{Error, Result};
use crate::kernel::{ContractId, DisclosedJobId};
use crate::operation::Cx;

/// The deal to compare.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct CompareDeal {
    /// A contract of the platform; give either this or `disclosed_job_id`.
    pub contract_id: Option<ContractId>,
    /// A disclosed job.
    #[schemars(extend("examples" = [null]))]
    pub disclosed_job_id: Option<DisclosedJobId>,
}

/// Returns what deals comparable to a deal of the institution paid, and where its amount stands. The deal itself does not
/// count. 404 for another institution's deal and for drafts; 422 unless exactly one of the two ids is given.
pub async fn range(cx: Cx<PortalUser>, input: CompareDeal) -> Result<CompensationRange> {
    let mut session = cx.read().await?;
    let deal: Deal = match (input.contract_id, input.disclosed_job_id) {
        (Some(id), None) => store::contract(&mut session, &cx.caller, id).await?,
        (None, Some(id)) => store::disclosed(&mut session, &cx.caller, id).await?,
        _ => {
            let message = "or `disclosed_job_id` is required, not both";
            return Err(Error::invalid("contract_id", message));
        }
    };
    let asker = Asker::Institution {
        college: cx.caller.college_id,
        sports: cx.caller.sports.clone(),
        about: input.contract_id,
    };
    let question =
        Question { work: deal.work(), person: deal.person, amount: deal.amount(), asker };
    of(&mut session, &question, cx.now()).await
}
