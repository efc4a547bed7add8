//! No authentication.

use crate::auth::throttle::Throttle;
use crate::backoffice;
use crate::catalog::row::Method::{Get, Post};
use crate::catalog::row::{Entry, anyone};
use crate::editorial;
use crate::error::codes;
use crate::institutions;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone(
            "core.public.site_config",
            Get,
            "/site_config",
            "site configuration",
            backoffice::site::view,
        )
        .throttled(Throttle::Public),
        anyone(
            "core.public.colleges",
            Post,
            "/listColleges",
            "list colleges and universities",
            institutions::browsing::list,
        )
        .throttled(Throttle::Public),
        anyone(
            "core.public.edit_privacy_policy",
            Post,
            "/editPrivacyPolicy",
            "edit privacy policy (open)",
            editorial::privacy::edit,
        )
        .throttled(Throttle::Public)
        .says("Edit taken")
        .errors(&[codes::UNAUTHENTICATED]),
    ]
}
