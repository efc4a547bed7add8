//! Shops report sales; the parties list them with their commissions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::conversion::Conversion;
use super::store::{self, Earned};
use crate::auth::{Party, Service};
use crate::contracts::commission::{self, OnCommission};
use crate::error::{Result, codes};
use crate::kernel::{AffiliateLinkId, Amount, BasisPoints, Cents, Followed, JobId, Listing, Text};
use crate::operation::{Cx, Done, Work};

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
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListSales {
    /// Only sales of this link.
    pub link_id: Option<AffiliateLinkId>,
    /// Only sales of the contract for this job.
    pub job_id: Option<JobId>,
}

/// Records a sale: from now on the brand owes the contract's commission on all its sales, up to the
/// contract's maximum. Repeating an order returns the same record; with another amount it is 409
/// `duplicate`. 404 for an unknown code, 409 `commission_ended` after the contract's end. The money
/// moves when the brand pays, or is charged for it the next day.
pub async fn report(cx: Cx<Service>, input: ReportSale) -> Result<Done<Conversion>> {
    let mut work = cx.begin().await?;
    let (link, contract) = store::by_code(&mut work, &input.code).await?;
    // Sales of one contract are recorded one after the other, so that together they cannot exceed
    // its maximum.
    let contract = commission::lock(&mut work, contract).await?;
    let amount = input.amount_cents.cents();
    if let Some(known) = store::reported(&mut work, link, &input.order_reference).await? {
        return repeated(work, known, amount).await;
    }
    contract.check_open(&mut work).await?;
    record(work, (link, &contract), input.order_reference, amount).await
}

/// Answers a report that was made before; 409 `duplicate` if it had another amount.
pub(super) async fn repeated(
    work: Work,
    known: Conversion,
    amount: Cents,
) -> Result<Done<Conversion>> {
    if known.amount_cents != amount {
        return Err(codes::DUPLICATE.saying("This was already reported with a different amount."));
    }
    work.done(known).await
}

/// Records sales with what they earn. The contract is locked.
pub(super) async fn record(
    mut work: Work,
    (link, contract): (AffiliateLinkId, &OnCommission),
    reference: Text<1, 100>,
    amount: Cents,
) -> Result<Done<Conversion>> {
    let before = store::so_far(&mut work, contract.id).await?;
    let commission = earned(before, amount, (contract.rate, contract.most));
    let sale = store::NewSale {
        link,
        contract: contract.id,
        order_reference: reference.into_string(),
        amount,
        commission,
    };
    let now = work.now();
    let sale = store::add_sale(&mut work, sale, now).await?;
    work.note(sale.id, "reported");
    work.done(sale).await
}

/// The commission on a sale after earlier ones of the contract. The rate applies to the running
/// total, rounded half to even, and the sale bears the difference: many small sales earn what one
/// large sale does. What earlier sales lost by rounding is made good, as far as the sale itself
/// reaches.
fn earned(before: Earned, amount: Cents, (rate, most): (BasisPoints, Cents)) -> Cents {
    let all = rate.of(before.sold_cents + amount).min(most);
    (all - before.commission_cents).max(Cents::ZERO).min(amount)
}

/// Lists the sales of the caller's links (of the brand's contracts, or of the agent's athletes),
/// newest first, with what is owed and paid for each.
pub async fn list(cx: Cx<Party>, input: Followed<ListSales>) -> Result<Listing<Conversion>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    store::sales(&mut session, &cx.caller, (input.link_id, input.job_id), place).await
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_split_of_sales_earns_the_same(
            points in 1i64..=10_000, most in 0i64..200_000,
            sales in prop::collection::vec(1i64..40_000, 1..40),
        ) {
            let terms = (BasisPoints::new(points).unwrap(), Cents(most));
            let mut before = Earned::default();
            for amount in sales.iter().copied().map(Cents) {
                let commission = earned(before, amount, terms);
                before.sold_cents += amount;
                before.commission_cents += commission;
            }
            let whole = Cents(sales.iter().sum());
            prop_assert_eq!(before.commission_cents, earned(Earned::default(), whole, terms));
        }
    }
}
