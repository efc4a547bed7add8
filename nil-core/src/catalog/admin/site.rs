//! The site's settings and the lists that users choose from.

use crate::backoffice::{branding, categories, settings};
use crate::catalog::table::operator::site;
use crate::catalog::table::{Entry, Takes};
use crate::error::codes;

pub(super) fn rows() -> Vec<Entry> {
    vec![
        site("admin.site.save_basic", "POST /site-config/basic-setting", settings::save_basic)
            .purpose("core site settings")
            .says("Settings saved"),
        site("admin.site.upload_image", "POST /site-config/upload-favicon", branding::upload_image)
            .purpose("upload logo or favicon")
            .says("Picture saved")
            .errors(&[codes::MALFORMED_FORM, codes::STORAGE_FULL])
            .takes(Takes::FileForm),
        site(
            "admin.site.save_email_sender",
            "POST /site-config/update-email",
            settings::save_sender,
        )
        .purpose("email sender configuration")
        .says("Sender saved; a test mail is on its way"),
        site("admin.category.save_sport", "POST /sport-category/save", categories::save_sport)
            .purpose("save a sport category")
            .says("Sport saved")
            .errors(&[codes::DUPLICATE])
            .new_needs(&["name"]),
        site(
            "admin.category.save_business",
            "POST /business-category/save",
            categories::save_business,
        )
        .purpose("save a business category")
        .says("Category saved")
        .errors(&[codes::DUPLICATE])
        .new_needs(&["name"]),
        site("admin.category.save_job", "POST /jobs-category/save", categories::save_job)
            .purpose("save a job category")
            .says("Category saved")
            .errors(&[codes::DUPLICATE])
            .new_needs(&["name"]),
        site("admin.category.list_sport", "GET /sport-category", categories::list_sport)
            .purpose("list sport categories")
            .extension(),
        site("admin.category.list_business", "GET /business-category", categories::list_business)
            .purpose("list business categories")
            .extension(),
        site("admin.category.list_job", "GET /jobs-category", categories::list_job)
            .purpose("list job categories")
            .extension(),
        site("admin.site.settings", "GET /site-config", settings::show)
            .purpose("read the site's settings and the sender of its mails")
            .extension(),
    ]
}
