//! The rows of what the site says.

pub(super) mod legal;
pub(super) mod privacy;
pub(super) mod publication;
