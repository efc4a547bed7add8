//! Plans that brands and agents subscribe to. The specification names the group without its paths.

use crate::catalog::table::{Entry, anyone, extensions, subscriber};
use crate::error::{Code, codes};
use crate::payments::subscriptions::subscribing::subscribe;
use crate::payments::subscriptions::{planning, subscribing};
use crate::throttle::Throttle;

/// Why a subscription does not begin.
const SUBSCRIBING: &[Code] =
    &[codes::CARD_DECLINED, codes::NO_PAYMENT_METHOD, codes::ALREADY_SUBSCRIBED];

/// Why a cancellation is not taken back.
const RESUMING: &[Code] =
    &[codes::NOT_SUBSCRIBED, codes::PAYMENT_IN_PROGRESS, codes::ILLEGAL_TRANSITION];

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        anyone("core.subscription.plans", "GET /subscriptions/plans", planning::offered)
            .purpose("list the plans that can be subscribed to")
            .throttled(Throttle::Public),
        subscriber("core.subscription.subscribe", "POST /subscriptions/subscribe", subscribe)
            .purpose("subscribe to a plan and pay its first period")
            .says("Subscription submitted")
            .errors(SUBSCRIBING)
            .strict(),
        subscriber("core.subscription.cancel", "POST /subscriptions/cancel", subscribing::cancel)
            .purpose("end the subscription with the period that is paid")
            .says("Subscription cancelled")
            .errors(&[codes::NOT_SUBSCRIBED, codes::PAYMENT_IN_PROGRESS]),
        subscriber("core.subscription.resume", "POST /subscriptions/resume", subscribing::resume)
            .purpose("take a cancellation back")
            .says("Subscription goes on")
            .errors(RESUMING),
        subscriber("core.subscription.current", "GET /subscriptions/current", subscribing::current)
            .purpose("show the caller's subscription"),
    ])
}
