//! The designed screens: one row for each, with the file that makes it.

use futures::future::{BoxFuture, FutureExt as _, ready};
use nil_core::Result;

use super::{Form, Outcome, operators, portal};
use crate::console::call::Page;
use crate::console::nav::{CONSOLE, PORTAL};
use crate::console::side::Side;

/// Makes a page.
type Get = for<'p> fn(&'p Page<'p>) -> BoxFuture<'p, Result<Outcome>>;
/// Does what the form of a page asks for.
type Post = for<'p> fn(&'p Page<'p>, Form) -> BoxFuture<'p, Result<Outcome>>;

/// A screen that is made for the work, in place of generated ones.
pub(in crate::console) struct Screen {
    pub side: &'static Side,
    /// Below the side's base; `{id}` is the number of a record.
    pub path: &'static str,
    /// The operation without which the screen shows nothing.
    pub needs: &'static str,
    pub get: Get,
    pub post: Option<Post>,
}

pub(in crate::console) static SCREENS: &[Screen] = &[
    Screen {
        side: &PORTAL,
        path: "",
        needs: "inbox.list",
        get: |page| portal::inbox::get(page).boxed(),
        post: Some(|page, form| portal::inbox::post(page, form).boxed()),
    },
    Screen {
        side: &PORTAL,
        path: "/deals/{id}",
        needs: "disclosed_job.detail",
        get: |page| portal::review::get(page).boxed(),
        post: Some(|page, form| portal::review::post(page, form).boxed()),
    },
    Screen {
        side: &PORTAL,
        path: "/transactions",
        needs: "transaction.list",
        get: |page| portal::transactions::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &PORTAL,
        path: "/athletes",
        needs: "athlete.list",
        get: |page| portal::athletes::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &PORTAL,
        path: "/athletes/{id}",
        needs: "athlete.list",
        get: |page| portal::athlete::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &PORTAL,
        path: "/deals",
        needs: "disclosed_job.list",
        get: |page| portal::deals::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &PORTAL,
        path: "/clearances",
        needs: "clearance.list",
        get: |page| portal::clearances::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &PORTAL,
        path: "/clearances/{id}",
        needs: "clearance.detail",
        get: |page| portal::clearance::get(page).boxed(),
        post: Some(|page, form| portal::clearance::post(page, form).boxed()),
    },
    Screen {
        side: &PORTAL,
        path: "/filings",
        needs: "disclosure.list",
        get: |page| portal::filings::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &PORTAL,
        path: "/filings/{id}",
        needs: "disclosure.detail",
        get: |page| portal::filing::get(page).boxed(),
        post: Some(|page, form| portal::filing::post(page, form).boxed()),
    },
    Screen {
        side: &PORTAL,
        path: "/trail",
        needs: "audit.list",
        get: |page| portal::trail::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &PORTAL,
        path: "/rules",
        needs: "college.settings",
        get: |page| portal::rules::get(page).boxed(),
        post: Some(|page, form| portal::rules::post(page, form).boxed()),
    },
    Screen {
        side: &PORTAL,
        path: "/team",
        needs: "portal_user.list",
        get: |page| portal::team::get(page).boxed(),
        post: Some(|page, form| portal::team::post(page, form).boxed()),
    },
    Screen {
        side: &PORTAL,
        path: "/analytics",
        needs: "analytics.by_sport",
        get: |page| portal::analytics::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &PORTAL,
        path: "/statistics",
        needs: "statistics.show",
        get: |page| portal::statistics::get(page).boxed(),
        post: Some(|page, form| portal::statistics::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "",
        needs: "dashboard.view",
        get: |page| operators::today::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/payments",
        needs: "payment.list",
        get: |page| operators::payments::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/payments/{id}/refund",
        needs: "payment.preview_refund",
        get: |page| operators::refund::get(page).boxed(),
        post: Some(|page, form| operators::refund::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/payouts",
        needs: "payout.list",
        get: |page| operators::payouts::get(page).boxed(),
        post: Some(|page, form| operators::payouts::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/disputes",
        needs: "dispute.list",
        get: |page| operators::disputes::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/disputes/{id}",
        needs: "dispute.view",
        get: |page| operators::dispute::get(page).boxed(),
        post: Some(|page, form| operators::dispute::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/differences",
        needs: "processor_difference.list",
        get: |page| operators::differences::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/differences/{id}",
        needs: "processor_difference.view",
        get: |page| operators::difference::get(page).boxed(),
        post: Some(|page, form| operators::difference::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/requests",
        needs: "processor_request.list",
        get: |page| operators::requests::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/requests/decide",
        needs: "processor_request.list",
        get: |page| operators::request::get(page).boxed(),
        post: Some(|page, form| operators::request::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/revenue",
        needs: "payment.revenue",
        get: |page| operators::payments::revenue(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/tax-forms",
        needs: "tax.list_requests",
        get: |page| operators::payments::tax_forms(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/jobs",
        needs: "job.list",
        get: |page| operators::jobs::list(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/jobs/{id}",
        needs: "job.view",
        get: |page| operators::jobs::get(page).boxed(),
        post: Some(|page, form| operators::jobs::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/athletes",
        needs: "athlete.list",
        get: |page| operators::people::athletes(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/athletes/{id}",
        needs: "athlete.view",
        get: |page| operators::account::athlete(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/athletes/{id}/close",
        needs: "athlete.view",
        get: |page| operators::closing::get(page).boxed(),
        post: Some(|page, form| operators::closing::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/partners",
        needs: "partner.list",
        get: |page| operators::people::partners(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/partners/{id}",
        needs: "partner.view",
        get: |page| operators::account::partner(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/partners/{id}/close",
        needs: "partner.view",
        get: |page| operators::closing::get(page).boxed(),
        post: Some(|page, form| operators::closing::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/agents",
        needs: "agent.list",
        get: |page| operators::people::agents(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/agents/{id}",
        needs: "agent.view",
        get: |page| operators::account::agent(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/agents/{id}/close",
        needs: "agent.view",
        get: |page| operators::closing::get(page).boxed(),
        post: Some(|page, form| operators::closing::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/universities",
        needs: "college.list",
        get: |page| operators::people::universities(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/settings",
        needs: "site.settings",
        get: |page| operators::settings::get(page).boxed(),
        post: Some(|page, form| operators::settings::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/audit",
        needs: "audit.list",
        get: |page| operators::audit::get(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/reports",
        needs: "export.list",
        get: |page| operators::reports::get(page).boxed(),
        post: Some(|page, form| operators::reports::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/templates",
        needs: "email_template.list",
        get: |page| operators::templates::list(page).boxed(),
        post: None,
    },
    Screen {
        side: &CONSOLE,
        path: "/templates/{id}",
        needs: "email_template.list",
        get: |page| operators::templates::get(page).boxed(),
        post: Some(|page, form| operators::templates::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/library",
        needs: "content.browse",
        get: |page| operators::library::get(page).boxed(),
        post: Some(|page, form| operators::library::post(page, form).boxed()),
    },
    Screen {
        side: &CONSOLE,
        path: "/library/parts",
        needs: "content.browse",
        get: |page| ready(Ok(operators::parts::get(page))).boxed(),
        post: Some(|page, form| operators::parts::post(page, form).boxed()),
    },
];

impl Screen {
    /// The screen at a path.
    pub(super) fn find(side: &Side, path: &str) -> Option<&'static Self> {
        SCREENS.iter().find(|screen| *screen.side == *side && screen.is_at(path))
    }

    /// The screen of one record of a kind: its operation has the kind's name, its path ends with
    /// the number.
    pub(super) fn of_record(side: &Side, kind: &str) -> Option<&'static Self> {
        let is_of = |screen: &&Self| {
            let noun = screen.needs.split('.').next();
            *screen.side == *side && screen.path.ends_with("/{id}") && noun == Some(kind)
        };
        SCREENS.iter().find(is_of)
    }

    /// The screen of a list.
    pub(super) fn of_list(side: &Side, short: &str) -> Option<&'static Self> {
        let is_of = |screen: &&Self| {
            *screen.side == *side && screen.needs == short && !screen.path.contains("{id}")
        };
        SCREENS.iter().find(is_of)
    }

    fn is_at(&self, path: &str) -> bool {
        let (mut own, mut asked) = (self.path.split('/'), path.split('/'));
        loop {
            match (own.next(), asked.next()) {
                (None, None) => return true,
                (Some("{id}"), Some(id)) if is_number(id) => {}
                (Some(own), Some(asked)) if own == asked => {}
                _ => return false,
            }
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() < 19 && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_screen_needs_an_operation_that_reads() {
        for screen in SCREENS {
            let entry = screen.side.entry(screen.needs);
            let entry = entry.unwrap_or_else(|| panic!("{}: {}", screen.path, screen.needs));
            assert!(!entry.writes(), "{}", screen.path);
        }
    }

    #[test]
    fn no_address_has_two_screens() {
        for (at, screen) in SCREENS.iter().enumerate() {
            let same = |other: &Screen| other.path == screen.path && *other.side == *screen.side;
            assert!(!SCREENS.iter().skip(at + 1).any(same), "{}", screen.path);
        }
    }

    #[test]
    fn the_navigation_leads_to_screens_and_operations() {
        for side in [&PORTAL, &CONSOLE] {
            for place in side.sections.iter().flat_map(|section| section.places) {
                assert!(side.entry(place.needs).is_some(), "{}", place.title);
                let leads = match place.path.strip_prefix("/op/") {
                    Some(short) => side.entry(short).is_some(),
                    None => Screen::find(side, place.path).is_some(),
                };
                assert!(leads, "{}", place.title);
            }
        }
    }
}
