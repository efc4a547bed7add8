//! Editorial content.

use crate::auth::Permission::Content;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, operator};
use crate::editorial::{legal, privacy, publishing};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        operator(
            Content,
            "admin.editorial.save_blog_post",
            Post,
            "/blog/{user_type}/save",
            "save a blog post",
            publishing::save_post,
        )
        .says("Blog post saved")
        .errors(&[codes::DUPLICATE]),
        operator(
            Content,
            "admin.editorial.save_faq",
            Post,
            "/faq/save",
            "save a FAQ entry",
            publishing::save_faq,
        )
        .says("FAQ entry saved"),
        operator(
            Content,
            "admin.editorial.save_legal_terms",
            Post,
            "/legal-terms/save",
            "save legal terms",
            legal::save,
        )
        .says("New version saved"),
        operator(
            Content,
            "admin.editorial.save_testimonial",
            Post,
            "/athlete-testimonials/save",
            "save a testimonial",
            publishing::save_testimonial,
        )
        .says("Testimonial saved"),
        operator(
            Content,
            "admin.editorial.save_custom_page",
            Post,
            "/custom-pages/save",
            "save a custom page",
            publishing::save_page,
        )
        .says("Page saved")
        .errors(&[codes::DUPLICATE]),
        operator(
            Content,
            "admin.editorial.privacy_policy_edits",
            Get,
            "/privacy-policy/edits",
            "list the edits of the privacy policy",
            privacy::edits,
        )
        .extension(),
        operator(
            Content,
            "admin.editorial.restore_privacy_policy",
            Post,
            "/privacy-policy/restore",
            "put an edit of the privacy policy in force",
            privacy::restore,
        )
        .extension()
        .says("In force"),
    ]
}
