//! An order: one brand, one athlete, one service at a frozen price.

use schemars::JsonSchema;
use serde::Serialize;

use super::ServiceKind;
use crate::jobs::MediaPlatform;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, BasisPoints, CategoryId, Cents, ContractId, Date, DeliverableId, JobId, Machine,
    Move, PartnerId, ServiceOfferId, ServiceOrderId, Time,
};
use crate::storage::FromRow;

vocabulary! {
    /// The state of an order.
    OrderStatus {
        /// Waiting for the athlete's answer.
        Ordered = "ordered",
        /// The contract is active; the work is not done yet.
        Accepted = "accepted",
        /// The work is submitted; the brand must review and pay.
        Delivered = "delivered",
        /// Approved and paid.
        Completed = "completed",
        /// Declined by the athlete.
        Declined = "declined",
        /// The brand cancelled it before it was answered, or the contract was cancelled.
        Cancelled = "cancelled",
        /// Not answered in time.
        Expired = "expired",
    }
}

/// The events of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderEvent {
    /// The athlete accepts it: the contract is created.
    Accept,
    /// The athlete declines it.
    Decline,
    /// The brand cancels it.
    Cancel,
    /// The time to answer has expired.
    Expire,
    /// The athlete submits the work.
    Deliver,
    /// The brand sends the work back.
    Return,
    /// The contract is completed: everything is approved and paid.
    Complete,
    /// The contract is cancelled.
    CallOff,
}

impl Machine for OrderStatus {
    type Event = OrderEvent;
    const NAME: &'static str = "service order";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Ordered];
    const TERMINAL: &'static [Self] =
        &[Self::Completed, Self::Declined, Self::Cancelled, Self::Expired];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Ordered, OrderEvent::Accept, Self::Accepted), // POST /services/order/accept
        (Self::Ordered, OrderEvent::Decline, Self::Declined), // POST /services/order/decline
        (Self::Ordered, OrderEvent::Cancel, Self::Cancelled), // POST /services/order/cancel
        (Self::Ordered, OrderEvent::Expire, Self::Expired),  // the worker, after 7 days
        (Self::Accepted, OrderEvent::Deliver, Self::Delivered), // …/order/deliver, /submitMediaPost
        (Self::Delivered, OrderEvent::Return, Self::Accepted), // …/order/return
        (Self::Delivered, OrderEvent::Complete, Self::Completed), // …/order/complete, any payment of it
        (Self::Accepted, OrderEvent::CallOff, Self::Cancelled),   // its contract is cancelled
        (Self::Delivered, OrderEvent::CallOff, Self::Cancelled),
    ];
}

/// An order of a service. Its description is that of the offer when it was ordered.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Order {
    /// Its id.
    pub id: ServiceOrderId,
    /// The offer.
    pub offer_id: ServiceOfferId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete_name: String,
    /// The brand.
    pub partner_id: PartnerId,
    /// The brand's name.
    pub company_name: String,
    /// The kind of service.
    pub kind: ServiceKind,
    /// The platform.
    pub platform: MediaPlatform,
    /// Its title.
    pub title: String,
    /// Its description.
    pub description: String,
    /// The category of jobs it counts as.
    pub category_id: CategoryId,
    /// The athlete's price, including an agent's commission.
    pub price_cents: Cents,
    /// The platform's fee rate at the time of the order.
    pub fee_basis_points: BasisPoints,
    /// The platform's fee.
    #[row(skip)]
    pub fee_cents: Cents,
    /// The total charged to the brand's card: price and fee.
    #[row(skip)]
    pub total_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// The number of days from acceptance to delivery, if the brand set no date.
    pub delivery_days: i64,
    /// The brand's note to the athlete.
    pub note: Option<String>,
    /// The brand's purpose; the contract states it.
    pub business_purpose: String,
    /// The last day on which the brand can use it.
    pub wanted_by: Option<Date>,
    /// Its state.
    pub status: OrderStatus,
    /// Why it was declined or cancelled.
    pub reason: Option<String>,
    /// The end of the time to answer.
    pub expires_at: Time,
    /// The job created from it.
    pub job_id: Option<JobId>,
    /// The contract created from it.
    pub contract_id: Option<ContractId>,
    /// The deliverable under that contract.
    pub deliverable_id: Option<DeliverableId>,
    /// The last day for the work.
    pub due_on: Option<Date>,
    /// When the brand's silence counts as approval; set while the work waits for review.
    pub review_by: Option<Time>,
    /// When the athlete answered.
    pub answered_at: Option<Time>,
    /// When the work was last submitted.
    pub delivered_at: Option<Time>,
    /// When it ended.
    pub ended_at: Option<Time>,
    /// When it was ordered.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Order {
    /// Sets fee and total from the frozen rate.
    #[must_use]
    pub(super) fn priced(mut self) -> Self {
        self.fee_cents = self.fee_basis_points.of(self.price_cents);
        self.total_cents = self.price_cents + self.fee_cents;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_back_alone_once_it_is_a_contract() {
        for status in [OrderStatus::Accepted, OrderStatus::Delivered] {
            for event in [OrderEvent::Cancel, OrderEvent::Decline, OrderEvent::Expire] {
                assert!(!status.can(event), "{status} {event:?}");
            }
        }
    }
}
