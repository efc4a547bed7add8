//! Accounts of every kind.

use crate::accounts::{partners, portal_admin, suspension};
use crate::catalog::refusals::MAILING;
use crate::catalog::table::Entry;
use crate::catalog::table::operator::{accounts, reports};
use crate::error::codes;
use crate::institutions;

pub(super) fn rows() -> Vec<Entry> {
    vec![
        accounts(
            "admin.athlete.send_verification",
            "GET /athletes/send-email/{id}",
            suspension::send_verification,
        )
        .purpose("send verification email")
        .says("Verification sent")
        .errors(MAILING),
        accounts("admin.partner.list", "GET /partner/{status}/{id}", partners::list)
            .purpose("list partners by status"),
        reports("admin.partner.export_xlsx", "GET /partner-export", partners::export)
            .purpose("export to spreadsheet")
            .on_record()
            .sends("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ]
}

/// University admins (the portal users of institutions) and colleges.
pub(super) fn universities() -> Vec<Entry> {
    vec![
        accounts("admin.university_admin.save", "POST /university-admin/save", portal_admin::save)
            .purpose("create or update")
            .says("Saved")
            .errors(&[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION, codes::TOO_MANY_MAILS]),
        accounts(
            "admin.university_admin.send_verification",
            "GET /university-admin/send-email/{id}",
            portal_admin::send_invitation,
        )
        .purpose("send verification email")
        .says("Invitation sent")
        .errors(MAILING),
        accounts("admin.college.save", "POST /college/save", institutions::admin::save)
            .purpose("create or update a college")
            .says("College saved")
            .errors(&[codes::DUPLICATE])
            .extension(),
    ]
}
