//! The view that an address asks for: the pairs of its query.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The pairs of a query or a form, in their order. Empty values are left out of addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct Query(pub Vec<(String, String)>);

impl Query {
    pub(super) fn read(text: &str) -> Self {
        let pairs = form_urlencoded::parse(text.as_bytes());
        Self(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// The first value of a name that is not empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(given, value)| given == name && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    /// The values of a name that are not empty.
    pub(super) fn all<'q>(&'q self, name: &'q str) -> impl Iterator<Item = &'q str> {
        let of = self.0.iter().filter(move |(given, value)| given == name && !value.is_empty());
        of.map(|(_, value)| value.as_str())
    }

    /// Whether a value is empty, so that its address can be shorter.
    pub(super) fn has_empty(&self) -> bool {
        self.0.iter().any(|(_, value)| value.is_empty())
    }

    /// The same view with one name set to this value, or without it.
    pub(super) fn with(&self, name: &str, value: Option<&str>) -> Self {
        let mut others = self.without(&[name]);
        others.0.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        others
    }

    /// The same view without these names.
    pub(super) fn without(&self, names: &[&str]) -> Self {
        Self(self.0.iter().filter(|(name, _)| !names.contains(&name.as_str())).cloned().collect())
    }

    /// The same form without the entries of lists in which nothing was filled in. The entries that
    /// stay are counted anew, as whoever reads them counts them.
    pub(super) fn without_empty_entries(&self) -> Self {
        let mut filled: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (name, _) in self.0.iter().filter(|(_, value)| !value.trim().is_empty()) {
            for (list, at, _) in entries(name) {
                filled.entry(list).or_default().insert(at);
            }
        }
        let rank = |list: &str, at: usize| {
            let all = filled.get(list)?;
            all.contains(&at).then(|| all.range(..at).count())
        };
        let renamed = |name: &str| {
            let (mut new, mut rest) = (String::new(), name);
            for (list, at, after) in entries(name) {
                let before = name.len() - rest.len();
                let _ = write!(new, "{}{}", list.get(before..)?, rank(list, at)?);
                rest = after;
            }
            Some(new + rest)
        };
        let kept = |(name, value): &(String, String)| Some((renamed(name)?, value.clone()));
        Self(self.0.iter().filter_map(kept).collect())
    }

    /// The query of an address, with its `?`; empty without pairs.
    pub(super) fn address(&self) -> String {
        let mut text = form_urlencoded::Serializer::new(String::new());
        for (name, value) in self.0.iter().filter(|(_, value)| !value.is_empty()) {
            text.append_pair(name, value);
        }
        let text = text.finish();
        let mut address = String::new();
        if !text.is_empty() {
            let _ = write!(address, "?{text}");
        }
        address
    }
}

/// The entries of lists that a field stands in, the outermost first: the list's name with the dot
/// behind it, the number of the entry, and what follows the number.
fn entries(name: &str) -> impl Iterator<Item = (&str, usize, &str)> {
    let dots = name.match_indices('.').map(|(at, _)| at + 1);
    dots.filter_map(|start| {
        let (list, rest) = name.split_at_checked(start)?;
        let end = rest.find('.').unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(end)?;
        Some((list, number.parse().ok()?, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_keeps_what_is_not_changed() {
        let view = Query::read("q=deli+%26+co&sport_ids=1&sport_ids=2&to=&after=x");
        assert!(view.has_empty());
        assert_eq!(view.get("to"), None);
        assert_eq!(view.all("sport_ids").count(), 2);
        let next = view.with("after", Some("y")).address();
        assert_eq!(next, "?q=deli+%26+co&sport_ids=1&sport_ids=2&after=y");
        assert_eq!(Query::read("a=").address(), "");
    }
    #[test]
    fn entries_that_are_left_empty_are_dropped() {
        let form = Query::read(
            "name=&steps.0.title=&steps.0.cents=+&steps.3.title=Visit&steps.3.days.0.on=\
             &steps.3.days.2.on=mon&steps.12.title=Post&version.2=&q=1.5",
        );
        let kept = form.without_empty_entries().0;
        let kept: Vec<String> =
            kept.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let wanted = [
            "name=",
            "steps.0.title=Visit",
            "steps.0.days.0.on=mon",
            "steps.1.title=Post",
            "q=1.5",
        ];
        assert_eq!(kept, wanted);
    }
}
