//! Brands: hiring, reviewing, requests, cards.

use crate::accounts::partners::editing;
use crate::auth::Permission;
use crate::catalog::refusals::{DELIVERING, HIRING};
use crate::catalog::table::{Entry, extensions, partner};
use crate::deals::reporting::{self, export};
use crate::deals::requesting::{accept, dismiss};
use crate::deals::{delivering, hiring, reviewing};
use crate::disclosures::attesting;
use crate::error::codes;
use crate::files::library;
use crate::jobs::browsing;
use crate::payments::charges::paying;
use crate::payments::{invoices, methods};

pub(super) fn specified() -> Vec<Entry> {
    vec![
        partner("core.job.posted", "POST /partnerJobs", browsing::posted)
            .purpose("list jobs posted by the partner")
            .for_impersonators(Permission::Accounts),
        partner("core.application.list", "POST /partnerGetJobApplicants", browsing::applicants)
            .purpose("list applicants of a job")
            .for_impersonators(Permission::Jobs)
            .owned(),
        partner("core.partner.edit", "POST /editPartnerWebsite", editing::edit_partner)
            .purpose("update the brand profile")
            .says("Profile saved")
            .for_impersonators(Permission::Accounts)
            .errors(&[codes::FILE_QUOTA_EXCEEDED, codes::STORAGE_FULL])
            .owned(),
        partner("core.application.hire_bulk", "POST /partner/bulk-hiring", hiring::hire_bulk)
            .purpose("hire several athletes for a job")
            .says("Athletes hired")
            .errors(HIRING)
            .owned(),
        partner(
            "core.payment.bulk_summary",
            "POST /partner/get-bulk-payment-summary",
            paying::bulk_summary,
        )
        .purpose("preview total cost before bulk payment")
        .for_impersonators(Permission::Finance)
        .owned(),
        partner(
            "core.deliverable.deny",
            "POST /partner/deny-athlete-deliverable/{milestonesAthleteRel}",
            delivering::deny,
        )
        .purpose("reject a submitted deliverable")
        .says("Deliverable denied")
        .errors(DELIVERING)
        .owned(),
        partner(
            "core.job.request_manual_review",
            "POST /partner/request-manual-review",
            reviewing::ask_review,
        )
        .purpose("escalate a job or deal for manual platform review")
        .says("Review requested")
        .errors(&[codes::REQUEST_PENDING])
        .owned(),
        partner("core.contract.dismiss_request", "POST /partner/dismiss-contract-request", dismiss)
            .purpose("dismiss a pending contract request")
            .says("Contract request dismissed")
            .errors(&[codes::NO_PENDING_REQUEST])
            .owned(),
        partner(
            "core.content_library.overview",
            "GET /partner/content/content-library/overview",
            library::overview,
        )
        .purpose("content library summary statistics"),
        partner(
            "core.content_library.list",
            "POST /partner/content/content-library",
            library::list,
        )
        .purpose("paginated list of approved assets")
        .owned(),
        partner(
            "core.content_library.download",
            "POST /partner/content/assets/{id}/download",
            library::download,
        )
        .purpose("request a single asset download")
        .audited()
        .sends("*/*")
        .errors(&[codes::USAGE_RIGHTS_EXPIRED, codes::NO_FILE])
        .owned(),
        partner("core.deliverable.report", "POST /partner/deliverableReport", reporting::list)
            .purpose("deliverable report with filters")
            .strict()
            .for_impersonators(Permission::Jobs)
            .owned(),
        partner("core.deliverable.export_report", "POST /partner/deliverableReportExport", export)
            .purpose("export the report to CSV")
            .strict()
            .sends("text/csv; charset=utf-8")
            .owned(),
    ]
}

pub(super) fn beyond() -> Vec<Entry> {
    extensions(vec![
        partner("core.contract.accept_request", "POST /partner/accept-contract-request", accept)
            .purpose("accept a pending contract request")
            .says("Contract request accepted")
            .errors(&[codes::NO_PENDING_REQUEST])
            .owned(),
        partner(
            "core.partner.payment_methods",
            "GET /partner/processor/payment-methods",
            methods::list_of_partner,
        )
        .purpose("list saved payment methods")
        .for_impersonators(Permission::Finance),
        partner(
            "core.partner.add_payment_method",
            "POST /partner/processor/payment-methods",
            methods::add_for_partner,
        )
        .purpose("add a payment method")
        .says("Payment method saved")
        .errors(&[codes::PROCESSOR_UNAVAILABLE])
        .strict(),
        partner(
            "core.partner.set_default_payment_method",
            "POST /partner/processor/payment-methods/{paymentMethodId}/set-as-default",
            methods::set_default_of_partner,
        )
        .purpose("set default payment method")
        .says("Default payment method set")
        .owned(),
        partner(
            "core.partner.begin_payment_method",
            "POST /partner/processor/payment-methods/begin",
            methods::begin_for_partner,
        )
        .purpose("open a page of the processor where a card is entered")
        .says("Page opened")
        .errors(&[codes::PROCESSOR_UNAVAILABLE])
        .strict(),
        partner(
            "core.partner.remove_payment_method",
            "DELETE /partner/processor/payment-methods/{paymentMethodId}",
            methods::remove_of_partner,
        )
        .purpose("remove a payment method")
        .says("Payment method removed")
        .owned(),
        partner(
            "core.partner.invoices",
            "GET /partner/processor/invoices",
            invoices::list_of_partner,
        )
        .purpose("billing invoices")
        .for_impersonators(Permission::Finance),
        partner(
            "core.partner.download_invoice",
            "GET /partner/processor/invoices/{invoiceId}/pdf",
            invoices::download_of_partner,
        )
        .purpose("download an invoice")
        .for_impersonators(Permission::Finance)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE])
        .owned(),
        partner("core.attestation.list", "GET /association-requests", attesting::list)
            .purpose("list contracts about which the brand attests its association")
            .for_impersonators(Permission::Jobs),
        partner("core.attestation.give", "POST /association-requests/{id}", attesting::attest)
            .purpose("attest whether the brand is associated with an institution")
            .says("Association attested")
            .owned(),
    ])
}
