//! Plans that brands and agents subscribe to. The specification names the group without its paths.

use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, anyone, subscriber};
use crate::error::codes;
use crate::payments::subscriptions::{planning, subscribing};

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone(
            "core.subscription.plans",
            Get,
            "/subscriptions/plans",
            "list the plans that can be subscribed to",
            planning::offered,
        )
        .extension()
        .throttled(Throttle::Public),
        subscriber(
            "core.subscription.subscribe",
            Post,
            "/subscriptions/subscribe",
            "subscribe to a plan and pay its first period",
            subscribing::subscribe,
        )
        .extension()
        .strict()
        .says("Subscription submitted")
        .errors(&[
            codes::CARD_DECLINED,
            codes::NO_PAYMENT_METHOD,
            codes::ALREADY_SUBSCRIBED,
        ]),
        subscriber(
            "core.subscription.cancel",
            Post,
            "/subscriptions/cancel",
            "end the subscription with the period that is paid",
            subscribing::cancel,
        )
        .extension()
        .says("Subscription cancelled")
        .errors(&[codes::NOT_SUBSCRIBED, codes::PAYMENT_IN_PROGRESS]),
        subscriber(
            "core.subscription.resume",
            Post,
            "/subscriptions/resume",
            "take a cancellation back",
            subscribing::resume,
        )
        .extension()
        .says("Subscription goes on")
        .errors(&[
            codes::NOT_SUBSCRIBED,
            codes::PAYMENT_IN_PROGRESS,
            codes::ILLEGAL_TRANSITION,
        ]),
        subscriber(
            "core.subscription.current",
            Get,
            "/subscriptions/current",
            "show the caller's subscription",
            subscribing::current,
        )
        .extension(),
    ]
}
