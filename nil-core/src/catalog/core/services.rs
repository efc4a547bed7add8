//! Services that athletes offer and brands order; the specification names the group without paths.

use crate::auth::Permission;
use crate::catalog::table::{Entry, athlete, extensions, partner, party, user};
use crate::error::{Code, codes};
use crate::marketplace::completing::complete;
use crate::marketplace::handing_over::{deliver, send_back};
use crate::marketplace::{answering, listing, offering, ordering, searching};

/// The refusals of accepting an order; those of a hire among them.
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

/// The refusals of placing an order.
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

/// The refusals of delivering and returning work.
const HANDING_OVER: &[Code] = &[codes::ILLEGAL_TRANSITION, codes::CONTRACT_NOT_ACTIVE];

/// The refusals of completing an order.
const COMPLETING: &[Code] = &[
    codes::ILLEGAL_TRANSITION,
    codes::CATEGORY_PROHIBITED,
    codes::VISA_STATUS,
    codes::CARD_DECLINED,
    codes::NO_PAYMENT_METHOD,
    codes::NOTHING_OWED,
];

pub(super) fn offers() -> Vec<Entry> {
    extensions(vec![
        athlete("core.service_offer.save", "POST /services/save", offering::save)
            .purpose("create or change a service offer")
            .says("Offer saved")
            .errors(&[codes::TOO_MANY_OFFERS])
            .new_needs(&["title", "description", "kind", "price_cents"])
            .owned()
            .strict()
            .stops_new(),
        athlete("core.service_offer.mine", "GET /services/mine", offering::mine)
            .purpose("list the athlete's own service offers")
            .for_impersonators(Permission::Accounts),
        user("core.service_offer.search", "POST /services/search", searching::search)
            .may_be_behind()
            .purpose("search the services that athletes offer")
            .for_impersonators(Permission::Accounts)
            .stops(),
    ])
}

pub(super) fn orders() -> Vec<Entry> {
    extensions(vec![
        partner("core.service_order.place", "POST /services/order", ordering::place)
            .purpose("order a service")
            .says("Service ordered")
            .errors(ORDERING)
            .strict()
            .stops(),
        party("core.service_order.list", "GET /services/orders", listing::list)
            .purpose("list the caller's service orders")
            .for_impersonators(Permission::Jobs)
            .audited(),
        partner("core.service_order.cancel", "POST /services/order/cancel", ordering::cancel)
            .purpose("cancel an unanswered order")
            .says("Order cancelled")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned()
            .strict(),
        athlete("core.service_order.accept", "POST /services/order/accept", answering::accept)
            .purpose("accept an order")
            .says("Order accepted")
            .errors(ACCEPTING)
            .owned()
            .strict(),
        athlete("core.service_order.decline", "POST /services/order/decline", answering::decline)
            .purpose("decline an order")
            .says("Order declined")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned()
            .strict(),
        athlete("core.service_order.deliver", "POST /services/order/deliver", deliver)
            .purpose("deliver an order")
            .says("Order delivered")
            .errors(HANDING_OVER)
            .owned()
            .strict(),
        partner("core.service_order.return", "POST /services/order/return", send_back)
            .purpose("return delivered work")
            .says("Work returned")
            .errors(HANDING_OVER)
            .owned()
            .strict(),
        partner("core.service_order.complete", "POST /services/order/complete", complete)
            .purpose("approve delivered work and pay it with the default saved card")
            .says("Order completed")
            .errors(COMPLETING)
            .owned()
            .strict(),
    ])
}
