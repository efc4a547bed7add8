//! Shops report sales; the parties list them with their commissions.

use schemars::JsonSchema;
use serde::Deserialize;

use super::conversion::Conversion;
use super::store;
use crate::auth::{Party, Service};
use crate::contracts::commission;
use crate::error::{Result, codes};
use crate::kernel::{AffiliateLinkId, Amount, JobId, Listing, Paged, Text};
use crate::operation::{Cx, Done};

/// A sale.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReportSale {
    /// The link's code, which the shop received in `nil_code`.
    pub code: Text<1, 40>,
    /// The shop's order reference; the same order of a link counts once.
    pub order_reference: Text<1, 100>,
    /// The net sale, in cents.
    pub amount_cents: Amount,
}

/// Filters for sales.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListSales {
    /// Only sales of this link.
    pub link_id: Option<AffiliateLinkId>,
    /// Only sales of the contract for this job.
    pub job_id: Option<JobId>,
}

/// Records a sale: from now on the brand owes the contract's commission on it, up to the contract's maximum.
/// Repeating an order returns the same record; with another amount it is 409 `duplicate`. 404 for an unknown
/// code, 409 `commission_ended` after the contract's end. The money moves when the brand pays, or is charged
/// for it the next day.
pub async fn report(cx: Cx<Service>, input: ReportSale) -> Result<Done<Conversion>> {
    let mut work = cx.begin().await?;
    let (link, contract) = store::by_code(&mut work, &input.code).await?;
    // Sales of one contract are recorded one after the other, so that together they cannot exceed its
    // maximum.
    let contract = commission::hold(&mut work, contract).await?;
    let amount = input.amount_cents.cents();
    if let Some(known) = store::reported(&mut work, link, &input.order_reference).await? {
        if known.amount_cents != amount {
            return Err(
                codes::DUPLICATE.saying("This order was already reported with a different amount.")
            );
        }
        return work.done(known).await;
    }
    contract.check_open(&mut work).await?;
    let left = contract.most - store::accrued(&mut work, contract.id).await?;
    let commission = contract.rate.of(amount).min(left);
    let sale = store::NewSale {
        link,
        contract: contract.id,
        order_reference: input.order_reference.into_string(),
        amount,
        commission,
    };
    let sale = store::add_sale(&mut work, sale, cx.now()).await?;
    work.note(sale.id, "reported");
    work.done(sale).await
}

/// Lists the sales of the caller's links (of the brand's contracts, or of the agent's athletes), newest
/// first, with what is owed and paid for each.
pub async fn list(cx: Cx<Party>, input: Paged<ListSales>) -> Result<Listing<Conversion>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    store::sales(&mut session, &cx.caller, (input.link_id, input.job_id), paging).await
}
