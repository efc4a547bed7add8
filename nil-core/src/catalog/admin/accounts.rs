//! Accounts of every kind.

use crate::accounts::managing;
use crate::accounts::partners;
use crate::auth::Permission::{Accounts, Reports};
use crate::catalog::Method::Get;
use crate::catalog::row::{Entry, operator};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        operator(
            Accounts,
            "admin.athlete.send_verification",
            Get,
            "/athletes/send-email/{id}",
            "send verification email",
            managing::send_verification,
        )
        .mutates()
        .says("Verification sent")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::TOO_MANY_MAILS]),
        operator(
            Accounts,
            "admin.partner.list",
            Get,
            "/partner/{status}/{id}",
            "list partners by status",
            partners::list,
        ),
        operator(
            Reports,
            "admin.partner.export_xlsx",
            Get,
            "/partner-export",
            "export to spreadsheet",
            partners::export,
        )
        .sends("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ]
}
