//! Accounts, profiles, messages. A new column is added here.

use super::Fate::Erased;
use super::keeping::{
    COMPANY, CONTRACT, DEPARTURE, FIGURES, MINUTES, OTHERS, PASSING, STAFF, TRAIL,
};
use super::{Columns, table};

/// The tables.
pub(super) const PEOPLE: &[Columns] = &[
    table(
        "app_user",
        "id kind status created_at updated_at",
        &[(
            Erased,
            "email email_verified_at password_hash phone first_name last_name onboarding_step \
             referral_code last_login_at",
        )],
    ),
    table(
        "departure",
        "user_id left_at due_at",
        &[(Erased, "names"), (DEPARTURE, "asked_by reason")],
    ),
    table(
        "athlete",
        "id user_id created_at updated_at",
        &[
            (
                Erased,
                "display_name position class_year jersey_number date_of_birth hometown_city \
                 hometown_state bio photo_url tags min_rate_cents available listed share_slug",
            ),
            (FIGURES, "sport_id university_id gender"),
        ],
    ),
    table("athlete_activity", "athlete_id", &[(Erased, "activity min_price_cents price_shown")]),
    table(
        "athlete_search",
        "athlete_id listed available",
        &[(
            Erased,
            "name about sort_name sport_id university_id conference state gender class_year \
             followers engagement_rate min_rate_cents",
        )],
    ),
    table(
        "athlete_social",
        "athlete_id refreshed_at",
        &[(Erased, "platform handle followers engagement_basis_points")],
    ),
    table("athlete_tag", "athlete_id", &[(Erased, "tag")]),
    table("athlete_visa", "athlete_id updated_at", &[(Erased, "status")]),
    table("guardian", "athlete_id", &[(Erased, "name email consented_at declined_at address")]),
    table(
        "partner",
        "id user_id business_category_id listed fee_basis_points created_at updated_at verified_at",
        &[(Erased, "website about logo_url hq_city hq_state"), (COMPANY, "company_name")],
    ),
    table(
        "partner_search",
        "partner_id listed business_category_id",
        &[(Erased, "name about sort_name state")],
    ),
    table("partner_university", "partner_id university_id created_at", &[]),
    table(
        "agent",
        "id user_id terms_accepted_at terms_version created_at updated_at",
        &[(Erased, "agency_name network_profile_url certifications")],
    ),
    table("fan", "id user_id created_at updated_at", &[(Erased, "university_id")]),
    table("fan_follow", "created_at", &[(Erased, "fan_id athlete_id")]),
    table("registration", "user_id expires_at wrong_codes", &[(Erased, "token_hash completed")]),
    table("tutorial_step", "user_id", &[(Erased, "step done_at")]),
    table("roster_athlete", "roster_id place added_at", &[(Erased, "athlete_id")]),
    table(
        "representation",
        "id agent_id athlete_id status commission_basis_points invited_at accepted_at ended_at \
         created_at updated_at cancellable_until transfers_wait_until end_reason",
        &[(Erased, "email message")],
    ),
    table(
        "session",
        "id audience kind created_at used_at expires_at impersonation_id sign_on_identity_id \
         sign_on_sid",
        &[(Erased, "subject_id profile_id address")],
    ),
    table(
        "impersonation",
        "id operator_id operator_session user_id portal_user_id purpose calls started_at expires_at \
         ended_at",
        &[(TRAIL, "reason"), (STAFF, "address")],
    ),
    table("athlete_enrolment", "", &[(Erased, "athlete_id enrolled_at")]),
    table("athlete_to_weigh", "athlete_id since", &[]),
    table(
        "athlete_entry",
        "",
        &[(
            Erased,
            "athlete_id college_id kind enrolled_on counts_from first_contest_on updated_at",
        )],
    ),
    table(
        "one_time_code",
        "purpose attempts created_at expires_at",
        &[(Erased, "subject_id mark")],
    ),
    table("link_token", "purpose created_at expires_at", &[(Erased, "subject_id token_hash")]),
    table("login_failure", "id at", &[(MINUTES, "account")]),
    table("login_turn", "next_at", &[(MINUTES, "account")]),
    table("known_log_in", "seen_at", &[(Erased, "account network")]),
    table(
        "mail_allowance",
        "sent_now now_ends_at sent_today day_ends_at",
        &[(MINUTES, "recipient")],
    ),
    table("undeliverable", "id channel why since", &[(Erased, "address")]),
    table("delivery_report", "id received_at", &[]),
    table(
        "device_token",
        "id user_id platform created_at updated_at",
        &[(Erased, "session name token_mark sealed_token")],
    ),
    table(
        "webhook_endpoint",
        "id partner_id college_id events enabled disabled_why old_secret_until failing_since \
         overflowed_at turn_until created_at updated_at",
        &[(Erased, "url description sealed_secret sealed_old_secret")],
    ),
    table(
        "webhook_delivery",
        "id endpoint_id message_id event status attempts next_at tried_at answer_status created_at",
        &[(Erased, "body answer error")],
    ),
    table(
        "squad_member",
        "id college_id sport_id created_at updated_at seen_at",
        &[(
            Erased,
            "name email student_id class_year redshirt position jersey_number height_cm hometown_city \
             hometown_region hometown_country enrolled_on",
        )],
    ),
    table(
        "calendar_feed",
        "id athlete_id portal_user_id created_at",
        &[(Erased, "secret_hash read_at")],
    ),
    table("activity", "user_id activity token updated_at", &[]),
    table(
        "notification",
        "id user_id outbox_id event read_at created_at updated_at",
        &[(Erased, "title"), (OTHERS, "body data")],
    ),
    table("notification_preference", "email sms in_app updated_at", &[(Erased, "owner event")]),
    table("quiet_hours", "updated_at", &[(Erased, "owner from_time to_time time_zone")]),
    table(
        "outbox",
        "id channel event status attempts next_at waits_since error created_at expires_at about \
         fell_back",
        &[(PASSING, "recipient address subject body sealed data")],
    ),
    table("digest_item", "id portal_user_id event created_at", &[(PASSING, "line")]),
    table(
        "idempotency",
        "key operation print status created_at expires_at about",
        &[(PASSING, "caller answer")],
    ),
    table("conversation", "id topic kind job_id created_at", &[]),
    table(
        "message",
        "id conversation_id sender_id pinned_at read_at created_at",
        &[(OTHERS, "text file_ids")],
    ),
    table(
        "participant",
        "conversation_id user_id other_id last_message_id unread_count active_at",
        &[],
    ),
    table(
        "assistant_message",
        "id athlete_id role job_id draft_id model read_at created_at",
        &[(Erased, "text sources")],
    ),
    table("assistant_waitlist", "athlete_id", &[(Erased, "joined_at")]),
    table(
        "clarification_draft",
        "id athlete_id job_id brand_id status message_id sent_at created_at updated_at",
        &[(Erased, "draft_text final_text")],
    ),
    table(
        "stored_file",
        "id user_id college_id media_type size sha256 object_key status uses deleted_at created_at \
         updated_at",
        &[(Erased, "name")],
    ),
    table("file_use", "file_id kind record_id at", &[]),
    table(
        "deal_file",
        "id job_id file_id upload_id created_at updated_at first_id number status decided_by \
         decided_at",
        &[(CONTRACT, "athlete_id user_id note decision_note")],
    ),
    table(
        "deal_file_comment",
        "id document_id deal_file_id user_id created_at",
        &[(CONTRACT, "text")],
    ),
    table(
        "direct_upload",
        "id user_id job_id athlete_id media_type size status file_id expires_at created_at \
         updated_at replaces_id",
        &[(Erased, "name note")],
    ),
];
