//! The site's settings and the lists that users choose from.

use crate::backoffice::{branding, categories, settings};
use crate::catalog::columns::CATEGORIES;
use crate::catalog::forms::FieldGroup;
use crate::catalog::table::operator::site;
use crate::catalog::table::{Entry, Takes};
use crate::error::codes;

/// The groups of the site's settings.
const SETTINGS: &[FieldGroup] = &[
    FieldGroup::new("Site", &["name", "support_email", "job_approval", "feature_flags"]),
    FieldGroup::new(
        "Money",
        &[
            "fee_basis_points",
            "least_amount_cents",
            "subscription_refund_days",
            "hold_payouts_for_tax_form",
        ],
    ),
    FieldGroup::new("Clearinghouse", &["contingent_pay", "presume_associated"]),
];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        site("admin.site.save_basic", "POST /site-config/basic-setting", settings::save_basic)
            .purpose("core site settings")
            .groups(SETTINGS)
            .title("Change the site's settings")
            .verb("Save")
            .says("Settings saved"),
        site("admin.site.upload_image", "POST /site-config/upload-favicon", branding::upload_image)
            .purpose("upload logo or favicon")
            .title("Upload a logo or favicon")
            .verb("Upload")
            .says("Picture saved")
            .errors(&[codes::MALFORMED_FORM, codes::STORAGE_FULL])
            .takes(Takes::FileForm),
        site(
            "admin.site.save_email_sender",
            "POST /site-config/update-email",
            settings::save_sender,
        )
        .purpose("email sender configuration")
        .title("Change the sender of mails")
        .verb("Save and send a test mail")
        .confirm(
            "Mails come from the new sender from now on, and a test mail goes to you.",
            "Mails that were sent stay as they are. Without an address, the configured \
                 sender is used.",
        )
        .says("Sender saved; a test mail is on its way"),
        site("admin.category.save_sport", "POST /sport-category/save", categories::save_sport)
            .purpose("save a sport category")
            .title("Save a sport")
            .acts_on("sport", "id")
            .verb("Save")
            .says("Sport saved")
            .errors(&[codes::DUPLICATE])
            .new_needs(&["name"]),
        site(
            "admin.category.save_business",
            "POST /business-category/save",
            categories::save_business,
        )
        .purpose("save a business category")
        .title("Save a business category")
        .acts_on("business_category", "id")
        .verb("Save")
        .says("Category saved")
        .errors(&[codes::DUPLICATE])
        .new_needs(&["name"]),
        site("admin.category.save_job", "POST /jobs-category/save", categories::save_job)
            .purpose("save a job category")
            .title("Save a job category")
            .acts_on("job_category", "id")
            .verb("Save")
            .says("Category saved")
            .errors(&[codes::DUPLICATE])
            .new_needs(&["name"]),
        site("admin.category.list_sport", "GET /sport-category", categories::list_sport)
            .purpose("list sport categories")
            .title("Sports")
            .columns(CATEGORIES)
            .extension(),
        site("admin.category.list_business", "GET /business-category", categories::list_business)
            .purpose("list business categories")
            .title("Business categories")
            .columns(CATEGORIES)
            .extension(),
        site("admin.category.list_job", "GET /jobs-category", categories::list_job)
            .purpose("list job categories")
            .title("Job categories")
            .columns(CATEGORIES)
            .extension(),
        site("admin.site.settings", "GET /site-config", settings::show)
            .purpose("read the site's settings and the sender of its mails")
            .title("Settings")
            .extension(),
    ]
}
