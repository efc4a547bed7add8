//! The operations of the Core interface: `api::core::job::save` is the operation `core.job.save`.

/// The operations `core.account.…`.
pub mod account {
    pub use nil_domain::departures::closing::close_own as close;
    pub use nil_domain::takeout::taking::{of_user as takeout, request as request_takeout};
}

/// The operations `core.affiliate.…`.
pub mod affiliate {
    pub use nil_domain::affiliate::converting::{list as sales, report as report_sale};
    pub use nil_domain::affiliate::linking::{list as links, save as save_link};
    pub use nil_domain::affiliate::redirect::follow;
    pub use nil_domain::affiliate::royalty::report as report_royalty;
}

/// The operations `core.agent.…`.
pub mod agent {
    pub use nil_domain::accounts::agents::editing::{accept_contract, edit};
    pub use nil_domain::accounts::profiles::agent_me as me;
    pub use nil_domain::agents::acting::{apply as apply_athletes, contracts};
    pub use nil_domain::agents::browsing::athletes;
    pub use nil_domain::agents::ending::as_agent as end_representation;
    pub use nil_domain::agents::inviting::invite as invite_athlete;
    pub use nil_domain::filings::noticing::{give_as_agent as notice, list_of_agent as filings};
    pub use nil_domain::payments::invoices::{
        download_of_agent as download_invoice, list_of_agent as invoices,
    };
    pub use nil_domain::payments::methods::{
        add_for_agent as add_payment_method, begin_for_agent as begin_payment_method,
        list_of_agent as payment_methods, remove_of_agent as remove_payment_method,
        set_default_of_agent as set_default_payment_method,
    };
}

/// The operations `core.ai_tools.…`.
pub mod ai_tools {
    pub use nil_domain::assistant::hosting::{
        contract_terms, deals, deliverables, draft_clarification, payments,
    };
}

/// The operations `core.application.…`.
pub mod application {
    pub use nil_domain::deals::hiring::{hire, hire_bulk};
    pub use nil_domain::jobs::applying::{apply, respond_invitation, withdraw};
    pub use nil_domain::jobs::browsing::applicants as list;
    pub use nil_domain::jobs::inviting::{invite_bulk, reject};
}

/// The operations `core.assistant.…`.
pub mod assistant {
    pub use nil_domain::assistant::asking::chat;
    pub use nil_domain::assistant::clarifying::send as send_clarification;
    pub use nil_domain::assistant::drafting::{
        edit as edit_clarification_draft, list as clarification_drafts,
        remove as remove_clarification_draft, save as save_clarification_draft,
    };
    pub use nil_domain::assistant::hosting::hand_token;
    pub use nil_domain::assistant::remembering::{history, mark_read, unread};
    pub use nil_domain::assistant::waiting::{join as join_waitlist, show as waitlist};
}

/// The operations `core.athlete.…`.
pub mod athlete {
    pub use nil_domain::accounts::athletes::editing::edit_athlete as edit;
    pub use nil_domain::accounts::profiles::athlete_detail as detail;
    pub use nil_domain::accounts::profiles::searching::search;
    pub use nil_domain::accounts::registering::consenting::ask_again as ask_guardian;
    pub use nil_domain::agents::browsing::agents as representations;
    pub use nil_domain::agents::ending::as_athlete as end_representation;
    pub use nil_domain::disclosures::enrolling::{set as set_enrolment, show as enrolment};
    pub use nil_domain::filings::cancelling::cancel as cancel_agent_contract;
    pub use nil_domain::filings::noticing::{
        give_as_athlete as agent_notice, list_of_athlete as agent_filings,
    };
    pub use nil_domain::filings::responding::respond as respond_agent_invitation;
    pub use nil_domain::institutions::visa::set as set_visa_status;
    pub use nil_domain::takeout::taking::of_athlete as takeout;
}

/// The operations `core.attestation.…`.
pub mod attestation {
    pub use nil_domain::disclosures::attesting::{attest as give, list};
}

/// The operations `core.auth.…`.
pub mod auth {
    pub use nil_domain::accounts::signing_in::recovering::{
        check_email, confirm_password_reset, forget_password, verify_email,
    };
    pub use nil_domain::accounts::signing_in::{log_in, log_out, me};
}

/// The operations `core.calendar.…`.
pub mod calendar {
    pub use nil_domain::calendar::keeping::{
        make_for_athlete as make, revoke_for_athlete as revoke, show_to_athlete as show,
    };
    pub use nil_domain::calendar::reading::of_athlete as read;
}

/// The operations `core.chat.…`.
pub mod chat {
    pub use nil_domain::messaging::broadcasting::send_mass;
    pub use nil_domain::messaging::chatting::{pin, send, start};
    pub use nil_domain::messaging::reading::{conversations, messages};
    pub use nil_domain::messaging::supporting::open as open_support;
}

/// The operations `core.clearance.…`.
pub mod clearance {
    pub use nil_domain::disclosures::downloading::packet as download_packet;
    pub use nil_domain::disclosures::preparing::{save as save_packet, submit};
    pub use nil_domain::disclosures::showing::{detail, own as list};
}

/// The operations `core.compensation.…`.
pub mod compensation {
    pub use nil_domain::compensation::asking::{for_athlete, for_brand};
}

/// The operations `core.content_library.…`.
pub mod content_library {
    pub use nil_domain::files::library::{download, list, overview};
}

/// The operations `core.contract.…`.
pub mod contract {
    pub use nil_domain::contracts::downloading::{
        amendments_as_party as download_amendments, as_agent as download_as_agent,
        as_athlete as download_as_athlete, as_party as download,
    };
    pub use nil_domain::deals::confirming::confirm_availability;
    pub use nil_domain::deals::requesting::{
        accept as accept_request, dismiss as dismiss_request, not_available, request_new_due_date,
        withdraw as withdraw_request,
    };
}

/// The operations `core.deal.…`.
pub mod deal {
    pub use nil_domain::deals::browsing::{count, list};
}

/// The operations `core.deal_folder.…`.
pub mod deal_folder {
    pub use nil_domain::deal_folder::adding::{add, replace};
    pub use nil_domain::deal_folder::answering::{approve, request_edits, void};
    pub use nil_domain::deal_folder::browsing::{
        download, list, list_comments as comments, versions,
    };
    pub use nil_domain::deal_folder::commenting::comment;
    pub use nil_domain::deal_folder::removing::remove;
    pub use nil_domain::deal_folder::uploading::{
        complete as complete_upload, create as create_upload, receive as receive_upload,
    };
}

/// The operations `core.deliverable.…`.
pub mod deliverable {
    pub use nil_domain::deals::delivering::{change_status, deny, outstanding, overdue, submit};
    pub use nil_domain::deals::reporting::{export as export_report, list as report};
    pub use nil_domain::deals::watch_history::list as post_checks;
}

/// The operations `core.device.…`.
pub mod device {
    pub use nil_ground::notifications::devices::{forget, list, save};
}

/// The operations `core.disclosed_job.…`.
pub mod disclosed_job {
    pub use nil_domain::disclosures::browsing::own as list;
    pub use nil_domain::disclosures::disclosing::{save, withdraw};
}

/// The operations `core.events.…`.
pub mod events {
    pub use nil_domain::live::stream::follow;
    pub use nil_domain::live::ticket::issue as ticket;
}

/// The operations `core.fan.…`.
pub mod fan {
    pub use nil_domain::accounts::fans::follows::{
        follow as follow_athlete, unfollow as unfollow_athlete,
    };
    pub use nil_domain::accounts::profiles::fan_me as me;
}

/// The operations `core.file.…`.
pub mod file {
    pub use nil_domain::content::picturing::picture;
    pub use nil_domain::content::reading::download_signed as open_signed;
    pub use nil_domain::content::storing::{delete, upload};
    pub use nil_domain::files::reading::download;
}

/// The operations `core.internal.…`.
pub mod internal {
    pub use nil_domain::cron::{run_round, run_task};
}

/// The operations `core.job.…`.
pub mod job {
    pub use nil_domain::deals::reviewing::{
        ask_review as request_manual_review, ask_review_of_deal as request_manual_review_of_deal,
    };
    pub use nil_domain::jobs::browsing::{detail, posted, search};
    pub use nil_domain::jobs::closing::{cancel, close, reopen};
    pub use nil_domain::jobs::posting::save;
}

/// The operations `core.mail.…`.
pub mod mail {
    pub use nil_ground::notifications::reporting::mail as report;
}

/// The operations `core.notification.…`.
pub mod notification {
    pub use nil_ground::notifications::activity::tokens as activity_tokens;
    pub use nil_ground::notifications::preferring::{
        list as preferences, save as save_preferences, set_all_sms,
    };
    pub use nil_ground::notifications::reading::{fetch as list, mark_all_read, mark_read};
    pub use nil_ground::notifications::unsubscribing::unsubscribe;
}

/// The operations `core.partner.…`.
pub mod partner {
    pub use nil_domain::accounts::partners::editing::edit_partner as edit;
    pub use nil_domain::accounts::profiles::partner_me as me;
    pub use nil_domain::payments::invoices::{
        download_of_partner as download_invoice, list_of_partner as invoices,
    };
    pub use nil_domain::payments::methods::{
        add_for_partner as add_payment_method, begin_for_partner as begin_payment_method,
        list_of_partner as payment_methods, remove_of_partner as remove_payment_method,
        set_default_of_partner as set_default_payment_method,
    };
}

/// The operations `core.payment.…`.
pub mod payment {
    pub use nil_domain::payments::browsing::history::{
        of_athlete as history_of_athlete, of_partner as history_of_partner,
    };
    pub use nil_domain::payments::charges::confirming::{confirm, give_up};
    pub use nil_domain::payments::charges::paying::{bulk_summary, pay_bulk, pay_with_saved_card};
    pub use nil_domain::payments::taxes::summary::show as tax_summary;
}

/// The operations `core.payout_account.…`.
pub mod payout_account {
    pub use nil_domain::payments::payouts::payout_settings::{
        create, create_express, set_preference, status,
    };
}

/// The operations `core.processor.…`.
pub mod processor {
    pub use nil_domain::payments::webhook::receive as webhook;
}

/// The operations `core.public.…`.
pub mod public {
    pub use nil_domain::accounts::profiles::directory::{
        athletes as athlete_directory, brands as brand_directory, search_athletes,
        share_url as athlete_share_url, shared as athlete_profile,
    };
    pub use nil_domain::announcements::reading::list as announcements;
    pub use nil_domain::backoffice::site::view as site_config;
    pub use nil_domain::editorial::legal::read as legal_terms;
    pub use nil_domain::editorial::privacy::{edit as edit_privacy_policy, read as privacy_policy};
    pub use nil_domain::editorial::reading::{
        blog, faq, page as custom_page, post as blog_post, testimonials,
    };
    pub use nil_domain::institutions::browsing::list as colleges;
}

/// The operations `core.registration.…`.
pub mod registration {
    pub use nil_domain::accounts::registering::agent::{
        set_agency as agent_agency, set_network as agent_profile,
    };
    pub use nil_domain::accounts::registering::athlete::{
        set_person as athlete_person, set_team as athlete_team,
    };
    pub use nil_domain::accounts::registering::consenting::decide as guardian_consent;
    pub use nil_domain::accounts::registering::fan::{
        set_college as fan_university, set_name as fan_name,
    };
    pub use nil_domain::accounts::registering::partner::{
        set_category as partner_category, set_company as partner_company,
    };
    pub use nil_domain::accounts::registering::{
        agent_credentials, athlete_credentials, fan_credentials, partner_credentials, resend_code,
        start_agent as agent_start, start_athlete as athlete_start, start_fan as fan_start,
        start_partner as partner_start, verify_agent as agent_verify,
        verify_athlete as athlete_verify, verify_partner as partner_verify,
    };
}

/// The operations `core.roster.…`.
pub mod roster {
    pub use nil_domain::rosters::browsing::{detail, list, named as page};
}

/// The operations `core.service_offer.…`.
pub mod service_offer {
    pub use nil_domain::marketplace::offering::{mine, save};
    pub use nil_domain::marketplace::searching::search;
}

/// The operations `core.service_order.…`.
pub mod service_order {
    pub use nil_domain::marketplace::answering::{accept, decline};
    pub use nil_domain::marketplace::completing::complete;
    pub use nil_domain::marketplace::handing_over::{deliver, send_back as r#return};
    pub use nil_domain::marketplace::listing::list;
    pub use nil_domain::marketplace::ordering::{cancel, place};
}

/// The operations `core.sms.…`.
pub mod sms {
    pub use nil_ground::notifications::reporting::sms as report;
}

/// The operations `core.subscription.…`.
pub mod subscription {
    pub use nil_domain::payments::subscriptions::changing::{change, preview as preview_change};
    pub use nil_domain::payments::subscriptions::confirming::confirm;
    pub use nil_domain::payments::subscriptions::planning::offered as plans;
    pub use nil_domain::payments::subscriptions::subscribing::{
        cancel, current, resume, subscribe,
    };
}

/// The operations `core.tax_form.…`.
pub mod tax_form {
    pub use nil_domain::payments::taxes::handing_in::{payer, save_payer, standing, submit};
}

/// The operations `core.tutorial.…`.
pub mod tutorial {
    pub use nil_domain::accounts::profiles::tutorial::{complete_step, show};
}

/// The operations `core.wallet.…`.
pub mod wallet {
    pub use nil_domain::payments::browsing::history::wallet as show;
}

/// The operations `core.webhook.…`.
pub mod webhook {
    pub use nil_domain::webhooks::browsing::deliveries_of_partner as deliveries;
    pub use nil_domain::webhooks::replaying::{
        replay_of_partner as replay, test_of_partner as test,
    };
    pub use nil_domain::webhooks::rotating::rotate_of_partner as rotate_secret;
    pub use nil_domain::webhooks::saving::{
        list_of_partner as list, remove_of_partner as remove, save_for_partner as save,
    };
}
