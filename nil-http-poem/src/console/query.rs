//! The view that an address asks for: the pairs of its query.

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
}
