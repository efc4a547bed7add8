//! Tells both sides that an order has ended, and why.

use super::order::{Order, OrderEvent};
use super::store as orders;
use crate::error::Result;
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;

/// The event by which both sides hear that an order has ended; none while it goes on. `deals` sends the one of a
/// cancelled contract, and `payments` tells both of a refund, which ends no order.
const fn ending(event: OrderEvent) -> Option<Event> {
    match event {
        OrderEvent::Decline => Some(Event::OrderDeclined),
        OrderEvent::Cancel => Some(Event::OrderCancelled),
        OrderEvent::Expire => Some(Event::OrderExpired),
        OrderEvent::Complete => Some(Event::OrderCompleted),
        OrderEvent::CallOff => Some(Event::ContractCancelled),
        OrderEvent::Accept | OrderEvent::Deliver | OrderEvent::Return => None,
    }
}

/// Tells both sides of an order that this event has ended.
pub(crate) async fn tell(work: &mut Work, order: &Order, event: OrderEvent) -> Result<()> {
    let Some(told) = ending(event).filter(|told| *told != Event::ContractCancelled) else {
        return Ok(());
    };
    let (athlete, partner) = orders::users(work, order).await?;
    for user in [athlete, partner] {
        work.send(
            Message::new(told, Recipient::User(user))
                .with("job_title", order.title.clone())
                .with("company_name", order.company_name.clone())
                .with("athlete_name", order.athlete_name.clone())
                .with("amount", order.price_cents.to_string())
                .with("reason", order.reason.clone())
                .with("order_id", order.id.get()),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Machine as _;
    use crate::orders::OrderStatus;

    #[test]
    fn every_end_is_told_and_nothing_else() {
        for (from, event, to) in OrderStatus::MOVES {
            let ends = OrderStatus::TERMINAL.contains(to);
            assert_eq!(ending(*event).is_some(), ends, "{from} {event:?}");
        }
    }
}
