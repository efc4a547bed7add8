//! The site's folders and files, rosters, and editorial content.

use crate::catalog::table::operator::content;
use crate::catalog::table::{Entry, Takes, anyone};
use crate::content_library::sending::download;
use crate::content_library::uploading::{complete, create, receive, sign};
use crate::content_library::{arranging, browsing, saving, sending, uploading};
use crate::editorial::privacy::{edits, restore};
use crate::editorial::publishing::{save_page, save_post};
use crate::editorial::{legal, listing, publishing};
use crate::error::{Code, codes};
use crate::rosters::admin;
use crate::rosters::admin::{remove_athletes, set_published};
use crate::throttle::Throttle;

/// The refusals of an upload that is over.
const ENDED: &[Code] = &[codes::UPLOAD_ENDED, codes::UPLOAD_EXPIRED, codes::ILLEGAL_TRANSITION];

pub(super) fn library() -> Vec<Entry> {
    vec![
        content("admin.content.browse", "GET /content-management/{parent_id}", browsing::browse)
            .purpose("browse files and folders"),
        content("admin.content.save", "POST /content-management/save", saving::save)
            .purpose("save a file or folder")
            .says("Saved")
            .errors(&[
                codes::DUPLICATE,
                codes::FOLDER_DELETED,
                codes::UPLOAD_ENDED,
                codes::MALFORMED_FORM,
                codes::STORAGE_FULL,
            ])
            .takes(Takes::FileForm),
        content("admin.content.multipart_create", "POST /content/multipart/create", create)
            .purpose("start a multipart upload")
            .says("Upload started")
            .errors(&[codes::DUPLICATE, codes::TOO_MANY_UPLOADS, codes::STORAGE_FULL]),
        content("admin.content.multipart_sign", "POST /content/multipart/sign", sign)
            .purpose("sign an upload part")
            .errors(ENDED),
        anyone("admin.content.multipart_part", "PUT /content/multipart/part", receive)
            .purpose("send a part to its signed address")
            .says("Part received")
            .errors(&[
                codes::LINK_INVALID,
                codes::UPLOAD_ENDED,
                codes::UPLOAD_EXPIRED,
                codes::ILLEGAL_TRANSITION,
                codes::STORAGE_FULL,
            ])
            .takes(Takes::Stream(uploading::takes))
            .extension(),
        content("admin.content.multipart_complete", "POST /content/multipart/complete", complete)
            .purpose("complete a multipart upload")
            .says("File saved")
            .errors(&[
                codes::DUPLICATE,
                codes::FOLDER_DELETED,
                codes::UPLOAD_ENDED,
                codes::UPLOAD_EXPIRED,
                codes::STORAGE_FULL,
            ]),
        content("admin.content.multipart_abort", "POST /content/multipart/abort", uploading::abort)
            .purpose("abort a multipart upload")
            .says("Upload aborted")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .extension(),
        content("admin.content.delete", "POST /content-management/delete", arranging::delete)
            .purpose("delete an item")
            .says("Deleted"),
        content("admin.content.restore", "POST /content-management/restore", arranging::restore)
            .purpose("restore deleted items")
            .says("Restored")
            .errors(&[codes::DUPLICATE, codes::FOLDER_DELETED])
            .extension(),
        content("admin.content.move", "POST /content-management/move", arranging::move_items)
            .purpose("move a file to another folder")
            .says("Moved")
            .errors(&[codes::DUPLICATE]),
        content("admin.content.download", "GET /content-management/download/{id}", download)
            .purpose("download a file")
            .audited()
            .sends("*/*"),
        content(
            "admin.content.preview_url",
            "GET /content-management/preview-url/{id}",
            sending::preview_url,
        )
        .purpose("preview URL")
        .audited()
        .errors(&[codes::NO_PREVIEW]),
        anyone("admin.content.preview", "GET /content/preview", sending::preview)
            .purpose("show a file by its signed URL")
            .sends("*/*")
            .errors(&[codes::LINK_INVALID])
            .throttled(Throttle::Public)
            .extension(),
        content(
            "admin.content.versions",
            "GET /content-management/versions/{id}",
            browsing::list_versions,
        )
        .purpose("list the versions of a file")
        .extension(),
    ]
}

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
        content("admin.editorial.list_blog_posts", "GET /blog-posts/{status}/{id}", listing::posts)
            .purpose("list blog posts, also those that are not public")
            .extension(),
        content("admin.editorial.list_faq", "GET /faq/{status}/{id}", listing::faq)
            .purpose("list FAQ entries, also those that are not public")
            .extension(),
        content("admin.editorial.list_legal_terms", "GET /legal-terms/{kind}/{id}", listing::terms)
            .purpose("list the versions of legal terms")
            .extension(),
        content(
            "admin.editorial.list_testimonials",
            "GET /athlete-testimonials/{status}/{id}",
            listing::testimonials,
        )
        .purpose("list testimonials, also those that are not public")
        .extension(),
        content(
            "admin.editorial.list_custom_pages",
            "GET /custom-pages/{status}/{id}",
            listing::pages,
        )
        .purpose("list custom pages, also those that are not public")
        .extension(),
    ]
}
