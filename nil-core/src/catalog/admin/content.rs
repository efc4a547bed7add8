//! Rosters and editorial content.

use crate::catalog::table::Entry;
use crate::catalog::table::operator::content;
use crate::editorial::privacy::{edits, restore};
use crate::editorial::publishing::{save_page, save_post};
use crate::editorial::{legal, publishing};
use crate::error::codes;
use crate::rosters::admin;
use crate::rosters::admin::{remove_athletes, set_published};

pub(super) fn rosters() -> Vec<Entry> {
    vec![
        content("admin.roster.list", "GET /rosters/{status}/{id}", admin::list)
            .purpose("list rosters"),
        content("admin.roster.save", "POST /rosters/save", admin::save)
            .purpose("create or update a roster")
            .says("Roster saved")
            .errors(&[codes::DUPLICATE]),
        content("admin.roster.add_athletes", "POST /rosters/save-athletes", admin::add_athletes)
            .purpose("add athletes to a roster")
            .says("Athletes added"),
        content("admin.roster.remove_athletes", "POST /rosters/delete-athletes", remove_athletes)
            .purpose("remove athletes from a roster")
            .says("Athletes removed"),
        content("admin.roster.set_published", "POST /rosters/update-publish-status", set_published)
            .purpose("publish or unpublish")
            .says("Roster saved"),
        content("admin.roster.check_url", "POST /rosters/check-url", admin::check_url)
            .purpose("check that a roster URL is available"),
    ]
}

pub(super) fn editorial() -> Vec<Entry> {
    vec![
        content("admin.editorial.save_blog_post", "POST /blog/{user_type}/save", save_post)
            .purpose("save a blog post")
            .says("Blog post saved")
            .errors(&[codes::DUPLICATE]),
        content("admin.editorial.save_faq", "POST /faq/save", publishing::save_faq)
            .purpose("save a FAQ entry")
            .says("FAQ entry saved"),
        content("admin.editorial.save_legal_terms", "POST /legal-terms/save", legal::save)
            .purpose("save legal terms")
            .says("New version saved"),
        content(
            "admin.editorial.save_testimonial",
            "POST /athlete-testimonials/save",
            publishing::save_testimonial,
        )
        .purpose("save a testimonial")
        .says("Testimonial saved"),
        content("admin.editorial.save_custom_page", "POST /custom-pages/save", save_page)
            .purpose("save a custom page")
            .says("Page saved")
            .errors(&[codes::DUPLICATE]),
        content("admin.editorial.privacy_policy_edits", "GET /privacy-policy/edits", edits)
            .purpose("list the edits of the privacy policy")
            .extension(),
        content("admin.editorial.restore_privacy_policy", "POST /privacy-policy/restore", restore)
            .purpose("restore an edit of the privacy policy")
            .says("Privacy policy restored")
            .extension(),
    ]
}
