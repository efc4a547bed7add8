//! Tells both sides and the athlete's agent that an order has ended, and why.

use super::order::{Order, OrderEvent};
use super::store as orders;
use crate::error::Result;
use crate::feed::{Concerned, Published};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::people::facts;

/// The event by which they hear that an order has ended; none while it goes on. `deals` sends the
/// one of a cancelled contract, and `payments` tells both sides of a refund, which ends no order.
/// The contract of an order never expires: the acceptance executes it.
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

/// Tells both sides of an order that this event has ended, and the agent who represents the athlete
/// now.
pub(crate) async fn tell(work: &mut Work, order: &Order, event: OrderEvent) -> Result<()> {
    let Some(told) = ending(event).filter(|told| *told != Event::ContractCancelled) else {
        return Ok(());
    };
    work.publish(
        Published::new(told, Concerned::Brand(order.partner_id))
            .with(order.id)
            .with(order.athlete_id)
            .worth("amount_cents", order.price_cents),
    );
    let (athlete, partner) = orders::users(work, order).await?;
    let agent = facts(work, order.athlete_id).await?.and_then(|athlete| athlete.agent_user_id);
    for user in [Some(athlete), Some(partner), agent].into_iter().flatten() {
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
