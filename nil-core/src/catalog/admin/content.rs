//! The site's folders and files, rosters, and editorial content.

use crate::catalog::columns::{CONTENT, PUBLICATIONS};
use crate::catalog::table::operator::content;
use crate::catalog::table::{Entry, Takes, anyone};
use crate::content_library::sending::download;
use crate::content_library::uploading::{complete, create, receive, sign};
use crate::content_library::{ContentUploadEvent, ContentUploadStatus};
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

/// The folders, and what puts files into them.
pub(super) fn folders() -> Vec<Entry> {
    vec![
        content("admin.content.browse", "GET /content-management/{parent_id}", browsing::browse)
            .purpose("browse files and folders")
            .title("Library")
            .columns(CONTENT),
        content("admin.content.save", "POST /content-management/save", saving::save)
            .purpose("save a file or folder")
            .title("Save a file or folder")
            .acts_on("content_item", "id")
            .verb("Save")
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
            .title("Start an upload in parts")
            .verb("Start")
            .says("Upload started")
            .errors(&[codes::DUPLICATE, codes::TOO_MANY_UPLOADS, codes::STORAGE_FULL]),
        content("admin.content.multipart_sign", "POST /content/multipart/sign", sign)
            .purpose("sign an upload part")
            .title("Get the address of a part")
            .verb("Sign")
            .errors(ENDED),
        anyone("admin.content.multipart_part", "PUT /content/multipart/part", receive)
            .purpose("send a part to its signed address")
            .title("Send a part")
            .verb("Send")
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
            .title("Complete an upload in parts")
            .acts_on("multipart_upload", "upload_id")
            .when::<ContentUploadStatus>(&[ContentUploadEvent::Complete])
            .verb("Complete")
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
            .title("Abort an upload in parts")
            .acts_on("multipart_upload", "upload_id")
            .when::<ContentUploadStatus>(&[ContentUploadEvent::Abort])
            .verb("Abort")
            .says("Upload aborted")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .extension(),
    ]
}

/// What is done with files and folders that are there.
pub(super) fn items() -> Vec<Entry> {
    vec![
        content("admin.content.delete", "POST /content-management/delete", arranging::delete)
            .purpose("delete an item")
            .title("Delete files and folders")
            .acts_on("content_item", "ids")
            .verb("Delete")
            .confirm(
                "The items leave the library, folders with everything in them.",
                "They can be restored for 30 days, and are gone after that.",
            )
            .says("Deleted"),
        content("admin.content.restore", "POST /content-management/restore", arranging::restore)
            .purpose("restore deleted items")
            .title("Restore deleted files and folders")
            .acts_on("content_item", "ids")
            .columns(CONTENT)
            .verb("Restore")
            .says("Restored")
            .errors(&[codes::DUPLICATE, codes::FOLDER_DELETED])
            .extension(),
        content("admin.content.move", "POST /content-management/move", arranging::move_items)
            .purpose("move a file to another folder")
            .title("Move files and folders")
            .acts_on("content_item", "ids")
            .columns(CONTENT)
            .verb("Move")
            .says("Moved")
            .errors(&[codes::DUPLICATE]),
        content("admin.content.download", "GET /content-management/download/{id}", download)
            .purpose("download a file")
            .title("Download a file")
            .audited()
            .sends("*/*"),
        content(
            "admin.content.preview_url",
            "GET /content-management/preview-url/{id}",
            sending::preview_url,
        )
        .purpose("preview URL")
        .title("Address of a file's preview")
        .audited()
        .errors(&[codes::NO_PREVIEW]),
        anyone("admin.content.preview", "GET /content/preview", sending::preview)
            .purpose("show a file by its signed URL")
            .title("Preview of a file")
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
        .title("Versions of a file")
        .columns(&["number", "name", "media_type", "size", "created_at", "sha256"])
        .extension(),
    ]
}

pub(super) fn rosters() -> Vec<Entry> {
    vec![
        content("admin.roster.list", "GET /rosters/{status}/{id}", admin::list)
            .purpose("list rosters")
            .title("Rosters")
            .columns(&[
                "title",
                "status",
                "athlete_count",
                "published_at",
                "slug",
                "url",
                "created_at",
            ]),
        content("admin.roster.save", "POST /rosters/save", admin::save)
            .purpose("create or update a roster")
            .title("Save a roster")
            .acts_on("roster", "id")
            .verb("Save")
            .says("Roster saved")
            .errors(&[codes::DUPLICATE]),
        content("admin.roster.add_athletes", "POST /rosters/save-athletes", admin::add_athletes)
            .purpose("add athletes to a roster")
            .title("Add athletes to a roster")
            .acts_on("roster", "roster_id")
            .verb("Add")
            .says("Athletes added"),
        content("admin.roster.remove_athletes", "POST /rosters/delete-athletes", remove_athletes)
            .purpose("remove athletes from a roster")
            .title("Remove athletes from a roster")
            .acts_on("roster", "roster_id")
            .verb("Remove")
            .says("Athletes removed"),
        content("admin.roster.set_published", "POST /rosters/update-publish-status", set_published)
            .purpose("publish or unpublish")
            .title("Publish or withdraw a roster")
            .acts_on("roster", "roster_id")
            .verb("Save")
            .says("Roster saved"),
        content("admin.roster.check_url", "POST /rosters/check-url", admin::check_url)
            .purpose("check that a roster URL is available")
            .title("Check a roster's address")
            .verb("Check"),
    ]
}

pub(super) fn editorial() -> Vec<Entry> {
    vec![
        content("admin.editorial.save_blog_post", "POST /blog/{user_type}/save", save_post)
            .purpose("save a blog post")
            .title("Save a blog post")
            .acts_on("publication", "id")
            .in_list("admin.editorial.list_blog_posts")
            .verb("Save")
            .says("Blog post saved")
            .errors(&[codes::DUPLICATE]),
        content("admin.editorial.save_faq", "POST /faq/save", publishing::save_faq)
            .purpose("save a FAQ entry")
            .title("Save a question and its answer")
            .acts_on("publication", "id")
            .in_list("admin.editorial.list_faq")
            .verb("Save")
            .says("FAQ entry saved"),
        content("admin.editorial.save_legal_terms", "POST /legal-terms/save", legal::save)
            .purpose("save legal terms")
            .title("Save legal terms")
            .verb("Save a new version")
            .says("New version saved"),
        content(
            "admin.editorial.save_testimonial",
            "POST /athlete-testimonials/save",
            publishing::save_testimonial,
        )
        .purpose("save a testimonial")
        .title("Save a testimonial")
        .acts_on("publication", "id")
        .in_list("admin.editorial.list_testimonials")
        .verb("Save")
        .says("Testimonial saved"),
        content("admin.editorial.save_custom_page", "POST /custom-pages/save", save_page)
            .purpose("save a custom page")
            .title("Save a page")
            .acts_on("publication", "id")
            .in_list("admin.editorial.list_custom_pages")
            .verb("Save")
            .says("Page saved")
            .errors(&[codes::DUPLICATE]),
        content("admin.editorial.privacy_policy_edits", "GET /privacy-policy/edits", edits)
            .purpose("list the edits of the privacy policy")
            .title("Edits of the privacy policy")
            .columns(&["title", "version", "author", "created_at", "address", "body"])
            .extension(),
        content("admin.editorial.restore_privacy_policy", "POST /privacy-policy/restore", restore)
            .purpose("restore an edit of the privacy policy")
            .title("Restore an edit of the privacy policy")
            .acts_on("privacy_policy_edit", "edit_id")
            .verb("Restore")
            .says("Privacy policy restored")
            .extension(),
        content("admin.editorial.list_blog_posts", "GET /blog-posts/{status}/{id}", listing::posts)
            .purpose("list blog posts, also those that are not public")
            .title("Blog posts")
            .columns(PUBLICATIONS)
            .extension(),
        content("admin.editorial.list_faq", "GET /faq/{status}/{id}", listing::faq)
            .purpose("list FAQ entries, also those that are not public")
            .title("Questions and answers")
            .columns(PUBLICATIONS)
            .extension(),
        content("admin.editorial.list_legal_terms", "GET /legal-terms/{kind}/{id}", listing::terms)
            .purpose("list the versions of legal terms")
            .title("Legal terms")
            .columns(&["title", "kind", "version", "effective_at", "body"])
            .extension(),
        content(
            "admin.editorial.list_testimonials",
            "GET /athlete-testimonials/{status}/{id}",
            listing::testimonials,
        )
        .purpose("list testimonials, also those that are not public")
        .title("Testimonials")
        .columns(PUBLICATIONS)
        .extension(),
        content(
            "admin.editorial.list_custom_pages",
            "GET /custom-pages/{status}/{id}",
            listing::pages,
        )
        .purpose("list custom pages, also those that are not public")
        .title("Pages")
        .columns(PUBLICATIONS)
        .extension(),
    ]
}
