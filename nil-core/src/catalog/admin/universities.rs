//! University admins (the portal users of institutions) and colleges.

use crate::accounts::portal_managing;
use crate::auth::Permission::Accounts;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, operator};
use crate::error::codes;
use crate::institutions;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        operator(
            Accounts,
            "admin.university_admin.save",
            Post,
            "/university-admin/save",
            "create or update",
            portal_managing::save,
        )
        .says("Saved")
        .errors(&[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION, codes::TOO_MANY_MAILS]),
        operator(
            Accounts,
            "admin.university_admin.send_verification",
            Get,
            "/university-admin/send-email/{id}",
            "send verification email",
            portal_managing::send_invitation,
        )
        .mutates()
        .says("Invitation sent")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::TOO_MANY_MAILS]),
        operator(
            Accounts,
            "admin.college.save",
            Post,
            "/college/save",
            "create or update a college",
            institutions::managing::save,
        )
        .extension()
        .says("College saved")
        .errors(&[codes::DUPLICATE]),
    ]
}
