//! The payment that completes a service order, and the answer to the call that made it.

use schemars::JsonSchema;
use serde::Serialize;

use super::answering::{payment_of, refusal_of};
use super::payment::Payment;
use crate::error::Result;
use crate::kernel::{ChargeId, ServiceOrderId};
use crate::operation::{Done, Work};
use crate::orders::{Order, store as orders};

/// An order with its payment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CompletedOrder {
    /// The order: `completed`, or still `delivered` while the processor's answer is awaited.
    #[serde(flatten)]
    pub order: Order,
    /// The payment.
    pub payment: Payment,
}

/// The answer of a call that completes an order, directly or on the brand's behalf: the order with
/// its payment, or 402 with the failed payment.
pub(crate) async fn answer_order(
    mut work: Work,
    order: ServiceOrderId,
    charge: ChargeId,
) -> Result<Done<CompletedOrder>> {
    let payment = payment_of(&mut work, charge).await?;
    if let Some(refusal) = refusal_of(&payment)? {
        return Err(work.refused(refusal).await?);
    }
    let order = orders::again(&mut work, order).await?;
    work.done(CompletedOrder { order, payment }).await
}
