//! Officers' calendars of deadlines.

use crate::auth::Permission;
use crate::calendar::{keeping, reading};
use crate::catalog::table::portal::viewer;
use crate::catalog::table::{Entry, anyone, extensions};
use crate::error::codes;
use crate::throttle::Throttle;

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        viewer("compliance.calendar.show", "GET /calendar-feed", keeping::show_to_officer)
            .purpose("show whether the officer's calendar has an address")
            .title("Your calendar")
            .for_impersonators(Permission::Accounts),
        viewer("compliance.calendar.make", "POST /calendar-feed", keeping::make_for_officer)
            .purpose("make the secret address of the officer's calendar")
            .title("Make your calendar's address")
            .verb("Make")
            .confirm(
                "A new address is made and shown once. Whoever knows it reads the calendar.",
                "An earlier address stops.",
            )
            .says("Address made")
            .credentials(),
        viewer("compliance.calendar.revoke", "DELETE /calendar-feed", keeping::revoke_for_officer)
            .purpose("revoke the address of the officer's calendar")
            .title("Revoke your calendar's address")
            .verb("Revoke")
            .confirm(
                "Calendar programs cannot read the address any more.",
                "What they have read stays with them. You can make a new address.",
            )
            .says("Address revoked"),
        anyone("compliance.calendar.read", "GET /calendar/{name}", reading::of_officer)
            .purpose("read an officer's calendar by its secret address")
            .title("Calendar")
            .errors(&[codes::NOT_FOUND])
            .throttled(Throttle::Public)
            .opened_by("name")
            .revalidated()
            .sends("text/calendar; charset=utf-8")
            .audited(),
    ])
}
