//! Brands: hiring, reviewing, requests, cards.

use crate::accounts::editing;
use crate::catalog::Method::{Delete, Get, Post};
use crate::catalog::row::{Entry, partner};
use crate::content::library;
use crate::contracts::requesting;
use crate::error::Code;
use crate::error::codes;
use crate::jobs::browsing;
use crate::jobs::delivering;
use crate::jobs::hiring;
use crate::jobs::reporting;
use crate::jobs::reviewing;
use crate::payments::invoices;
use crate::payments::methods;
use crate::payments::paying;

/// Why somebody cannot be hired.
const HIRING: &[Code] = &[
    codes::ILLEGAL_TRANSITION,
    codes::JOB_NOT_OPEN,
    codes::JOB_FULL,
    codes::DUE_DATE_PASSED,
    codes::ATHLETE_UNAVAILABLE,
    codes::NOT_ELIGIBLE,
    codes::ATHLETE_NOT_READY,
    codes::GUARDIAN_CONSENT_MISSING,
    codes::CATEGORY_PROHIBITED,
    codes::CATEGORY_RESTRICTED,
    codes::SPONSOR_CONFLICT,
    codes::BLACKOUT,
    codes::VISA_STATUS,
    codes::EXCLUSIVITY_CONFLICT,
    codes::CONTRACT_INCOMPLETE,
];

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        partner(
            "core.job.posted",
            Post,
            "/partnerJobs",
            "list jobs posted by the partner",
            browsing::posted,
        ),
        partner(
            "core.application.list",
            Post,
            "/partnerGetJobApplicants",
            "list applicants of a job",
            browsing::applicants,
        )
        .owned(),
        partner(
            "core.partner.edit",
            Post,
            "/editPartnerWebsite",
            "update the brand profile",
            editing::edit_partner,
        )
        .owned()
        .says("Profile saved"),
        partner(
            "core.application.hire_bulk",
            Post,
            "/partner/bulk-hiring",
            "hire several athletes for a job",
            hiring::hire_bulk,
        )
        .owned()
        .says("Athletes hired")
        .errors(HIRING),
        partner(
            "core.payment.bulk_summary",
            Post,
            "/partner/get-bulk-payment-summary",
            "preview total cost before bulk payment",
            paying::bulk_summary,
        )
        .owned(),
        partner(
            "core.deliverable.deny",
            Post,
            "/partner/deny-athlete-deliverable/{milestonesAthleteRel}",
            "reject a submitted deliverable",
            delivering::deny,
        )
        .owned()
        .says("Deliverable denied")
        .errors(&[codes::CONTRACT_NOT_ACTIVE, codes::ILLEGAL_TRANSITION]),
        partner(
            "core.job.request_manual_review",
            Post,
            "/partner/request-manual-review",
            "escalate a job or deal for manual platform review",
            reviewing::ask_review,
        )
        .owned()
        .says("Review requested")
        .errors(&[codes::REQUEST_PENDING]),
        partner(
            "core.contract.dismiss_request",
            Post,
            "/partner/dismiss-contract-request",
            "dismiss a pending contract request",
            requesting::dismiss,
        )
        .owned()
        .says("Contract request dismissed")
        .errors(&[codes::NO_PENDING_REQUEST]),
        partner(
            "core.content_library.overview",
            Get,
            "/partner/content/content-library/overview",
            "content library summary statistics",
            library::overview,
        ),
        partner(
            "core.content_library.list",
            Post,
            "/partner/content/content-library",
            "paginated list of approved assets",
            library::list,
        )
        .owned(),
        partner(
            "core.content_library.download",
            Post,
            "/partner/content/assets/{id}/download",
            "request a single asset download",
            library::download,
        )
        .sends("*/*")
        .owned()
        .errors(&[codes::USAGE_RIGHTS_EXPIRED, codes::NO_FILE]),
        partner(
            "core.deliverable.report",
            Post,
            "/partner/deliverableReport",
            "deliverable report with filters",
            reporting::list,
        )
        .owned(),
        partner(
            "core.deliverable.export_report",
            Post,
            "/partner/deliverableReportExport",
            "export the report to CSV",
            reporting::export,
        )
        .sends("text/csv; charset=utf-8")
        .owned(),
        partner(
            "core.contract.accept_request",
            Post,
            "/partner/accept-contract-request",
            "accept a pending contract request",
            requesting::accept,
        )
        .extension()
        .owned()
        .says("Contract request accepted")
        .errors(&[codes::NO_PENDING_REQUEST]),
        partner(
            "core.partner.payment_methods",
            Get,
            "/partner/processor/payment-methods",
            "list saved payment methods",
            methods::list_of_partner,
        )
        .extension(),
        partner(
            "core.partner.add_payment_method",
            Post,
            "/partner/processor/payment-methods",
            "add a payment method",
            methods::add_for_partner,
        )
        .extension()
        .strict()
        .says("Payment method saved")
        .errors(&[codes::PROCESSOR_UNAVAILABLE]),
        partner(
            "core.partner.set_default_payment_method",
            Post,
            "/partner/processor/payment-methods/{paymentMethodId}/set-as-default",
            "set default payment method",
            methods::set_default_of_partner,
        )
        .extension()
        .owned()
        .says("Default payment method set"),
        partner(
            "core.partner.remove_payment_method",
            Delete,
            "/partner/processor/payment-methods/{paymentMethodId}",
            "remove a payment method",
            methods::remove_of_partner,
        )
        .extension()
        .owned()
        .says("Payment method removed"),
        partner(
            "core.partner.invoices",
            Get,
            "/partner/processor/invoices",
            "billing invoices",
            invoices::list_of_partner,
        )
        .extension(),
        partner(
            "core.partner.download_invoice",
            Get,
            "/partner/processor/invoices/{invoiceId}/pdf",
            "download an invoice",
            invoices::download_of_partner,
        )
        .sends("application/pdf")
        .extension()
        .owned(),
    ]
}
