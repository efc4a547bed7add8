//! The operations of the Admin interface: `api::admin::job::save` is the operation
//! `admin.job.save`.

/// The operations `admin.agent.…`.
pub mod agent {
    pub use nil_domain::accounts::agents::listing::export_xlsx;
    pub use nil_domain::accounts::listing::list;
    pub use nil_domain::accounts::saving::agent::save;
    pub use nil_domain::agents::admin::{athletes, unlink as unlink_athlete};
    pub use nil_domain::dossiers::agent as view;
}

/// The operations `admin.announcement.…`.
pub mod announcement {
    pub use nil_domain::announcements::admin::{list, list_groups, save, save_group};
}

/// The operations `admin.athlete.…`.
pub mod athlete {
    pub use nil_domain::accounts::athletes::listing::{export_csv, export_xlsx};
    pub use nil_domain::accounts::athletes::refreshing::refresh as refresh_social;
    pub use nil_domain::accounts::listing::list;
    pub use nil_domain::accounts::saving::athlete::save;
    pub use nil_domain::accounts::suspension::send_verification;
    pub use nil_domain::deals::admin::of_athlete as jobs;
    pub use nil_domain::dossiers::athlete as view;
}

/// The operations `admin.audit.…`.
pub mod audit {
    pub use nil_domain::dashboard::audit_log::list;
}

/// The operations `admin.auth.…`.
pub mod auth {
    pub use nil_domain::accounts::operators::passwords::change as change_password;
    pub use nil_domain::accounts::operators::signing_in::{csrf_token, log_in, log_out};
}

/// The operations `admin.category.…`.
pub mod category {
    pub use nil_domain::backoffice::categories::{
        list_business, list_job, list_sport, save_business, save_job, save_sport,
    };
}

/// The operations `admin.college.…`.
pub mod college {
    pub use nil_domain::accounts::sign_on::configuring::allow_passwords;
    pub use nil_domain::institutions::admin::{page as list, save};
}

/// The operations `admin.content.…`.
pub mod content {
    pub use nil_domain::content_library::arranging::{delete, move_items as r#move, restore};
    pub use nil_domain::content_library::browsing::{browse, list_versions as versions};
    pub use nil_domain::content_library::saving::save;
    pub use nil_domain::content_library::sending::{download, preview, preview_url};
    pub use nil_domain::content_library::uploading::{
        abort as multipart_abort, complete as multipart_complete, create as multipart_create,
        receive as multipart_part, sign as multipart_sign,
    };
}

/// The operations `admin.dashboard.…`.
pub mod dashboard {
    pub use nil_domain::dashboard::view;
}

/// The operations `admin.editorial.…`.
pub mod editorial {
    pub use nil_domain::editorial::legal::save as save_legal_terms;
    pub use nil_domain::editorial::listing::{
        faq as list_faq, pages as list_custom_pages, posts as list_blog_posts,
        terms as list_legal_terms, testimonials as list_testimonials,
    };
    pub use nil_domain::editorial::privacy::{
        edits as privacy_policy_edits, restore as restore_privacy_policy,
    };
    pub use nil_domain::editorial::publishing::{
        save_faq, save_page as save_custom_page, save_post as save_blog_post, save_testimonial,
    };
}

/// The operations `admin.email_template.…`.
pub mod email_template {
    pub use nil_ground::notifications::templating::{
        list_email as list, save_email as save, send_test as test,
    };
}

/// The operations `admin.dispute.…`.
pub mod dispute {
    pub use nil_domain::payments::disputes::listing::{list, view};
    pub use nil_domain::payments::disputes::responding::{accept, answer, download_evidence};
    pub use nil_domain::payments::disputes::terms::{list as list_terms, save as save_terms};
}

/// The operations `admin.export.…`.
pub mod export {
    pub use nil_domain::reports::listing::list;
    pub use nil_domain::reports::making::process;
    pub use nil_domain::reports::requesting::request;
    pub use nil_domain::reports::sending::download;
}

/// The operations `admin.impersonation.…`.
pub mod impersonation {
    pub use nil_domain::accounts::operators::impersonating::{end, list, start};
}

/// The operations `admin.inapp_template.…`.
pub mod inapp_template {
    pub use nil_ground::notifications::templating::{list_in_app as list, save_in_app as save};
}

/// The operations `admin.job.…`.
pub mod job {
    pub use nil_domain::deals::admin::{
        applicants, decide_pending, hired, list, remove_athlete, update_fee, view,
    };
    pub use nil_domain::deals::ending::cancel as cancel_contract;
    pub use nil_domain::deals::reviewing::resolve_review as resolve_manual_review;
    pub use nil_domain::jobs::posting::save_for_brand as save;
}

/// The operations `admin.notification.…`.
pub mod notification {
    pub use nil_ground::notifications::overview::{list as overview, set as set_trigger};
}

/// The operations `admin.operator.…`.
pub mod operator {
    pub use nil_domain::accounts::operators::saving::{list, reset_log_in, save};
}

/// The operations `admin.partner.…`.
pub mod partner {
    pub use nil_domain::accounts::listing::list;
    pub use nil_domain::accounts::partners::listing::export_xlsx;
    pub use nil_domain::accounts::saving::partner::{
        associate as associate_university, save, unassociate as unassociate_university,
    };
    pub use nil_domain::dossiers::partner as view;
}

/// The operations `admin.payment.…`.
pub mod payment {
    pub use nil_domain::payments::browsing::admin::{list, wallet_history};
    pub use nil_domain::payments::browsing::exporting::{csv as export_csv, xlsx as export_xlsx};
    pub use nil_domain::payments::browsing::revenue::list as revenue;
    pub use nil_domain::payments::refunds::previewing::preview as preview_refund;
    pub use nil_domain::payments::refunds::refunding::refund;
}

/// The operations `admin.payout.…`.
pub mod payout {
    pub use nil_domain::payments::browsing::admin::list_payouts as list;
    pub use nil_domain::payments::payouts::cancelling::cancel;
    pub use nil_domain::payments::payouts::paying_out::{retry, trigger};
}

/// The operations `admin.processor_difference.…`.
pub mod processor_difference {
    pub use nil_domain::payments::reconciliation::settling::{list, settle, view};
}

/// The operations `admin.processor_request.…`.
pub mod processor_request {
    pub use nil_domain::payments::movement::deciding::{decide, list};
}

/// The operations `admin.roster.…`.
pub mod roster {
    pub use nil_domain::rosters::admin::{
        add_athletes, check_url, list, remove_athletes, save, set_published,
    };
}

/// The operations `admin.session.…`.
pub mod session {
    pub use nil_domain::accounts::operators::sessions::{end, list};
}

/// The operations `admin.sign_on.…`.
pub mod sign_on {
    pub use nil_domain::accounts::sign_on::operators::finish;
    pub use nil_domain::accounts::sign_on::starting::start_operator as start;
}

/// The operations `admin.site.…`.
pub mod site {
    pub use nil_domain::backoffice::branding::upload_image;
    pub use nil_domain::backoffice::settings::{
        save_basic, save_sender as save_email_sender, show as settings,
    };
}

/// The operations `admin.sms_template.…`.
pub mod sms_template {
    pub use nil_ground::notifications::templating::{list_sms as list, save_sms as save};
}

/// The operations `admin.subscription.…`.
pub mod subscription {
    pub use nil_domain::payments::subscriptions::refunding::refund;
}

/// The operations `admin.subscription_plan.…`.
pub mod subscription_plan {
    pub use nil_domain::payments::subscriptions::planning::{list, save, set_status};
}

/// The operations `admin.support.…`.
pub mod support {
    pub use nil_domain::messaging::supporting::{list, read as messages, reply};
}

/// The operations `admin.tax.…`.
pub mod tax {
    pub use nil_domain::payments::taxes::asking::list as list_requests;
    pub use nil_domain::payments::taxes::filing::file as file_returns;
    pub use nil_domain::payments::taxes::returning::export as export_returns;
    pub use nil_domain::payments::taxes::thresholds::{
        list as list_thresholds, save as save_threshold,
    };
    pub use nil_domain::payments::taxes::withholding::set as set_withholding;
}

/// The operations `admin.template.…`.
pub mod template {
    pub use nil_ground::notifications::templating::{preview, reset, versions};
}

/// The operations `admin.totp.…`.
pub mod totp {
    pub use nil_domain::accounts::operators::two_step::turn_off as off;
    pub use nil_domain::accounts::two_step::{confirm, replace_codes as recovery_codes, start};
}

/// The operations `admin.undeliverable.…`.
pub mod undeliverable {
    pub use nil_ground::notifications::lifting::{lift, list};
}

/// The operations `admin.university_admin.…`.
pub mod university_admin {
    pub use nil_domain::accounts::portal::admin::{
        approve, list, reset_two_step, save, send_invitation as send_verification,
    };
}

/// The operations `admin.user.…`.
pub mod user {
    pub use nil_domain::departures::closing::close_account as close;
}
