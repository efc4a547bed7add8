//! What subscribers are told of their subscriptions.

use super::subscription::Subscription;
use crate::error::Result;
use crate::feed::{Concerned, Published};
use crate::kernel::{Time, utc_day};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::payments::ledger::Owner;
use crate::payments::store::invoice as invoices;

pub(super) async fn told(
    work: &mut Work,
    subscription: &Subscription,
    event: Event,
) -> Result<Message> {
    if let Owner::Partner(brand) = subscription.payer()? {
        work.publish(
            Published::new(event, Concerned::Brand(brand))
                .with(subscription.id)
                .worth("price_cents", subscription.price_cents),
        );
    }
    let customer = invoices::customer(work, subscription.payer()?).await?;
    Ok(Message::new(event, Recipient::User(customer.user_id))
        .with("amount", subscription.price_cents.to_string())
        .with("plan_name", subscription.plan_name.clone())
        .with("subscription_id", subscription.id.get()))
}

pub(super) fn day(at: Time) -> String {
    utc_day(at).to_string()
}
