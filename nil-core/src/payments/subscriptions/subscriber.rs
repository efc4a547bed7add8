//! Who subscribes: the owner of the money, the plans on offer, the subscription.

use super::plan::PlanAudience;
use super::subscription::Subscription;
use crate::auth::Subscriber;
use crate::error::{Result, codes};
use crate::operation::Work;
use crate::payments::ledger::Owner;
use crate::payments::store::subscription as store;

pub(super) fn owner(caller: Subscriber) -> Owner {
    match caller {
        Subscriber::Partner(partner) => Owner::Partner(partner.id),
        Subscriber::Agent(agent) => Owner::Agent(agent.id),
    }
}

pub(super) fn audience(caller: Subscriber) -> PlanAudience {
    match caller {
        Subscriber::Partner(_) => PlanAudience::Partner,
        Subscriber::Agent(_) => PlanAudience::Agent,
    }
}

pub(super) async fn mine(work: &mut Work, caller: Subscriber) -> Result<Subscription> {
    store::live(work, owner(caller), true).await?.ok_or_else(|| codes::NOT_SUBSCRIBED.into())
}
