//! The rows of the site's own content.

pub(super) mod legal;
pub(super) mod privacy;
pub(super) mod publication;
