//! The platform itself: institutions, reference data, operators' work, the worker's notes. A new
//! column is added here.

use super::keeping::{Keeping, PUBLISHED, STAFF, TRAIL};
use super::{Columns, Fate, table};

/// The tables.
pub(super) const PLATFORM: &[Columns] = &[
    table(
        "audit_entry",
        "id at operation subject_kind subject_id action request_id",
        &[(TRAIL, "actor before after address on_behalf_of")],
    ),
    table("audit_seal", "position audit_id hash", &[]),
    table("audit_unsealed", "audit_id", &[]),
    table(
        "portal_user",
        "id college_id role sport_ids status last_login_at created_at updated_at totp_on_at totp_step \
         totp_failures",
        &[(STAFF, "email name password_hash totp_secret")],
    ),
    table("portal_recovery_code", "portal_user_id", &[(STAFF, "hash")]),
    table(
        "portal_registration",
        "id college_id role created_at expires_at",
        &[(STAFF, "email name password_hash")],
    ),
    table(
        "operator",
        "id permissions active last_login_at created_at updated_at one_time_password totp_on_at \
         totp_step totp_failures",
        &[(STAFF, "email name password_hash totp_secret")],
    ),
    table("operator_recovery_code", "operator_id", &[(STAFF, "hash")]),
    table("api_key", "id name key_hash scopes created_at revoked_at last_used_at", &[]),
    table("used_nonce", "api_key_id nonce expires_at", &[]),
    table(
        "announcement",
        "id group_id audience status starts_at ends_at published_at told told_user_id \
         told_portal_user_id told_at created_at updated_at",
        &[(PUBLISHED, "title body")],
    ),
    table("announcement_group", "id name audience created_at updated_at", &[]),
    table(
        "publication",
        "id kind audience slug position published_at created_at updated_at",
        &[(PUBLISHED, "title body byline image_url")],
    ),
    table(
        "privacy_policy_edit",
        "id title version created_at network",
        &[(PUBLISHED, "body author address")],
    ),
    table("legal_document", "id kind version effective_at title", &[(PUBLISHED, "body")]),
    table(
        "roster",
        "id college_id partner_id published_at created_at updated_at",
        &[(PUBLISHED, "title slug")],
    ),
    table(
        "content_item",
        "id parent_id place kind version deleted_at deleted_with created_at updated_at",
        &[(PUBLISHED, "name name_key")],
    ),
    table("content_tree", "id", &[]),
    table(
        "content_version",
        "item_id number media_type size sha256 object_key created_at",
        &[(PUBLISHED, "name")],
    ),
    table(
        "multipart_upload",
        "id operator_id place item_id media_type size part_size object_key store_ref status version \
         expires_at created_at updated_at",
        &[(PUBLISHED, "name")],
    ),
    table(
        "export_report",
        "id code operator_id user_id kind format status attempt rows due_at name size object_key expires_at \
         created_at updated_at",
        &[(
            Fate::Kept(&Keeping {
                why: "what an operator exported, which may name anybody",
                how_long: "the file 7 days, the record 90 days later",
            }),
            "filters",
        )],
    ),
    table("business_category", "id name slug sensitive active position", &[]),
    table("job_category", "id name slug sensitive active position", &[]),
    table("sport", "id name slug active position", &[]),
    table("state", "code name", &[]),
    table(
        "college",
        "id name short_name slug conference division state time_zone email_domains listed \
         participation created_at updated_at",
        &[],
    ),
    table("college_amount", "college_id grain month amount count", &[]),
    table("college_athletes", "college_id dimension month since key athletes", &[]),
    table("college_kept", "college_id clocks", &[]),
    table("college_domain", "college_id domain", &[]),
    table(
        "sign_on_provider",
        "id college_id issuer client_id sealed_secret role_claim roles enabled passwords \
         created_at updated_at",
        &[],
    ),
    table("sign_on_start", "state_hash provider_id browser_hash redirect_uri expires_at", &[]),
    table(
        "sign_on_identity",
        "id provider_id portal_user_id operator_id issuer created_at used_at",
        &[(STAFF, "subject")],
    ),
    table("sign_on_log_out", "token_hash expires_at", &[]),
    table(
        "college_setting",
        "college_id digest contact_email logo_url created_at updated_at smallest_group",
        &[],
    ),
    table(
        "college_total",
        "college_id dimension month key count athletes gross_cents fee_cents net_cents \
         refunded_cents",
        &[],
    ),
    table(
        "public_records_request",
        "id college_id received_on from_on to_on noted_by created_at",
        &[(PUBLISHED, "requester legal_basis")],
    ),
    table(
        "public_records_disclosure",
        "id request_id file_name smallest_group handed_out_by created_at completed_at contracts \
         transactions bytes sha256",
        &[],
    ),
    table(
        "inbox_item",
        "kind record_id college_id assigned_to snoozed_until reminded_at updated_at",
        &[],
    ),
    table("institution_rule", "id college_id rule value effective_on set_by created_at", &[]),
    table("reminder", "event subject_id due_at created_at", &[]),
    table(
        "site",
        "id name support_email logo_url fee_basis_points job_approval feature_flags updated_at \
         key_mark sender_name sender_email favicon_url subscription_refund_days \
         hold_payouts_for_tax_form least_amount_cents contingent_pay presume_associated",
        &[],
    ),
    table(
        "subscription_plan",
        "id name audience price_cents billing_interval fee_basis_points features active created_at \
         updated_at",
        &[],
    ),
    table("template", "id event channel subject body enabled updated_at version", &[]),
    table("template_version", "template_id version subject body replaced_at replaced_by", &[]),
    table("sandbox_account", "id kind onboarded restriction", &[]),
    table(
        "installation",
        "id mark books disputes_read_at compared_until verified_at understood_from",
        &[],
    ),
    table("sandbox_card", "id number owner forgotten", &[]),
    table("sandbox_card_form", "id owner number", &[]),
    table("sandbox_event", "id kind object_id created_at delivered_at", &[]),
    table(
        "sandbox_object",
        "idempotency_key id kind reference amount_cents currency fee_cents status failure_code created_at \
         available_at",
        &[],
    ),
    table(
        "sandbox_dispute",
        "id charge kind status reason amount_cents fee_cents evidence_due_at created_at",
        &[],
    ),
    table("sandbox_line", "id at kind key source amount_cents fee_cents currency", &[]),
    table("webhook_event", "id kind object_id received_at", &[]),
    table("worker_lease", "task holder until", &[]),
];
