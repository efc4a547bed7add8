//! Transactions, what they come to, and what can be made of them.

use crate::auth::Role;
use crate::auth::throttle::Throttle;
use crate::catalog::Method::Get;
use crate::catalog::row::{Entry, anyone, portal};
use crate::figures::{analysing, browsing, exporting, options, summing};

/// The rows of transactions.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.transaction.list",
            Get,
            "/transactions",
            "list transactions with filters",
            browsing::list,
        ),
        portal(
            Role::Viewer,
            "compliance.transaction.summary",
            Get,
            "/transactions/summary",
            "totals, counts, averages",
            summing::summary,
        ),
        portal(
            Role::Viewer,
            "compliance.transaction.top_athletes",
            Get,
            "/transactions/top-athletes",
            "rank athletes by volume",
            summing::top_athletes,
        ),
        portal(
            Role::Viewer,
            "compliance.transaction.top_teams",
            Get,
            "/transactions/top-teams",
            "rank teams by volume",
            summing::top_teams,
        ),
        portal(
            Role::Finance,
            "compliance.transaction.export",
            Get,
            "/transactions/export",
            "full export as a ZIP",
            exporting::export,
        )
        .sends("application/zip"),
    ]
}

/// The rows of analytics and of what the filters can be set to.
pub(super) fn analytics() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.analytics.by_sport",
            Get,
            "/analytics/top-nil-sport",
            "activity and earnings by sport",
            analysing::by_sport,
        ),
        portal(
            Role::Viewer,
            "compliance.analytics.by_payment_type",
            Get,
            "/analytics/top-nil-payment",
            "activity by payment type",
            analysing::by_payment_type,
        ),
        portal(
            Role::Viewer,
            "compliance.analytics.applications_over_time",
            Get,
            "/analytics/number-applications",
            "counts of athletes and applications over time",
            analysing::applications_over_time,
        ),
        portal(
            Role::Viewer,
            "compliance.analytics.by_category",
            Get,
            "/analytics/types-nil",
            "activity by category",
            analysing::by_category,
        ),
        portal(
            Role::Viewer,
            "compliance.filter.dates",
            Get,
            "/filters/dates",
            "date range presets",
            options::dates,
        ),
        portal(
            Role::Viewer,
            "compliance.filter.sports",
            Get,
            "/filters/sports",
            "sport options",
            options::sports,
        ),
        portal(
            Role::Viewer,
            "compliance.filter.genders",
            Get,
            "/filters/gender",
            "gender options",
            options::genders,
        ),
        anyone(
            "compliance.filter.roles",
            Get,
            "/filters/roles",
            "user role options (no authentication)",
            options::roles,
        )
        .throttled(Throttle::Public),
    ]
}
