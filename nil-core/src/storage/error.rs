//! Translates the engines' errors. Only here do named constraints become typed errors.

use std::fmt;

use rusqlite::ErrorCode;

use super::pooling;
use crate::error::{Code, Error, codes};

/// A named constraint and the error for violating it.
pub struct Constraint {
    /// PostgreSQL's name of the constraint.
    pub name: &'static str,
    /// SQLite's message for it: `table.column, table.column`.
    pub columns: &'static str,
    /// The error to return.
    pub code: Code,
}

/// Constraints that callers can violate; violating any other is an internal error.
const CONSTRAINTS: &[Constraint] = &[
    Constraint {
        name: "idempotency_pkey",
        columns: "idempotency.caller, idempotency.key",
        code: codes::AGAIN,
    },
    Constraint { name: "app_user_email_key", columns: "app_user.email", code: codes::EMAIL_TAKEN },
    Constraint {
        name: "portal_user_email_key",
        columns: "portal_user.email",
        code: codes::EMAIL_TAKEN,
    },
    Constraint { name: "operator_email_key", columns: "operator.email", code: codes::EMAIL_TAKEN },
    Constraint { name: "college_slug_key", columns: "college.slug", code: codes::DUPLICATE },
    Constraint { name: "sport_slug_key", columns: "sport.slug", code: codes::DUPLICATE },
    Constraint {
        name: "job_category_slug_key",
        columns: "job_category.slug",
        code: codes::DUPLICATE,
    },
    Constraint {
        name: "business_category_slug_key",
        columns: "business_category.slug",
        code: codes::DUPLICATE,
    },
    Constraint {
        name: "publication_kind_slug_key",
        columns: "publication.kind, publication.slug",
        code: codes::DUPLICATE,
    },
    Constraint { name: "roster_slug_key", columns: "roster.slug", code: codes::DUPLICATE },
    Constraint {
        name: "content_item_name_key",
        columns: "content_item.place, content_item.name_key",
        code: codes::DUPLICATE,
    },
    Constraint {
        name: "announcement_group_name_key",
        columns: "announcement_group.name",
        code: codes::DUPLICATE,
    },
    Constraint {
        name: "application_live_key",
        columns: "application.job_id, application.athlete_id",
        code: codes::ALREADY_APPLIED,
    },
    Constraint {
        name: "service_order_open_key",
        columns: "service_order.offer_id, service_order.partner_id",
        code: codes::ORDER_PENDING,
    },
    Constraint {
        name: "contract_application_key",
        columns: "contract.application_id",
        code: codes::STATE_CHANGED,
    },
    Constraint {
        name: "contract_request_pending_key",
        columns: "contract_request.contract_id, contract_request.kind",
        code: codes::REQUEST_PENDING,
    },
    Constraint {
        name: "payout_wallet_live_key",
        columns: "payout.wallet",
        code: codes::PAYOUT_IN_PROGRESS,
    },
    Constraint {
        name: "representation_active_key",
        columns: "representation.athlete_id",
        code: codes::ALREADY_REPRESENTED,
    },
    Constraint {
        name: "representation_invited_key",
        columns: "representation.agent_id, representation.athlete_id",
        code: codes::ALREADY_INVITED,
    },
    Constraint {
        name: "representation_addressed_key",
        columns: "representation.agent_id, representation.email",
        code: codes::ALREADY_INVITED,
    },
    // Two workers bill the same fees concurrently: the second finds them billed.
    Constraint {
        name: "invoice_line_payment_key",
        columns: "invoice_line.payment_id",
        code: codes::AGAIN,
    },
    Constraint {
        name: "invoice_line_refund_key",
        columns: "invoice_line.refund_id",
        code: codes::AGAIN,
    },
    Constraint {
        name: "subscription_partner_live_key",
        columns: "subscription.partner_id",
        code: codes::ALREADY_SUBSCRIBED,
    },
    Constraint {
        name: "subscription_agent_live_key",
        columns: "subscription.agent_id",
        code: codes::ALREADY_SUBSCRIBED,
    },
    // Two workers bill the same period concurrently: the second finds it billed.
    Constraint {
        name: "subscription_period_number_key",
        columns: "subscription_period.subscription_id, subscription_period.number",
        code: codes::AGAIN,
    },
    Constraint {
        name: "subscription_charge_live_key",
        columns: "subscription_charge.period_id",
        code: codes::AGAIN,
    },
    // Two concurrent statements of one person: the second is the next version.
    Constraint {
        name: "tax_form_version_key",
        columns: "tax_form.owner, tax_form.version",
        code: codes::AGAIN,
    },
    Constraint { name: "tax_form_current_key", columns: "tax_form.owner", code: codes::AGAIN },
    Constraint {
        name: "backup_withholding_open_key",
        columns: "backup_withholding.owner",
        code: codes::AGAIN,
    },
    Constraint {
        name: "subscription_charge_change_key",
        columns: "subscription_charge.change_id",
        code: codes::AGAIN,
    },
    Constraint {
        name: "subscription_change_pending_key",
        columns: "subscription_change.subscription_id",
        code: codes::AGAIN,
    },
    Constraint {
        name: "subscription_change_scheduled_key",
        columns: "subscription_change.subscription_id",
        code: codes::AGAIN,
    },
    // Two concurrent first cards: the second retries and finds the first.
    Constraint {
        name: "payment_method_default_key",
        columns: "payment_method.owner",
        code: codes::AGAIN,
    },
    Constraint {
        name: "payment_method_reference_key",
        columns: "payment_method.owner, payment_method.processor_ref",
        code: codes::AGAIN,
    },
    Constraint { name: "payout_retry_key", columns: "payout.retry_of", code: codes::AGAIN },
    // A duplicate link code is drawn again; the second of two reports of a sale finds the first.
    Constraint {
        name: "affiliate_link_code_key",
        columns: "affiliate_link.code",
        code: codes::AGAIN,
    },
    Constraint {
        name: "affiliate_link_royalty_key",
        columns: "affiliate_link.contract_id",
        code: codes::AGAIN,
    },
    Constraint {
        name: "affiliate_conversion_order_key",
        columns: "affiliate_conversion.link_id, affiliate_conversion.order_reference",
        code: codes::AGAIN,
    },
    // Two workers seal the audit trail concurrently: the second continues after the first.
    Constraint { name: "audit_seal_pkey", columns: "audit_seal.position", code: codes::AGAIN },
    Constraint { name: "audit_seal_entry_key", columns: "audit_seal.audit_id", code: codes::AGAIN },
];

/// The cause of an internal error: a statement broke a constraint that is not in the list, which is
/// a fault of the platform. Its text is the engine's, for the log; people are told something else.
#[derive(Debug)]
pub struct Violation(String);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Violation {}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(database) => {
                let state = database.code().unwrap_or_default().into_owned();
                let text = database.message().to_owned();
                if let Some(code) = named(database.constraint(), &text) {
                    return Self::from(code).because(error);
                }
                // Class 23: an integrity constraint.
                if state.starts_with("23") {
                    return Self::internal(Violation(error.to_string()));
                }
                match state.as_str() {
                    // Serialisation failure, deadlock, lock time-out.
                    "40001" | "40P01" | "55P03" => codes::AGAIN.into(),
                    // A prepared statement is there already, or is not: another connection's
                    // session.
                    "42P05" | "26000" => codes::UNAVAILABLE.saying(pooling::SHARED),
                    // Disk full.
                    "53100" => codes::STORAGE_FULL.into(),
                    // Out of memory, too many connections; a statement that took too long; shutting
                    // down, crashed, starting up, dropped, idle for too long (57P0x, 25P03); a
                    // read-only server, such as a standby.
                    "53200" | "53300" | "57014" | "57P01" | "57P02" | "57P03" | "57P04"
                    | "57P05" | "25P03" | "25006" => codes::UNAVAILABLE.into(),
                    // The connection broke.
                    state if state.len() == 5 && state.starts_with("08") => {
                        codes::UNAVAILABLE.into()
                    }
                    _ => codes::INTERNAL.into(),
                }
            }
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::Io(_) => codes::UNAVAILABLE.into(),
            _ => Self::from(codes::INTERNAL),
        }
        .because(error)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        let rusqlite::Error::SqliteFailure(failure, text) = &error else {
            return Self::from(codes::INTERNAL).because(error);
        };
        let code = match failure.code {
            ErrorCode::ConstraintViolation => {
                match text.as_deref().and_then(|text| named(None, text)) {
                    Some(code) => code,
                    None => return Self::internal(Violation(error.to_string())),
                }
            }
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => codes::AGAIN,
            ErrorCode::DiskFull => codes::STORAGE_FULL,
            // It took too long; the file or the memory is unavailable; the file is read-only.
            ErrorCode::OperationInterrupted
            | ErrorCode::CannotOpen
            | ErrorCode::OutOfMemory
            | ErrorCode::SystemIoFailure
            | ErrorCode::ReadOnly => codes::UNAVAILABLE,
            _ => codes::INTERNAL,
        };
        Self::from(code).because(error)
    }
}

fn named(constraint: Option<&str>, text: &str) -> Option<Code> {
    let columns = text.strip_prefix("UNIQUE constraint failed: ");
    CONSTRAINTS
        .iter()
        .find(|known| constraint == Some(known.name) || columns == Some(known.columns))
        .map(|known| known.code)
}
