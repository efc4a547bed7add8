//! No authentication.

use crate::accounts::directory;
use crate::auth::throttle::Throttle;
use crate::backoffice;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, anyone};
use crate::editorial;
use crate::error::codes;
use crate::institutions;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone(
            "core.public.search_athletes",
            Post,
            "/searchAthletePublic",
            "search athletes without login",
            directory::search_athletes,
        )
        .throttled(Throttle::Public),
        anyone(
            "core.public.athlete_directory",
            Post,
            "/athlete-directory",
            "public athlete directory",
            directory::athletes,
        )
        .throttled(Throttle::Public),
        anyone(
            "core.public.brand_directory",
            Post,
            "/brand-directory",
            "public brand directory",
            directory::brands,
        )
        .throttled(Throttle::Public),
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
        anyone(
            "core.public.athlete_share_url",
            Post,
            "/get-athlete-share-url",
            "athlete profile share URL",
            directory::share_url,
        )
        .throttled(Throttle::Public),
        anyone(
            "core.public.athlete_profile",
            Get,
            "/a/{share_slug}",
            "public profile of a listed athlete",
            directory::shared,
        )
        .extension()
        .throttled(Throttle::Public),
    ]
}
