//! What a form about an operation needs beside the schema of its input: the groups of a long one,
//! when a field is required, and the names of fields for people.

use super::Entry;

/// Fields of an input that stand together under a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldGroup {
    /// The heading.
    pub title: &'static str,
    /// The fields, in the order in which they stand there.
    pub fields: &'static [&'static str],
}

/// When a field is required that otherwise can be left out. The operation checks it; a page can
/// tell it before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequiredWhen {
    /// The field.
    pub field: &'static str,
    /// The field that it depends on.
    pub other: &'static str,
    /// The values of the other field with which it is required, as they stand in JSON; none: it is
    /// required if the other one is left out.
    pub values: &'static [&'static str],
}

impl RequiredWhen {
    pub(super) const fn new(
        field: &'static str,
        other: &'static str,
        values: &'static [&'static str],
    ) -> Self {
        Self { field, other, values }
    }
}

impl FieldGroup {
    pub(super) const fn new(title: &'static str, fields: &'static [&'static str]) -> Self {
        Self { title, fields }
    }
}

impl Entry {
    /// Divides a long form. Each field but `id` is in one of the groups.
    pub(super) const fn groups(mut self, groups: &'static [FieldGroup]) -> Self {
        self.groups = groups;
        self
    }

    /// Sets when fields are required that otherwise can be left out.
    pub(super) const fn required_when(mut self, rules: &'static [RequiredWhen]) -> Self {
        self.required_when = rules;
        self
    }
}

/// What a field is called where its name does not do. Other fields are called by their name without
/// its ending (`_id`, `_cents`, `_basis_points`, `_at`).
#[must_use]
pub fn label(field: &str) -> Option<&'static str> {
    let at = LABELS.binary_search_by_key(&field, |(name, _)| *name).ok()?;
    LABELS.get(at).map(|(_, label)| *label)
}

/// Such names, sorted.
pub const LABELS: &[(&str, &str)] = &[
    ("at", "Time"),
    ("before_id", "Before number"),
    ("bio", "About the athlete"),
    ("cover_url", "Address of the cover"),
    ("csrf_token", "Form token"),
    ("etag", "Tag of the part"),
    ("f1", "F-1 visa"),
    ("favicon_url", "Address of the favicon"),
    ("fbc", "Advertising click id"),
    ("fbp", "Advertising browser id"),
    ("hq_city", "City of the head office"),
    ("hq_state", "State of the head office"),
    ("id", "Number"),
    ("ids", "Numbers"),
    ("image_url", "Address of the picture"),
    ("in_app", "In the app"),
    ("inline", "File in place of its address"),
    ("logo_url", "Address of the logo"),
    ("max_cents", "Highest amount"),
    ("media_type", "Type of file"),
    ("mime", "Type of file"),
    ("min_cents", "Lowest amount"),
    ("network_profile_url", "Address of the network profile"),
    ("on_behalf_of", "Acting for"),
    ("p25_cents", "25th percentile"),
    ("p50_cents", "Median"),
    ("p75_cents", "75th percentile"),
    ("per_page", "Rows per page"),
    ("photo_url", "Address of the photo"),
    ("post_urls", "Addresses of the posts"),
    ("q", "Search"),
    ("sha256", "Checksum"),
    ("share_slug", "Name in the shared address"),
    ("slug", "Name in addresses"),
    ("sms", "Text message"),
    ("totp", "Authenticator code"),
    ("totp_on_at", "Two-step log-in since"),
    ("uri", "Address for the app"),
    ("url", "Web address"),
];
