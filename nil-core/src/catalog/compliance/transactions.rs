//! Transactions, their totals, and exports.

use crate::auth::Permission;
use crate::catalog::section::FILTERS;
use crate::catalog::table::portal::{finance, officer, viewer};
use crate::catalog::table::{Entry, anyone, extensions};
use crate::figures::analysing::{by_category, by_sport};
use crate::figures::statistics::top_teams;
use crate::figures::{
    analysing, browsing, exporting, options, public_records, publishing, statistics,
};
use crate::throttle::Throttle;

pub(super) fn rows() -> Vec<Entry> {
    vec![
        viewer("compliance.transaction.list", "GET /transactions", browsing::list)
            .may_be_behind()
            .purpose("list transactions with filters")
            .title("Transactions")
            .columns(&[
                "number",
                "athlete",
                "payer",
                "gross_cents",
                "occurred_at",
                "status",
                "category",
                "payment_type",
                "sport",
                "net_cents",
                "fee_cents",
            ])
            .strict()
            .for_impersonators(Permission::Finance),
        viewer("compliance.transaction.summary", "GET /transactions/summary", statistics::summary)
            .may_be_behind()
            .purpose("totals, counts, averages")
            .title("Totals of transactions")
            .strict()
            .for_impersonators(Permission::Finance),
        viewer(
            "compliance.transaction.top_athletes",
            "GET /transactions/top-athletes",
            statistics::top_athletes,
        )
        .may_be_behind()
        .purpose("rank athletes by volume")
        .title("Athletes by volume")
        .columns(&[
            "athlete",
            "rank",
            "gross_cents",
            "share_basis_points",
            "count",
            "sport",
            "net_cents",
        ])
        .strict()
        .for_impersonators(Permission::Finance),
        viewer("compliance.transaction.top_teams", "GET /transactions/top-teams", top_teams)
            .may_be_behind()
            .purpose("rank teams by volume")
            .title("Teams by volume")
            .columns(&[
                "team",
                "rank",
                "gross_cents",
                "share_basis_points",
                "count",
                "athletes",
                "net_cents",
            ])
            .strict()
            .for_impersonators(Permission::Finance),
        finance("compliance.transaction.export", "GET /transactions/export", exporting::export)
            .purpose("full export as a ZIP")
            .title("Export transactions")
            .strict()
            .for_impersonators(Permission::Finance)
            .audited()
            .sends("application/zip"),
    ]
}

/// Analytics, and the values for filters.
pub(super) fn analytics() -> Vec<Entry> {
    vec![
        viewer("compliance.analytics.by_sport", "GET /analytics/top-nil-sport", by_sport)
            .may_be_behind()
            .purpose("activity and earnings by sport")
            .title("Activity by sport")
            .columns(&[
                "sport",
                "gross_cents",
                "share_basis_points",
                "earnings_cents",
                "activity",
                "athletes",
            ])
            .strict()
            .for_impersonators(Permission::Finance),
        viewer(
            "compliance.analytics.by_payment_type",
            "GET /analytics/top-nil-payment",
            analysing::by_payment_type,
        )
        .may_be_behind()
        .purpose("activity by payment type")
        .title("Activity by kind of payment")
        .columns(&[
            "payment_type",
            "gross_cents",
            "share_basis_points",
            "earnings_cents",
            "activity",
            "athletes",
        ])
        .strict()
        .for_impersonators(Permission::Finance),
        viewer(
            "compliance.analytics.applications_over_time",
            "GET /analytics/number-applications",
            analysing::applications_over_time,
        )
        .may_be_behind()
        .purpose("counts of athletes and applications over time")
        .title("Athletes and applications over time")
        .strict()
        .for_impersonators(Permission::Finance),
        viewer("compliance.analytics.by_category", "GET /analytics/types-nil", by_category)
            .may_be_behind()
            .purpose("activity by category")
            .title("Activity by category")
            .columns(&[
                "category",
                "gross_cents",
                "share_basis_points",
                "earnings_cents",
                "activity",
                "athletes",
            ])
            .strict()
            .for_impersonators(Permission::Finance),
        viewer("compliance.filter.dates", "GET /filters/dates", options::dates)
            .purpose("date range presets")
            .title("Periods")
            .columns(&["label", "from", "to", "value"])
            .for_impersonators(Permission::Accounts)
            .under(&FILTERS),
        viewer("compliance.filter.sports", "GET /filters/sports", options::sports)
            .purpose("sport options")
            .title("Sports")
            .columns(&["label", "value"])
            .for_impersonators(Permission::Accounts)
            .under(&FILTERS),
        viewer("compliance.filter.genders", "GET /filters/gender", options::genders)
            .purpose("gender options")
            .title("Genders")
            .columns(&["label", "value"])
            .for_impersonators(Permission::Accounts)
            .under(&FILTERS),
        anyone("compliance.filter.roles", "GET /filters/roles", options::roles)
            .purpose("user role options (no authentication)")
            .title("Roles")
            .columns(&["label", "value"])
            .for_impersonators(Permission::Accounts)
            .under(&FILTERS)
            .throttled(Throttle::Public),
        viewer("compliance.filter.categories", "GET /filters/categories", options::categories)
            .purpose("job category options")
            .title("Job categories")
            .columns(&["label", "value"])
            .for_impersonators(Permission::Accounts)
            .under(&FILTERS)
            .extension(),
    ]
}

/// What the institution gives to the public.
pub(super) fn publications() -> Vec<Entry> {
    extensions(vec![
        officer("compliance.statistics.show", "GET /statistics", publishing::statistics)
            .purpose("statistics in which no athlete can be recognised")
            .title("Public statistics")
            .strict()
            .audited(),
        officer("compliance.statistics.export", "GET /statistics/export", publishing::export)
            .purpose("the same statistics as CSV or as a spreadsheet")
            .title("Export public statistics")
            .strict()
            .audited()
            .sends("*/*"),
        officer("compliance.records_request.list", "GET /public-records", public_records::list)
            .purpose("list requests for public records and what was handed out")
            .title("Requests for public records")
            .columns(&[
                "requester",
                "received_on",
                "from",
                "to",
                "legal_basis",
                "noted_by",
                "created_at",
            ]),
        officer("compliance.records_request.note", "POST /public-records", public_records::note)
            .purpose("note a request for public records")
            .title("Note a request for public records")
            .verb("Note")
            .says("Request noted"),
        officer(
            "compliance.records_request.file",
            "GET /public-records/{id}/file",
            public_records::file,
        )
        .purpose("hand out the redacted records of a request")
        .title("Hand out the records of a request")
        .audited()
        .sends("application/zip")
        .owned(),
    ])
}
