//! What the site says of itself, for everybody to read.

use crate::announcements;
use crate::auth::throttle::Throttle;
use crate::catalog::Method::Get;
use crate::catalog::row::{Entry, anyone};
use crate::editorial::{legal, privacy, reading};

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone(
            "core.public.privacy_policy",
            Get,
            "/privacy-policy",
            "read the privacy policy",
            privacy::read,
        ),
        anyone(
            "core.public.legal_terms",
            Get,
            "/legal-terms/{kind}",
            "read a legal document",
            legal::read,
        ),
        anyone("core.public.faq", Get, "/faq", "list questions with answers", reading::faq),
        anyone("core.public.blog", Get, "/blog", "list blog posts", reading::blog),
        anyone("core.public.blog_post", Get, "/blog/{slug}", "read a blog post", reading::post),
        anyone(
            "core.public.testimonials",
            Get,
            "/testimonials",
            "list testimonials",
            reading::testimonials,
        ),
        anyone("core.public.custom_page", Get, "/pages/{slug}", "read a page", reading::page),
        anyone(
            "core.public.announcements",
            Get,
            "/announcements",
            "list the announcements for the caller",
            announcements::reading::list,
        ),
    ]
    .into_iter()
    .map(|row| row.throttled(Throttle::Public).extension())
    .collect()
}
