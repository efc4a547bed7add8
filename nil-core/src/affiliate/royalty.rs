//! Brands account for the sales that they pay a royalty on (decision 42).

use schemars::JsonSchema;
use serde::Deserialize;

use super::conversion::Conversion;
use super::converting::{record, repeated};
use super::linking::new_code;
use super::store::{self, Draft};
use crate::auth::Partner;
use crate::contracts::commission::{self, OnCommission};
use crate::error::Result;
use crate::kernel::{AffiliateLinkId, Amount, ContractId, Text};
use crate::operation::{Cx, Done, Work};

/// Net sales of the goods that a royalty is paid on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReportRoyalty {
    /// The contract, which must pay a royalty.
    pub contract_id: ContractId,
    /// What is accounted for, such as the month `2026-11`; the same reference of a contract counts
    /// once.
    pub reference: Text<1, 100>,
    /// The net sales, in cents.
    pub amount_cents: Amount,
}

/// Accounts for net sales under a royalty (extension): from now on the brand owes the contract's
/// share of all of them, up to the contract's maximum. It is paid like approved work, or charged to
/// the saved card the next day. Repeating a reference returns the same record; with another amount
/// it is 409 `duplicate`. 404 for a contract that is not the brand's, 409 `not_on_commission` if it
/// pays no royalty, `contract_not_active` before the athlete has confirmed it, `commission_ended`
/// if it was cancelled.
pub async fn report(cx: Cx<Partner>, input: ReportRoyalty) -> Result<Done<Conversion>> {
    let mut work = cx.begin().await?;
    let contract = commission::on_royalty(&mut work, input.contract_id, cx.caller.id).await?;
    let account = account(&mut work, &contract).await?;
    let amount = input.amount_cents.cents();
    if let Some(known) = store::reported(&mut work, account, &input.reference).await? {
        return repeated(work, known, amount).await;
    }
    contract.check_accounted()?;
    record(work, (account, &contract), input.reference, amount).await
}

/// What the contract's royalty is accounted for with: a link that nobody sees, made with the first
/// report. The contract is locked, so there is one.
async fn account(work: &mut Work, contract: &OnCommission) -> Result<AffiliateLinkId> {
    if let Some(known) = store::royalty_of(work, contract.id).await? {
        return Ok(known);
    }
    let draft = Draft {
        code: new_code(work.platform().random()),
        contract_id: contract.id,
        target_url: String::new(),
        label: None,
        active: false,
        rate: contract.rate,
        most: contract.most,
        royalty: true,
    };
    let now = work.now();
    store::add(work, draft, now).await
}
