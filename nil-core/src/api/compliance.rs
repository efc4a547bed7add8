//! The operations of the Compliance interface: `api::compliance::athlete::list` is the operation
//! `compliance.athlete.list`.

/// The operations `compliance.analytics.…`.
pub mod analytics {
    pub use nil_domain::figures::analysing::{
        applications_over_time, by_category, by_payment_type, by_sport,
    };
}

/// The operations `compliance.athlete.…`.
pub mod athlete {
    pub use nil_domain::figures::athletes::{export, job_detail, list};
}

/// The operations `compliance.audit.…`.
pub mod audit {
    pub use nil_domain::figures::trail::list;
}

/// The operations `compliance.auth.…`.
pub mod auth {
    pub use nil_domain::accounts::portal::passwords::change as change_own_password;
    pub use nil_domain::accounts::portal::registering::{register, verify_email};
    pub use nil_domain::accounts::portal::signing_in::{
        change_password, forgot_password, log_in, log_out, set_password,
    };
}

/// The operations `compliance.calendar.…`.
pub mod calendar {
    pub use nil_domain::calendar::keeping::{
        make_for_officer as make, revoke_for_officer as revoke, show_to_officer as show,
    };
    pub use nil_domain::calendar::reading::of_officer as read;
}

/// The operations `compliance.clearance.…`.
pub mod clearance {
    pub use nil_domain::disclosures::browsing::clearances as list;
    pub use nil_domain::disclosures::clearing::record;
    pub use nil_domain::disclosures::downloading::packet_for_college as download_packet;
    pub use nil_domain::disclosures::preparing::answer_for_college as answer;
    pub use nil_domain::disclosures::showing::detail_for_college as detail;
}

/// The operations `compliance.college.…`.
pub mod college {
    pub use nil_domain::disclosures::previewing::preview as preview_settings;
    pub use nil_domain::institutions::browsing::list;
    pub use nil_domain::institutions::configuring::{save as save_settings, show as settings};
    pub use nil_domain::institutions::consenting::decide as consent_to_job;
}

/// The operations `compliance.compensation.…`.
pub mod compensation {
    pub use nil_domain::figures::comparing::{of_contract, of_disclosed_job};
}

/// The operations `compliance.contract.…`.
pub mod contract {
    pub use nil_domain::contracts::downloading::{
        amendments_as_compliance as download_amendments, as_compliance as download,
    };
    pub use nil_domain::disclosures::downloading::contract as download_disclosed;
}

/// The operations `compliance.deadline.…`.
pub mod deadline {
    pub use nil_domain::figures::deadlines::list;
}

/// The operations `compliance.deal_folder.…`.
pub mod deal_folder {
    pub use nil_domain::deal_folder::browsing::{
        download_as_compliance as download, list_as_compliance as list,
        list_comments_as_compliance as comments, versions_as_compliance as versions,
    };
}

/// The operations `compliance.deliverable.…`.
pub mod deliverable {
    pub use nil_domain::deals::watch_history::list_for_college as post_checks;
}

/// The operations `compliance.disclosed_job.…`.
pub mod disclosed_job {
    pub use nil_domain::disclosures::browsing::{
        detail_for_college as detail, for_college as list,
    };
    pub use nil_domain::disclosures::deciding::decide;
}

/// The operations `compliance.disclosure.…`.
pub mod disclosure {
    pub use nil_domain::filings::browsing::{detail, list};
    pub use nil_domain::filings::changing::{delete, update};
    pub use nil_domain::filings::downloading::documents as download_documents;
    pub use nil_domain::filings::submitting::submit;
}

/// The operations `compliance.file.…`.
pub mod file {
    pub use nil_domain::files::reading::download_as_compliance as download;
}

/// The operations `compliance.filter.…`.
pub mod filter {
    pub use nil_domain::figures::options::{categories, dates, genders, roles, sports};
}

/// The operations `compliance.inbox.…`.
pub mod inbox {
    pub use nil_domain::inbox::handling::{assign, remind, snooze};
    pub use nil_domain::inbox::listing::list;
}

/// The operations `compliance.notification.…`.
pub mod notification {
    pub use nil_ground::notifications::preferring::{
        list_of_portal as preferences, save_of_portal as save_preferences,
    };
    pub use nil_ground::notifications::unsubscribing::unsubscribe;
}

/// The operations `compliance.portal_user.…`.
pub mod portal_user {
    pub use nil_domain::accounts::portal::admin::invite_colleague as invite;
    pub use nil_domain::accounts::portal::team::{change, list, reset_two_step};
}

/// The operations `compliance.records_request.…`.
pub mod records_request {
    pub use nil_domain::figures::public_records::{file, list, note};
}

/// The operations `compliance.session.…`.
pub mod session {
    pub use nil_domain::accounts::portal::sessions::{end, list};
}

/// The operations `compliance.sign_on.…`.
pub mod sign_on {
    pub use nil_domain::accounts::sign_on::configuring::{remove, save, show};
    pub use nil_domain::accounts::sign_on::ending::log_out;
    pub use nil_domain::accounts::sign_on::officers::finish;
    pub use nil_domain::accounts::sign_on::starting::start;
}

/// The operations `compliance.statistics.…`.
pub mod statistics {
    pub use nil_domain::figures::publishing::{export, statistics as show};
}

/// The operations `compliance.squad_list.…`.
pub mod squad_list {
    pub use nil_domain::squad_lists::browsing::{list, remove};
    pub use nil_domain::squad_lists::importing::import;
}

/// The operations `compliance.totp.…`.
pub mod totp {
    pub use nil_domain::accounts::two_step::{
        confirm, replace_codes as recovery_codes, start, turn_off as off,
    };
}

/// The operations `compliance.transaction.…`.
pub mod transaction {
    pub use nil_domain::figures::browsing::list;
    pub use nil_domain::figures::exporting::export;
    pub use nil_domain::figures::statistics::{summary, top_athletes, top_teams};
}

/// The operations `compliance.webhook.…`.
pub mod webhook {
    pub use nil_domain::webhooks::browsing::deliveries_of_portal as deliveries;
    pub use nil_domain::webhooks::replaying::{replay_of_portal as replay, test_of_portal as test};
    pub use nil_domain::webhooks::rotating::rotate_of_portal as rotate_secret;
    pub use nil_domain::webhooks::saving::{
        list_of_portal as list, remove_of_portal as remove, save_for_portal as save,
    };
}
