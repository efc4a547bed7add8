//! Payments, payouts, refunds, wallets, plans.

use crate::catalog::forms::RequiredWhen;
use crate::catalog::table::Entry;
use crate::catalog::table::operator::{finance, reports};
use crate::error::{Code, codes};
use crate::export::XLSX;
use crate::payments::browsing::admin::{self, list_payouts, wallet_history};
use crate::payments::browsing::{exporting, revenue};
use crate::payments::payouts::cancelling::cancel;
use crate::payments::payouts::paying_out;
use crate::payments::refunds::{previewing, refunding};
use crate::payments::subscriptions::{planning, refunding as subscription_refunding};
use crate::payments::taxes::{asking, filing, returning, thresholds, withholding};
use crate::payments::{PaymentEvent, PaymentStatus, PayoutEvent, PayoutStatus};
use crate::reports::{listing, making, requesting, sending};

/// The columns of payments.
const PAYMENTS: &[&str] = &[
    "number",
    "status",
    "total_cents",
    "athlete_name",
    "company_name",
    "created_at",
    "amount_cents",
    "fee_cents",
    "refunded_cents",
    "kind",
];

/// The columns of payouts.
const PAYOUTS: &[&str] = &[
    "payee_name",
    "status",
    "amount_cents",
    "created_at",
    "arrives_on",
    "hold_reasons",
    "failure_code",
    "attempt",
];

/// The columns of months of revenue.
const MONTHS: &[&str] = &[
    "name",
    "month",
    "revenue_cents",
    "fee_cents",
    "amount_cents",
    "payments",
    "subscription_cents",
    "refunded_fee_cents",
];

/// The columns of entries.
const ENTRIES: &[&str] =
    &["at", "account", "amount_cents", "balance_after_cents", "reason", "refers_to", "transfer_id"];

/// The columns of requests for tax forms.
const REQUESTS: &[&str] = &[
    "name",
    "year",
    "asked_at",
    "near_threshold_at",
    "tax_withheld_at",
    "payout_held_at",
    "returns_due_at",
    "answered_at",
    "is_foreign",
];

/// The columns of amounts to report.
const AMOUNTS: &[&str] = &["form", "from_year", "threshold_cents"];

/// The columns of plans.
const PLANS: &[&str] = &[
    "name",
    "active",
    "price_cents",
    "interval",
    "fee_basis_points",
    "subscribers",
    "audience",
    "currency",
    "features",
];

/// The columns of reports.
const REPORTS: &[&str] =
    &["name", "status", "kind", "format", "created_at", "rows", "size", "expires_at"];

/// The refusals of a refund.
const REFUNDING: &[Code] = &[
    codes::PAYMENT_IN_PROGRESS,
    codes::NOT_REFUNDABLE,
    codes::CHARGE_DISPUTED,
    codes::REFUND_EXCEEDS_PAYMENT,
    codes::PAYOUT_IN_PROGRESS,
    codes::ALREADY_PAID_OUT,
];

/// The refusals of a refund's preview.
const PREVIEWING_REFUND: &[Code] = &[
    codes::PAYMENT_IN_PROGRESS,
    codes::NOT_REFUNDABLE,
    codes::CHARGE_DISPUTED,
    codes::REFUND_EXCEEDS_PAYMENT,
    codes::PAYOUT_IN_PROGRESS,
];

/// The refusals of a subscription's refund.
const REFUNDING_SUBSCRIPTION: &[Code] = &[
    codes::NOT_REFUNDABLE,
    codes::REFUND_PERIOD_OVER,
    codes::CHARGE_DISPUTED,
    codes::PAYMENT_IN_PROGRESS,
];

/// The refusals of a payout's retry.
const RETRYING: &[Code] =
    &[codes::ILLEGAL_TRANSITION, codes::PAYOUT_IN_PROGRESS, codes::NOTHING_TO_PAY_OUT];

/// Withholding begins with a notice.
const A_NOTICE: &[RequiredWhen] = &[RequiredWhen::new("notice", "active", &["true"])];

/// Payments, payouts, refunds and wallets.
pub(super) fn payments() -> Vec<Entry> {
    vec![
        finance("admin.payment.list", "GET /payment-records/{status}/{id}", admin::list)
            .purpose("list payment records")
            .title("Payments")
            .columns(PAYMENTS),
        finance("admin.payout.list", "GET /payment-records/athlete-payout/{status}", list_payouts)
            .purpose("list athlete payouts")
            .title("Payouts")
            .columns(PAYOUTS),
        finance("admin.payout.trigger", "GET /payment-records/payout/{id}", paying_out::trigger)
            .purpose("trigger a payout for an athlete")
            .title("Pay out an athlete's wallet")
            .acts_on("athlete", "id")
            .verb("Pay out")
            .confirm(
                "All that is in the athlete's wallet is sent to their payout account. What is on \
                 its way to the bank cannot be called back.",
                "A payout that is under way goes on, and no second one is made. It waits on hold \
                 while the account cannot receive money.",
            )
            .says("Payout created")
            .errors(&[codes::NOTHING_TO_PAY_OUT])
            .strict(),
        finance("admin.payment.refund", "POST /payment-refund", refunding::refund)
            .purpose("process a refund")
            .title("Refund a payment")
            .acts_on("payment", "payment_id")
            .when::<PaymentStatus>(&[PaymentEvent::RefundPart, PaymentEvent::RefundAll])
            .verb("Refund")
            .confirm(
                "The brand gets its money back. It comes from the athlete's wallet, from a \
                 payout on hold, or, if you allow it, from what the athlete then owes. This \
                 cannot be undone.",
                "The payment stays on record with the refund beside it. While the money is on \
                 its way to the bank, nothing moves.",
            )
            .says("Refund submitted")
            .errors(REFUNDING)
            .strict(),
        finance(
            "admin.payment.preview_refund",
            "POST /payment-refund/preview",
            previewing::preview,
        )
        .purpose("show what a refund would do, without making it")
        .title("Preview of a refund")
        .verb("Preview")
        .errors(PREVIEWING_REFUND)
        .audited()
        .extension(),
        finance("admin.payout.retry", "GET /payment-retry/payout/{id}", paying_out::retry)
            .purpose("retry a failed payout")
            .title("Retry a failed payout")
            .acts_on("payout", "id")
            .in_states(&[PayoutStatus::Failed])
            .verb("Retry")
            .confirm(
                "A new payout of the same amount leaves the wallet. What is on its way to the \
                 bank cannot be called back.",
                "The failed payout stays on record, and asking again makes no second new one.",
            )
            .says("Payout created")
            .errors(RETRYING)
            .strict(),
        finance("admin.payout.cancel", "POST /payment-records/payout/{id}/cancel", cancel)
            .purpose("cancel a payout that is on hold")
            .title("Cancel a payout on hold")
            .acts_on("payout", "id")
            .when::<PayoutStatus>(&[PayoutEvent::Cancel])
            .verb("Cancel the payout")
            .confirm(
                "The payout fails as cancelled, and its money is back in the wallet.",
                "The athlete or agent keeps the money. It can be paid out again.",
            )
            .says("Payout cancelled")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .strict()
            .extension(),
    ]
}

/// Payments in files, and what is left of them.
pub(super) fn books() -> Vec<Entry> {
    vec![
        reports("admin.payment.export_xlsx", "GET /payments-export", exporting::xlsx)
            .purpose("export to spreadsheet")
            .title("Export payments as a spreadsheet")
            .strict()
            .audited()
            .sends(XLSX),
        reports("admin.payment.export_csv", "GET /payments-export-csv", exporting::csv)
            .purpose("export to CSV")
            .title("Export payments as CSV")
            .strict()
            .audited()
            .sends("text/csv; charset=utf-8"),
        finance("admin.payment.revenue", "GET /revenue/{status}", revenue::list)
            .purpose("list revenue records")
            .title("Revenue")
            .columns(MONTHS)
            .strict(),
        finance("admin.payment.wallet_history", "GET /wallet-history/{id}", wallet_history)
            .purpose("wallet history of a user")
            .title("Wallet of a user")
            .columns(ENTRIES),
    ]
}

/// What is withheld, asked for and filed for taxes.
pub(super) fn taxes() -> Vec<Entry> {
    vec![
        finance("admin.tax.set_withholding", "POST /backup-withholding/save", withholding::set)
            .purpose("begin or end backup withholding from payments to an athlete or agent")
            .required_when(A_NOTICE)
            .title("Begin or end backup withholding")
            .acts_on("athlete", "athlete_id")
            .acts_on("agent", "agent_id")
            .verb("Save")
            .confirm(
                "From now on, tax is withheld from payments to this athlete or agent, or no \
                 longer.",
                "Payments that succeeded before stay as they are, also those that are not paid \
                 out yet.",
            )
            .says("Backup withholding saved")
            .strict()
            .extension(),
        finance("admin.tax.list_requests", "GET /tax-form-requests/{status}", asking::list)
            .purpose("list payees who were asked for a tax form, and whose form is missing")
            .title("Requests for tax forms")
            .columns(REQUESTS)
            .extension(),
        finance("admin.tax.export_returns", "GET /information-returns/{year}", returning::export)
            .purpose("export a year's information returns (1099-NEC, 1099-MISC)")
            .title("Export information returns")
            .strict()
            .audited()
            .sends("application/zip")
            .extension(),
        finance("admin.tax.file_returns", "POST /information-returns/{year}/file", filing::file)
            .purpose("record a year's information returns as filed")
            .title("Record information returns as filed")
            .verb("Record as filed")
            .confirm(
                "Every return of the year that is due is recorded as filed, and a corrected one \
                 where the figures have changed since.",
                "What was filed is kept for good. Nothing is sent to the tax office: upload the \
                 files of the export.",
            )
            .says("Returns filed")
            .strict()
            .extension(),
        finance("admin.tax.list_thresholds", "GET /tax-thresholds", thresholds::list)
            .purpose("list the yearly amounts from which payers report")
            .title("Amounts to report")
            .columns(AMOUNTS)
            .extension(),
        finance("admin.tax.save_threshold", "POST /tax-thresholds/save", thresholds::save)
            .purpose("add the amount of a year from which payers report")
            .title("Add an amount to report")
            .verb("Add")
            .says("Amount saved")
            .errors(&[codes::YEAR_FILED])
            .strict()
            .extension(),
    ]
}

/// Subscription plans.
pub(super) fn plans() -> Vec<Entry> {
    vec![
        finance("admin.subscription_plan.save", "POST /brand-subscriptions/save", planning::save)
            .purpose("save a subscription plan")
            .title("Save a subscription plan")
            .acts_on("subscription_plan", "id")
            .verb("Save")
            .says("Plan saved"),
        finance(
            "admin.subscription_plan.set_status",
            "POST /brand-subscriptions/status_update",
            planning::set_status,
        )
        .purpose("activate or deactivate a plan")
        .title("Put a subscription plan on or off sale")
        .acts_on("subscription_plan", "id")
        .verb("Save")
        .says("Plan saved"),
        finance(
            "admin.subscription_plan.list",
            "GET /brand-subscriptions/{status}/{id}",
            planning::list,
        )
        .purpose("list plans")
        .title("Subscription plans")
        .columns(PLANS),
        finance(
            "admin.subscription.refund",
            "POST /brand-subscriptions/refund",
            subscription_refunding::refund,
        )
        .purpose("refund an invoice of a subscription by rule")
        .title("Refund an invoice of a subscription")
        .acts_on("invoice", "invoice_id")
        .verb("Refund")
        .says("Refund submitted")
        .errors(REFUNDING_SUBSCRIPTION)
        .strict()
        .extension(),
    ]
}

/// Queued exports.
pub(super) fn exports() -> Vec<Entry> {
    vec![
        reports("admin.export.request", "POST /export-report-request", requesting::request)
            .purpose("queue an export report")
            .title("Ask for a report")
            .verb("Ask for it")
            .strict()
            .says("Export queued")
            .strict()
            .errors(&[codes::TOO_MANY_EXPORTS]),
        reports("admin.export.process", "GET /export-report-process", making::process)
            .purpose("process a queued export")
            .title("Make the waiting reports now")
            .verb("Make them")
            .says("Exports processed"),
        reports("admin.export.download", "GET /export-report/{code}", sending::download)
            .purpose("download a completed export by code")
            .title("Download a report")
            .audited()
            .errors(&[codes::NOT_READY, codes::EXPORT_FAILED, codes::EXPORT_EXPIRED])
            .sends("*/*"),
        reports("admin.export.list", "GET /export-reports", listing::list)
            .purpose("list the caller's own exports and how far they are")
            .title("Your reports")
            .columns(REPORTS)
            .extension(),
    ]
}
