//! Services that athletes offer and brands order; the specification names the group without paths.

use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, athlete, partner, party, user};
use crate::error::{Code, codes};
use crate::marketplace::{
    answering, completing, handing_over, listing, offering, ordering, searching,
};

/// What making the deal of an order is refused with, as a hire is.
const ACCEPTING: &[Code] = &[
    codes::ILLEGAL_TRANSITION,
    codes::NO_PAYMENT_METHOD,
    codes::ATHLETE_NOT_READY,
    codes::GUARDIAN_CONSENT_MISSING,
    codes::EXCLUSIVITY_CONFLICT,
    codes::CATEGORY_PROHIBITED,
    codes::CATEGORY_RESTRICTED,
    codes::SPONSOR_CONFLICT,
    codes::BLACKOUT,
    codes::VISA_STATUS,
    codes::CONTRACT_INCOMPLETE,
];

/// What ordering is refused with.
const ORDERING: &[Code] = &[
    codes::ORDER_PENDING,
    codes::PRICE_CHANGED,
    codes::NO_PAYMENT_METHOD,
    codes::ATHLETE_UNAVAILABLE,
    codes::ATHLETE_NOT_READY,
    codes::GUARDIAN_CONSENT_MISSING,
    codes::CATEGORY_PROHIBITED,
    codes::CATEGORY_RESTRICTED,
    codes::SPONSOR_CONFLICT,
    codes::BLACKOUT,
    codes::VISA_STATUS,
];

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    [offers(), orders()].into_iter().flatten().map(Entry::extension).collect()
}

fn offers() -> Vec<Entry> {
    vec![
        athlete(
            "core.service_offer.save",
            Post,
            "/services/save",
            "make or change an offer of a service",
            offering::save,
        )
        .owned()
        .strict()
        .says("Offer saved")
        .errors(&[codes::TOO_MANY_OFFERS]),
        athlete(
            "core.service_offer.mine",
            Get,
            "/services/mine",
            "list the athlete's own offers",
            offering::mine,
        ),
        user(
            "core.service_offer.search",
            Post,
            "/services/search",
            "search the services that athletes offer",
            searching::search,
        ),
    ]
}

fn orders() -> Vec<Entry> {
    vec![
        partner(
            "core.service_order.place",
            Post,
            "/services/order",
            "order a service",
            ordering::place,
        )
        .strict()
        .says("Service ordered")
        .errors(ORDERING),
        party(
            "core.service_order.list",
            Get,
            "/services/orders",
            "list the caller's orders of services",
            listing::list,
        ),
        partner(
            "core.service_order.cancel",
            Post,
            "/services/order/cancel",
            "take an order back that is not answered",
            ordering::cancel,
        )
        .owned()
        .strict()
        .says("Order cancelled")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.service_order.accept",
            Post,
            "/services/order/accept",
            "accept an order",
            answering::accept,
        )
        .owned()
        .strict()
        .says("Order accepted")
        .errors(ACCEPTING),
        athlete(
            "core.service_order.decline",
            Post,
            "/services/order/decline",
            "decline an order",
            answering::decline,
        )
        .owned()
        .strict()
        .says("Order declined")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.service_order.deliver",
            Post,
            "/services/order/deliver",
            "deliver what was ordered",
            handing_over::deliver,
        )
        .owned()
        .strict()
        .says("Order delivered")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::CONTRACT_NOT_ACTIVE]),
        partner(
            "core.service_order.return",
            Post,
            "/services/order/return",
            "send delivered work back",
            handing_over::send_back,
        )
        .owned()
        .strict()
        .says("Work sent back")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::CONTRACT_NOT_ACTIVE]),
        partner(
            "core.service_order.complete",
            Post,
            "/services/order/complete",
            "approve delivered work and pay it with the default saved card",
            completing::complete,
        )
        .owned()
        .strict()
        .says("Order completed")
        .errors(&[
            codes::ILLEGAL_TRANSITION,
            codes::CATEGORY_PROHIBITED,
            codes::VISA_STATUS,
            codes::CARD_DECLINED,
            codes::NO_PAYMENT_METHOD,
            codes::NOTHING_OWED,
        ]),
    ]
}
