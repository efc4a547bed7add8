//! Athletes' calendars of deadlines.

use crate::auth::Permission;
use crate::calendar::{keeping, reading};
use crate::catalog::table::{Entry, anyone, athlete, extensions};
use crate::error::codes;
use crate::throttle::Throttle;

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        athlete("core.calendar.show", "GET /calendar-feed", keeping::show_to_athlete)
            .purpose("show whether the athlete's calendar has an address")
            .for_impersonators(Permission::Accounts),
        athlete("core.calendar.make", "POST /calendar-feed", keeping::make_for_athlete)
            .purpose("make the secret address of the athlete's calendar")
            .says("Address made")
            .credentials(),
        athlete("core.calendar.revoke", "DELETE /calendar-feed", keeping::revoke_for_athlete)
            .purpose("revoke the address of the athlete's calendar")
            .says("Address revoked"),
        anyone("core.calendar.read", "GET /calendar/{name}", reading::of_athlete)
            .purpose("read an athlete's calendar by its secret address")
            .errors(&[codes::NOT_FOUND])
            .throttled(Throttle::Public)
            .opened_by("name")
            .revalidated()
            .sends("text/calendar; charset=utf-8")
            .audited(),
    ])
}
