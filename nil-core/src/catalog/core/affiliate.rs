//! Affiliate links.

use crate::affiliate::converting::report;
use crate::affiliate::{converting, linking, redirect, royalty};
use crate::auth::Permission;
use crate::catalog::table::service::affiliate;
use crate::catalog::table::{Entry, anyone, athlete, extensions, partner, party};
use crate::error::{Code, codes};
use crate::throttle::Throttle;

/// The refusals of saving a link.
const LINKING: &[Code] = &[
    codes::NOT_ON_COMMISSION,
    codes::CONTRACT_NOT_ACTIVE,
    codes::COMMISSION_ENDED,
    codes::LINK_LIMIT,
];

/// The refusals of accounting for a royalty.
const ROYALTY: &[Code] = &[
    codes::DUPLICATE,
    codes::NOT_ON_COMMISSION,
    codes::CONTRACT_NOT_ACTIVE,
    codes::COMMISSION_ENDED,
];

/// A contract on commission pays through its links, so nothing of these stops while the feature is
/// off. What stops is saving a job on commission (`jobs.rs`).
pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        athlete("core.affiliate.save_link", "POST /affiliate-links/save", linking::save)
            .purpose("create or change an affiliate link of a commission deal")
            .says("Link saved")
            .errors(LINKING)
            .new_needs(&["job_id", "target_url"])
            .owned(),
        party("core.affiliate.links", "POST /affiliate-links/list", linking::list)
            .purpose("list affiliate links with clicks, sales and commission")
            .for_impersonators(Permission::Jobs)
            .owned(),
        anyone("core.affiliate.follow", "GET /l/{code}", redirect::follow)
            .purpose("follow an affiliate link")
            .audited()
            .says("The brand's page, with the link's code in `nil_code`")
            .throttled(Throttle::Public),
        affiliate("core.affiliate.report_sale", "POST /affiliate-links/conversions", report)
            .purpose("report a sale through an affiliate link")
            .says("Sale recorded")
            .errors(&[codes::NOT_FOUND, codes::DUPLICATE, codes::COMMISSION_ENDED])
            .strict(),
        partner("core.affiliate.report_royalty", "POST /royalties/report", royalty::report)
            .purpose("account for net sales under a royalty")
            .says("Sales recorded")
            .errors(ROYALTY)
            .owned()
            .strict(),
        party("core.affiliate.sales", "POST /affiliate-links/conversions/list", converting::list)
            .purpose("list sales through affiliate links, with commission owed and paid")
            .for_impersonators(Permission::Jobs)
            .owned(),
    ])
}
