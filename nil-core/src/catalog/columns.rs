//! The columns of lists, for tables that people read.

use super::Entry;

impl Entry {
    /// Sets the fields of the list's rows in the order in which they are columns: first the one
    /// that tells people which record it is, then what says most about it. A table shows the first
    /// six unless somebody chooses others; fields that are not named follow.
    pub(super) const fn columns(mut self, fields: &'static [&'static str]) -> Self {
        self.columns = fields;
        self
    }
}

/// The columns of accounts of the portal.
pub(super) const PORTAL_USERS: &[&str] =
    &["name", "status", "role", "email", "last_login_at", "totp_on_at", "sport_ids", "created_at"];

/// The columns of applications for a job.
pub(super) const APPLICATIONS: &[&str] =
    &["athlete_id", "status", "proposed_amount_cents", "created_at", "source", "pitch", "reason"];

/// The columns of categories.
pub(super) const CATEGORIES: &[&str] = &["name", "active", "position", "sensitive", "slug"];

/// The columns of posts, questions, testimonials and pages.
pub(super) const PUBLICATIONS: &[&str] =
    &["title", "kind", "audience", "position", "published_at", "updated_at", "slug", "byline"];

/// The columns of texts for messages.
pub(super) const TEMPLATES: &[&str] =
    &["event", "channel", "enabled", "subject", "is_default", "updated_at", "problem", "version"];

/// The columns of folders and files.
pub(super) const CONTENT: &[&str] = &["name", "kind", "updated_at", "created_at", "deleted_at"];
