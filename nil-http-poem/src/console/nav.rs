//! The navigation of both sides.

use super::icons;
use super::side::{Place, Section, Side};
use nil_core::catalog::Interface;

const fn place(
    title: &'static str,
    path: &'static str,
    icon: icons::Icon,
    needs: &'static str,
) -> Place {
    Place { title, path, icon, needs }
}

pub(super) static PORTAL: Side = Side {
    base: "/portal",
    interface: Interface::Compliance,
    prefix: "compliance.",
    cookie: "nil_portal",
    leads_to: "To the compliance portal.",
    kind: "Compliance",
    log_in: "compliance.auth.log_in",
    log_out: "compliance.auth.log_out",
    sections: &[
        Section {
            title: "",
            places: &[
                place("Inbox", "", icons::INBOX, "inbox.list"),
                place("Transactions", "/transactions", icons::MONEY, "transaction.list"),
                place("Athletes", "/athletes", icons::PEOPLE, "athlete.list"),
            ],
        },
        Section {
            title: "Review",
            places: &[
                place("Disclosed deals", "/deals", icons::DOCUMENT, "disclosed_job.list"),
                place("Clearinghouse", "/clearances", icons::SHIELD, "clearance.list"),
                place("Agent filings", "/filings", icons::CASE, "disclosure.list"),
            ],
        },
        Section {
            title: "Report",
            places: &[
                place("Analytics", "/analytics", icons::CHART, "analytics.by_sport"),
                place("Statistics and records", "/statistics", icons::BOOK, "statistics.show"),
                place("Trail", "/trail", icons::CLOCK, "audit.list"),
            ],
        },
        Section {
            title: "Institution",
            places: &[
                place("Rules", "/rules", icons::SLIDERS, "college.settings"),
                place("Team", "/team", icons::PERSON, "portal_user.list"),
            ],
        },
    ],
};

pub(super) static CONSOLE: Side = Side {
    base: "/console",
    interface: Interface::Admin,
    prefix: "admin.",
    cookie: "nil_console",
    leads_to: "To the operators' console.",
    kind: "Operators",
    log_in: "admin.auth.log_in",
    log_out: "admin.auth.log_out",
    sections: &[
        Section {
            title: "",
            places: &[
                place("Today", "", icons::CALENDAR, "dashboard.view"),
                place("Job review", "/jobs", icons::STAR, "job.list"),
                place("Support", "/op/support.list", icons::TALK, "support.list"),
            ],
        },
        Section {
            title: "People",
            places: &[
                place("Athletes", "/athletes", icons::PEOPLE, "athlete.list"),
                place("Brands", "/partners", icons::CARD, "partner.list"),
                place("Agents", "/agents", icons::CASE, "agent.list"),
                place("Universities", "/universities", icons::COLLEGE, "college.list"),
            ],
        },
        Section {
            title: "Money",
            places: &[
                place("Payments", "/payments", icons::MONEY, "payment.list"),
                place("Payouts", "/payouts", icons::UP, "payout.list"),
                place("Revenue", "/revenue", icons::CHART, "payment.revenue"),
                place("Tax forms", "/tax-forms", icons::DOCUMENT, "tax.list_requests"),
            ],
        },
        Section {
            title: "Site",
            places: &[
                place("Library", "/library", icons::FOLDER, "content.browse"),
                place(
                    "Editorial",
                    "/op/editorial.list_blog_posts",
                    icons::TEXT,
                    "editorial.list_blog_posts",
                ),
                place("Templates", "/templates", icons::MAIL, "email_template.list"),
                place("Announcements", "/op/announcement.list", icons::HORN, "announcement.list"),
                place("Settings", "/settings", icons::GEAR, "site.settings"),
                place("Reports", "/reports", icons::REPORT, "export.list"),
                place("Audit", "/audit", icons::CLOCK, "audit.list"),
            ],
        },
    ],
};
