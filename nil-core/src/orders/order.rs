//! An order: one brand, one athlete, one service at the price it had.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use super::ServiceKind;
use crate::jobs::MediaPlatform;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, BasisPoints, CategoryId, Cents, ContractId, Date, DeliverableId, JobId, Machine,
    Move, PartnerId, ServiceOfferId, ServiceOrderId, Time,
};

vocabulary! {
    /// The state of an order.
    OrderStatus {
        /// The athlete has to answer.
        Ordered = "ordered",
        /// The contract is active; the work is to be done.
        Accepted = "accepted",
        /// The work is handed in; the brand has to look at it and to pay.
        Delivered = "delivered",
        /// Approved and paid.
        Completed = "completed",
        /// The athlete did not want to.
        Declined = "declined",
        /// The brand took it back before it was answered, or the contract was cancelled.
        Cancelled = "cancelled",
        /// Nobody answered in time.
        Expired = "expired",
    }
}

/// What can happen to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderEvent {
    /// The athlete accepts it: the contract is made.
    Accept,
    /// The athlete declines it.
    Decline,
    /// The brand takes it back.
    Cancel,
    /// Nobody answers in time.
    Expire,
    /// The athlete hands the work in.
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

/// An order of a service. What it says of the service is what the offer said when it was ordered.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
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
    /// What was ordered.
    pub kind: ServiceKind,
    /// Where it is done or published.
    pub platform: MediaPlatform,
    /// What it is called.
    pub title: String,
    /// What is in it.
    pub description: String,
    /// The category of jobs it counts as.
    pub category_id: CategoryId,
    /// What the athlete is paid, an agent's commission included.
    pub price_cents: Cents,
    /// The platform's rate on top, as it was when ordered.
    pub fee_basis_points: BasisPoints,
    /// The platform's fee.
    #[sqlx(skip)]
    pub fee_cents: Cents,
    /// What the brand's card will be charged: price and fee.
    #[sqlx(skip)]
    pub total_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// Within how many days of accepting it is delivered, where the brand named no day.
    pub delivery_days: i64,
    /// What the brand wants the athlete to know.
    pub note: Option<String>,
    /// Why the brand orders it; the contract names it.
    pub business_purpose: String,
    /// The last day the brand can use it.
    pub wanted_by: Option<Date>,
    /// Where it stands.
    pub status: OrderStatus,
    /// Why it was declined or taken back.
    pub reason: Option<String>,
    /// Until when the athlete can answer.
    pub expires_at: Time,
    /// The job it has become.
    pub job_id: Option<JobId>,
    /// The contract it has become.
    pub contract_id: Option<ContractId>,
    /// What is to be handed in under that contract.
    pub deliverable_id: Option<DeliverableId>,
    /// The last day for the work.
    pub due_on: Option<Date>,
    /// When the brand's silence is taken for approval, while the work waits for its word.
    pub review_by: Option<Time>,
    /// When the athlete answered.
    pub answered_at: Option<Time>,
    /// When the work was last handed in.
    pub delivered_at: Option<Time>,
    /// When it came to an end.
    pub ended_at: Option<Time>,
    /// When it was ordered.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Order {
    /// With what the brand pays, from the frozen rate.
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
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_laws_hold() {
        assert_laws::<OrderStatus>();
    }

    #[test]
    fn nothing_is_taken_back_alone_once_it_is_a_contract() {
        for status in [OrderStatus::Accepted, OrderStatus::Delivered] {
            for event in [OrderEvent::Cancel, OrderEvent::Decline, OrderEvent::Expire] {
                assert!(!status.can(event), "{status} {event:?}");
            }
        }
    }
}
