//! The two sites that stand in one house: the portal of an institution's officers, and the console
//! of the platform's operators.

use nil_core::catalog::{Entry, Interface, catalog};
use nil_core::http::Site;

/// One of the two.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Side {
    /// Where its pages are, below the site's prefix.
    pub base: &'static str,
    pub interface: Interface,
    /// What its operations' names begin with.
    pub prefix: &'static str,
    /// The session's cookie.
    pub cookie: &'static str,
    /// What its sign-in says it leads to: the key of a text, like all words of a side.
    pub leads_to: &'static str,
    /// What stands below the name in the navigation.
    pub kind: &'static str,
    pub log_in: &'static str,
    pub log_out: &'static str,
    pub sections: &'static [Section],
}

/// A part of the navigation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// Its heading; empty for the first.
    pub title: &'static str,
    pub places: &'static [Place],
}

/// A link of the navigation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub title: &'static str,
    /// Below the side's base; empty is the first page.
    pub path: &'static str,
    pub icon: super::icons::Icon,
    /// The operation without which the page shows nothing: who may not call it, sees no link.
    pub needs: &'static str,
}

impl Side {
    /// The side that a path belongs to, and the path below its base.
    pub(super) fn of(path: &str) -> Option<(&'static Self, &str)> {
        [&super::nav::PORTAL, &super::nav::CONSOLE].into_iter().find_map(|side| {
            let below = path.strip_prefix(side.base)?;
            (below.is_empty() || below.starts_with('/')).then_some((side, below))
        })
    }

    /// Whether the site has this side.
    pub(super) fn is_of(&self, site: &Site) -> bool {
        site.has(self.interface)
    }

    /// The operation of this short name, such as `payment.list`.
    pub(super) fn entry(&self, short: &str) -> Option<&'static Entry> {
        let entry = catalog().named(&format!("{}{short}", self.prefix))?;
        (entry.interface == self.interface).then_some(entry)
    }

    /// The name of an operation below this side.
    pub(super) fn short(&self, entry: &Entry) -> &'static str {
        entry.name.strip_prefix(self.prefix).unwrap_or(entry.name)
    }
}

/// Whether a page may read with this operation: it changes nothing.
pub(super) fn reads(entry: &Entry) -> bool {
    !entry.writes()
}
