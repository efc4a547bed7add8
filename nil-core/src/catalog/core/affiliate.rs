//! Affiliate links.

use crate::affiliate::{converting, following, linking};
use crate::auth::principal::Scope;
use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, anyone, athlete, party, service};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        athlete(
            "core.affiliate.save_link",
            Post,
            "/affiliate-links/save",
            "make or change an affiliate link of a commission deal",
            linking::save,
        )
        .owned()
        .says("Link saved")
        .errors(&[
            codes::NOT_ON_COMMISSION,
            codes::CONTRACT_NOT_ACTIVE,
            codes::COMMISSION_ENDED,
            codes::LINK_LIMIT,
        ]),
        party(
            "core.affiliate.links",
            Post,
            "/affiliate-links/list",
            "affiliate links with clicks, sales and commission",
            linking::list,
        )
        .owned(),
        anyone(
            "core.affiliate.follow",
            Get,
            "/l/{code}",
            "follow an affiliate link",
            following::follow,
        )
        .throttled(Throttle::Public)
        .says("The brand's page, with the link's code in `nil_code`"),
        service(
            Scope::Affiliate,
            "core.affiliate.report_sale",
            Post,
            "/affiliate-links/conversions",
            "report a sale that an affiliate link brought about",
            converting::report,
        )
        .strict()
        .says("Sale taken in")
        .errors(&[codes::NOT_FOUND, codes::DUPLICATE, codes::COMMISSION_ENDED]),
        party(
            "core.affiliate.sales",
            Post,
            "/affiliate-links/conversions/list",
            "sales behind affiliate links, with what is owed and paid",
            converting::list,
        )
        .owned(),
    ]
    .into_iter()
    .map(Entry::extension)
    .collect()
}
