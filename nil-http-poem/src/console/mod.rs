//! The compliance portal and the operators' console in the browser (decision 67).
//!
//! A page calls operations as the person who is signed in, and nothing else. `side` and `nav` say
//! what the two sites are, `session` and `signing_on` sign people in, `call` makes the calls,
//! `describe` reads the catalog, `form`, `picks`, `reading`, `table` and `cells` show inputs and
//! answers, `counts` tells what waits, `views` keeps named views, `frame` and `refusal` are around
//! them, `texts` has the words, `screens` the pages.

mod bars;
mod call;
mod cells;
mod chart;
mod cookies;
mod counts;
mod describe;
mod files;
mod form;
mod frame;
mod icons;
mod kept;
mod nav;
mod part;
mod picks;
mod query;
mod reading;
mod refusal;
mod screens;
mod session;
mod side;
mod signing_on;
mod table;
mod texts;
mod views;
mod words;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use hyper::Response;
use nil_core::catalog::Interface;
use nil_core::http::{Desk, Outgoing, Pages, Site, Visit};
use poem::http::{HeaderMap, Method};

use side::Side;

/// The pages of the portal (`/portal`, for officers of institutions) and of the console
/// (`/console`, for operators). A site shows those of its interfaces; give it to
/// [`SiteOptions::pages`](nil_core::http::SiteOptions).
#[derive(Debug, Default)]
pub struct Console {
    kept: kept::KeptAnswers,
}

impl Console {
    /// The pages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// A page that is made for the work of a side, in place of the page of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesignedPage {
    /// The interface whose users it is for.
    pub interface: Interface,
    /// Its address below the side's, such as `/deals/{id}` with the number of a record.
    pub path: &'static str,
    /// The operation without which it shows nothing: whoever may not call it is refused.
    pub needs: &'static str,
}

impl Console {
    /// Every designed page. All other operations have a page at `/op/NAME`.
    pub fn designed() -> impl Iterator<Item = DesignedPage> {
        screens::SCREENS.iter().filter_map(|screen| {
            let interface = screen.side.interface;
            let needs = screen.side.entry(screen.needs)?.name;
            Some(DesignedPage { interface, path: screen.path, needs })
        })
    }
}

impl Pages for Console {
    fn own(&self, site: &Site, path: &str) -> bool {
        path.starts_with(files::BASE) || Side::of(path).is_some_and(|(side, _)| side.is_of(site))
    }

    fn entrances(&self) -> &[(Interface, &'static str, &'static str)] {
        const ENTRANCES: [(Interface, &str, &str); 2] = [
            (Interface::Compliance, "The compliance portal of an institution", "/portal"),
            (Interface::Admin, "The operators' console", "/console"),
        ];
        &ENTRANCES
    }

    fn signed_in_at<'v>(
        &'v self,
        desk: Desk<'v>,
        headers: &'v HeaderMap,
    ) -> BoxFuture<'v, Vec<&'static str>> {
        async move {
            let mut known = Vec::new();
            for side in [&nav::PORTAL, &nav::CONSOLE] {
                if let Ok(Some(_)) = session::signed_in(desk, headers, side).await {
                    known.push(side.base);
                }
            }
            known
        }
        .boxed()
    }

    fn answer<'v>(&'v self, visit: Visit<'v>) -> BoxFuture<'v, Response<Outgoing>> {
        let language = texts::chosen(visit.headers());
        texts::in_language(language, answer(visit, &self.kept)).boxed()
    }
}

async fn answer(mut visit: Visit<'_>, kept: &kept::KeptAnswers) -> Response<Outgoing> {
    if let Some(file) = visit.path().strip_prefix(files::BASE) {
        return files::find(file, visit.headers()).unwrap_or_else(|| frame::missing(visit.desk()));
    }
    let Some((side, path)) = Side::of(visit.path()) else {
        return frame::missing(visit.desk());
    };
    let path = path.strip_suffix('/').unwrap_or(path);
    match *visit.method() {
        Method::GET | Method::HEAD => screens::get(&mut visit, (side, kept), path).await,
        Method::POST => screens::post(&mut visit, (side, kept), path).await,
        _ => frame::missing(visit.desk()),
    }
}
