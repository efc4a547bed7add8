//! Accounts of every kind.

use crate::accounts::managing;
use crate::auth::Permission::Accounts;
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
    ]
}
