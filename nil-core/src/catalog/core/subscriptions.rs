//! Plans that brands and agents subscribe to. The specification names the group without its paths.

use crate::auth::Permission;
use crate::catalog::table::{Entry, anyone, extensions, subscriber};
use crate::error::{Code, codes};
use crate::payments::subscriptions::subscribing::subscribe;
use crate::payments::subscriptions::{changing, confirming, planning, subscribing};
use crate::throttle::Throttle;

/// The refusals of a subscription.
const SUBSCRIBING: &[Code] = &[
    codes::CARD_DECLINED,
    codes::NO_PAYMENT_METHOD,
    codes::ALREADY_SUBSCRIBED,
    codes::SITE_UNNAMED,
];

/// The refusals of resuming a subscription.
const RESUMING: &[Code] =
    &[codes::NOT_SUBSCRIBED, codes::PAYMENT_IN_PROGRESS, codes::ILLEGAL_TRANSITION];

/// The refusals of a preview of a change of plan.
const PREVIEWING: &[Code] = &[
    codes::NOT_SUBSCRIBED,
    codes::SAME_PLAN,
    codes::PAYMENT_IN_PROGRESS,
    codes::ILLEGAL_TRANSITION,
];

/// The refusals of a change of plan.
const CHANGING: &[Code] = &[
    codes::CARD_DECLINED,
    codes::NO_PAYMENT_METHOD,
    codes::TOTAL_CHANGED,
    codes::SITE_UNNAMED,
    codes::NOT_SUBSCRIBED,
    codes::SAME_PLAN,
    codes::PAYMENT_IN_PROGRESS,
    codes::ILLEGAL_TRANSITION,
];

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        anyone("core.subscription.plans", "GET /subscriptions/plans", planning::offered)
            .purpose("list the plans on offer")
            .for_impersonators(Permission::Accounts)
            .throttled(Throttle::Public)
            .stops(),
        subscriber("core.subscription.subscribe", "POST /subscriptions/subscribe", subscribe)
            .purpose("subscribe to a plan and pay its first period")
            .says("Subscription submitted")
            .errors(SUBSCRIBING)
            .strict()
            .stops(),
        subscriber("core.subscription.cancel", "POST /subscriptions/cancel", subscribing::cancel)
            .purpose("cancel the subscription at the end of the paid period")
            .says("Subscription cancelled")
            .errors(&[
                codes::NOT_SUBSCRIBED,
                codes::PAYMENT_IN_PROGRESS,
                codes::PROCESSOR_UNAVAILABLE,
            ]),
        subscriber("core.subscription.confirm", "POST /subscriptions/confirm", confirming::confirm)
            .purpose("ask for the page where a charge is confirmed with the card's bank")
            .says("Subscription looked up")
            .errors(&[codes::NOT_SUBSCRIBED, codes::PROCESSOR_UNAVAILABLE])
            .strict(),
        subscriber("core.subscription.resume", "POST /subscriptions/resume", subscribing::resume)
            .purpose("withdraw a cancellation")
            .says("Subscription resumed")
            .errors(RESUMING),
        subscriber("core.subscription.current", "GET /subscriptions/current", subscribing::current)
            .purpose("show the caller's subscription")
            .for_impersonators(Permission::Finance),
        subscriber(
            "core.subscription.preview_change",
            "POST /subscriptions/preview-change",
            changing::preview,
        )
        .purpose("show what a change of plan would cost now")
        .for_impersonators(Permission::Finance)
        .errors(PREVIEWING),
        subscriber("core.subscription.change", "POST /subscriptions/change", changing::change)
            .purpose("change the plan, now or with the next period")
            .says("Plan changed")
            .errors(CHANGING)
            .strict(),
    ])
}
