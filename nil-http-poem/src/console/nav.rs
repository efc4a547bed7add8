//! The navigation of both sides.

use super::icons;
use super::side::{Place, Section, Side};
use super::texts::key;
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
    leads_to: key!("leads-to-portal"),
    kind: key!("kind-portal"),
    log_in: "compliance.auth.log_in",
    log_out: "compliance.auth.log_out",
    sections: &[
        Section {
            title: "",
            places: &[
                place(key!("nav-inbox"), "", icons::INBOX, "inbox.list"),
                place(key!("nav-transactions"), "/transactions", icons::MONEY, "transaction.list"),
                place(key!("nav-athletes"), "/athletes", icons::PEOPLE, "athlete.list"),
            ],
        },
        Section {
            title: key!("nav-section-review"),
            places: &[
                place(key!("nav-deals"), "/deals", icons::DOCUMENT, "disclosed_job.list"),
                place(key!("nav-clearances"), "/clearances", icons::SHIELD, "clearance.list"),
                place(key!("nav-filings"), "/filings", icons::CASE, "disclosure.list"),
            ],
        },
        Section {
            title: key!("nav-section-report"),
            places: &[
                place(key!("nav-analytics"), "/analytics", icons::CHART, "analytics.by_sport"),
                place(key!("nav-statistics"), "/statistics", icons::BOOK, "statistics.show"),
                place(key!("nav-trail"), "/trail", icons::CLOCK, "audit.list"),
            ],
        },
        Section {
            title: key!("nav-section-institution"),
            places: &[
                place(key!("nav-rules"), "/rules", icons::SLIDERS, "college.settings"),
                place(key!("nav-team"), "/team", icons::PERSON, "portal_user.list"),
            ],
        },
    ],
};

pub(super) static CONSOLE: Side = Side {
    base: "/console",
    interface: Interface::Admin,
    prefix: "admin.",
    cookie: "nil_console",
    leads_to: key!("leads-to-console"),
    kind: key!("kind-console"),
    log_in: "admin.auth.log_in",
    log_out: "admin.auth.log_out",
    sections: &[
        Section {
            title: "",
            places: &[
                place(key!("nav-today"), "", icons::CALENDAR, "dashboard.view"),
                place(key!("nav-jobs"), "/jobs", icons::STAR, "job.list"),
                place(key!("nav-support"), "/op/support.list", icons::TALK, "support.list"),
            ],
        },
        Section {
            title: key!("nav-section-people"),
            places: &[
                place(key!("nav-athletes"), "/athletes", icons::PEOPLE, "athlete.list"),
                place(key!("nav-brands"), "/partners", icons::CARD, "partner.list"),
                place(key!("nav-agents"), "/agents", icons::CASE, "agent.list"),
                place(key!("nav-universities"), "/universities", icons::COLLEGE, "college.list"),
            ],
        },
        Section {
            title: key!("nav-section-money"),
            places: &[
                place(key!("nav-payments"), "/payments", icons::MONEY, "payment.list"),
                place(key!("nav-payouts"), "/payouts", icons::UP, "payout.list"),
                place(key!("nav-disputes"), "/disputes", icons::SHIELD, "dispute.list"),
                place(
                    key!("nav-differences"),
                    "/differences",
                    icons::LIST,
                    "processor_difference.list",
                ),
                place(key!("nav-requests"), "/requests", icons::INBOX, "processor_request.list"),
                place(key!("nav-revenue"), "/revenue", icons::CHART, "payment.revenue"),
                place(key!("nav-tax-forms"), "/tax-forms", icons::DOCUMENT, "tax.list_requests"),
            ],
        },
        Section {
            title: key!("nav-section-site"),
            places: &[
                place(key!("nav-library"), "/library", icons::FOLDER, "content.browse"),
                place(
                    key!("nav-editorial"),
                    "/op/editorial.list_blog_posts",
                    icons::TEXT,
                    "editorial.list_blog_posts",
                ),
                place(key!("nav-templates"), "/templates", icons::MAIL, "email_template.list"),
                place(
                    key!("nav-announcements"),
                    "/op/announcement.list",
                    icons::HORN,
                    "announcement.list",
                ),
                place(key!("nav-settings"), "/settings", icons::GEAR, "site.settings"),
                place(key!("nav-reports"), "/reports", icons::REPORT, "export.list"),
                place(key!("nav-audit"), "/audit", icons::CLOCK, "audit.list"),
            ],
        },
    ],
};
