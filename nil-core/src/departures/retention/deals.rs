//! Jobs, contracts, money, compliance. A new column is added here.

use super::Fate::Erased;
use super::keeping::{CONTRACT, DISCLOSURE, FIGURES, FILING, MONEY, PUBLISHED};
use super::{Columns, table};

/// The tables.
pub(super) const DEALS: &[Columns] = &[
    table(
        "job",
        "id partner_id category_id kind compensation amount_cents product_value_cents \
         commission_basis_points slots filled application_deadline starts_on ends_on eligibility \
         usage_rights exclusivity visibility fee_basis_points status close_reason created_at \
         updated_at closes_at",
        &[(
            CONTRACT,
            "title description product_description business_purpose decision_reason manual_review",
        )],
    ),
    table("job_condition", "job_id kind value number", &[]),
    table(
        "milestone",
        "id job_id position activity platform media_kind quantity due_on disclosure_required \
         amount_cents",
        &[(CONTRACT, "title instructions hashtags")],
    ),
    table(
        "application",
        "id job_id athlete_id agent_id source proposed_amount_cents status created_at updated_at",
        &[(Erased, "pitch fbp fbc"), (CONTRACT, "reason")],
    ),
    table(
        "contract",
        "id number application_id job_id athlete_id partner_id college_id agreed_amount_cents \
         fee_basis_points agent_id commission_basis_points document_sha256 status generated_at \
         expires_at executed_at cancelled_at completed_at created_at updated_at \
         commission_waived_at",
        &[(CONTRACT, "terms")],
    ),
    table(
        "contract_amendment",
        "contract_id number kind document_sha256 at",
        &[(CONTRACT, "change")],
    ),
    table(
        "contract_assent",
        "contract_id amendment side at document_sha256",
        &[(CONTRACT, "name address")],
    ),
    table(
        "contract_request",
        "id contract_id kind status raised_by deliverable_id proposed_due_on decided_at decided_by \
         created_at updated_at escalated_at",
        &[(CONTRACT, "reason")],
    ),
    table(
        "deliverable",
        "id contract_id milestone_id athlete_id due_on due_at status amount_cents file_ids \
         disclosure_check submitted_at reviewed_at revision created_at updated_at",
        &[(CONTRACT, "post_urls caption review_note")],
    ),
    table(
        "service_offer",
        "id athlete_id kind platform price_cents delivery_days active sport_id university_id \
         created_at updated_at",
        &[(Erased, "title description born_on")],
    ),
    table(
        "service_order",
        "id offer_id athlete_id partner_id category_id kind platform price_cents fee_basis_points \
         delivery_days wanted_by status expires_at contract_id deliverable_id review_by answered_at \
         delivered_at ended_at created_at updated_at",
        &[(CONTRACT, "title description note business_purpose reason")],
    ),
    table(
        "affiliate_link",
        "id code contract_id active rate_basis_points most_cents clicks created_at updated_at royalty",
        &[(Erased, "label"), (CONTRACT, "target_url")],
    ),
    table(
        "affiliate_conversion",
        "id link_id contract_id amount_cents commission_cents created_at on_totals",
        &[(MONEY, "order_reference")],
    ),
    table("commission_settlement", "contract_id day at", &[]),
    table("commission_share", "payment_id conversion_id amount_cents", &[]),
    table(
        "charge",
        "id partner_id payment_method_id kind total_cents status failure_code created_at updated_at \
         service_order_id confirm_until",
        &[(MONEY, "processor_charge_id")],
    ),
    table(
        "payment",
        "id number charge_id partner_id athlete_id contract_id college_id agent_id amount_cents \
         fee_cents agent_commission_cents total_cents refunded_cents refunded_fee_cents currency \
         status failure_code paid_at utc_offset created_at updated_at on_totals dispute_status \
         funds_at",
        &[],
    ),
    table("payment_share", "payment_id deliverable_id amount_cents", &[]),
    table(
        "payment_method",
        "id is_default removed_at created_at updated_at forgotten_at",
        &[(MONEY, "owner brand last4 exp_month exp_year processor_ref fingerprint")],
    ),
    table(
        "movement",
        "key kind record_id attempt amount_cents currency since looked_at next_look_at spent \
         decided_by decided_at label instant",
        &[(PUBLISHED, "decision_note")],
    ),
    table(
        "statement_line",
        "id at kind key amount_cents fee_cents currency read_at",
        &[(MONEY, "source")],
    ),
    table(
        "processor_difference",
        "id kind about status key line_id at ours_cents theirs_cents currency found_at \
         last_found_at gone_at settled_at settled_by",
        &[(MONEY, "source detail"), (PUBLISHED, "note")],
    ),
    table(
        "payout",
        "id athlete_id agent_id amount_cents status attempt retry_of hold_reasons failure_code \
         arrives_on created_at updated_at pending_since watch_at looked_at",
        &[(MONEY, "wallet processor_transfer_id")],
    ),
    table(
        "payout_account",
        "id kind charges_enabled payouts_enabled status preference created_at updated_at look_at \
         looked_at woken misses requirements_due_by restriction",
        &[(MONEY, "owner processor_account_id requirements_due")],
    ),
    table(
        "refund",
        "id payment_id amount_cents fee_cents commission_cents status failure_code requested_by \
         created_at updated_at refund_fee dispute_id",
        &[(MONEY, "reason")],
    ),
    table(
        "dispute",
        "id charge_id subscription_charge_id partner_id agent_id kind status amount_cents currency \
         fee_cents evidence_due_at answered_by answered_at opened_at closed_at looked_at created_at \
         updated_at",
        &[(MONEY, "processor_dispute_id reason statement")],
    ),
    table(
        "dispute_share",
        "dispute_id payment_id athlete_id agent_id amount_cents fee_cents commission_cents \
         athlete_waits_cents agent_waits_cents",
        &[],
    ),
    table("dispute_terms", "id payee_basis_points applies_from set_by", &[]),
    table("ledger_account", "balance_cents", &[(MONEY, "name")]),
    table("ledger_entry", "id transfer_id amount_cents balance_after_cents", &[(MONEY, "account")]),
    table("ledger_transfer", "id reason refers_to at", &[]),
    table(
        "invoice",
        "id number kind period status total_cents currency issuer_name issuer_contact issued_at \
         paid_at created_at updated_at",
        &[(MONEY, "owner customer_name customer_contact")],
    ),
    table(
        "invoice_line",
        "invoice_id position at payment_id refund_id amount_cents",
        &[(MONEY, "description")],
    ),
    table("invoiced_period", "period done_at", &[]),
    table("numbering", "series last", &[]),
    table(
        "subscription",
        "id plan_id partner_id agent_id status price_cents billing_interval fee_basis_points \
         cancel_at_period_end started_at period period_starts_at period_ends_at bill_at \
         failed_attempts unpaid_since failure_code end_reason ended_at created_at updated_at \
         anchor_period anchor_at",
        &[],
    ),
    table(
        "subscription_charge",
        "id period_id payment_method_id total_cents status failure_code created_at updated_at \
         change_id confirm_until",
        &[(MONEY, "processor_charge_id")],
    ),
    table(
        "subscription_period",
        "id subscription_id number starts_at ends_at invoice_id created_at plan_id price_cents",
        &[],
    ),
    table(
        "subscription_change",
        "id subscription_id period_id from_plan_id from_price_cents plan_id price_cents \
         billing_interval fee_basis_points status unused_cents rest_cents days_left days \
         takes_effect_at invoice_id failure_code created_at updated_at credited_price_cents",
        &[],
    ),
    table(
        "subscription_refund",
        "id charge_id amount_cents rule status failure_code credit_note_id requested_by created_at \
         updated_at taken_back_note_id taken_back_by_id",
        &[(MONEY, "reason")],
    ),
    table(
        "tax_form",
        "id version classification tin_kind statement_version certified_at replaced_at",
        &[(
            MONEY,
            "owner first_name last_name business_name street street2 city state postal_code phone \
             tin_sealed tin_last4 signature certified_from",
        )],
    ),
    table(
        "tax_form_request",
        "id athlete_id agent_id year near_threshold_at payout_held_at tax_withheld_at returns_due_at \
         asked_at answered_at look_at created_at updated_at",
        &[(MONEY, "owner")],
    ),
    table("tax_threshold", "form from_year threshold_cents set_by updated_at", &[]),
    table(
        "tax_return",
        "year form partner_id athlete_id agent_id version amount_cents withheld_cents payer_form_id \
         recipient_form_id filed_at filed_by",
        &[(MONEY, "payee")],
    ),
    table(
        "payment_payee",
        "payment_id athlete_id agent_id partner_id paid_at gross_cents withheld_cents returned_cents \
         returned_withheld_cents returned_at",
        &[(MONEY, "owner")],
    ),
    table("refund_withheld", "refund_id withheld_cents", &[(MONEY, "owner")]),
    table(
        "backup_withholding",
        "id notice starts_at ends_at set_by created_at updated_at",
        &[(MONEY, "owner reason")],
    ),
    table(
        "watched_post",
        "id deliverable_id live_until outcome told misses checked_at seen_at look_at created_at \
         updated_at",
        &[(CONTRACT, "url reason")],
    ),
    table("post_check", "post_id day outcome at", &[(CONTRACT, "reason")]),
    table(
        "comparable_deal",
        "contract_id category_id agreed_at amount_cents athlete_id partner_id agent_id college_id \
         division sport_id followers platform pieces paid_cents",
        &[],
    ),
    table(
        "disclosed_job",
        "id athlete_id college_id category_id amount_cents benefits_cents contingent_cents \
         compensation signed_on starts_on ends_on associated_entity uses_marks attestations breaches \
         flags prepared_by submitted_by status decided_by decided_at first_submitted_at submitted_at \
         due_at created_at updated_at kept_until",
        &[(
            DISCLOSURE,
            "payer_name payer_parent payer_kind title description file_ids decision_note",
        )],
    ),
    table(
        "clearance",
        "id athlete_id college_id contract_id disclosed_job_id amount_cents signed_on counts status \
         due_at submitted_at decided_at created_at updated_at",
        &[(DISCLOSURE, "payor reference note")],
    ),
    table(
        "clearance_packet",
        "clearance_id payer_kind uses_marks prepared_by revision created_at updated_at",
        &[(DISCLOSURE, "payer_parent business_purpose explanation")],
    ),
    table("payor_attestation", "clearance_id partner_id asked_at due_at attested_at answers", &[]),
    table("clearance_answer", "clearance_id question answer answered_by answered_at", &[]),
    table(
        "clearance_step",
        "id clearance_id step recorded_by created_at",
        &[(DISCLOSURE, "reference note packet")],
    ),
    table(
        "institution_consent",
        "college_id athlete_id job_id granted decided_by decided_at",
        &[(DISCLOSURE, "note")],
    ),
    table(
        "athlete_agent_filing",
        "id college_id athlete_id agent_id signed_on notice_due_at cancellation_ends_at \
         agent_noticed_at athlete_noticed_at status version filed_by submitted_by first_submitted_at \
         submitted_at decided_by decided_at reminded_of deleted_at created_at updated_at \
         representation_id",
        &[(FILING, "particulars file_ids search_text decision_note")],
    ),
    table(
        "athlete_agent_filing_version",
        "filing_id version action by_whom at",
        &[(FILING, "note content")],
    ),
    table(
        "college_transaction",
        "college_id occurred_at source record_id athlete_id category_id payment_type status counted \
         gross_cents fee_cents net_cents refunded_cents contract_id over_threshold \
         prohibited_category conflict_sponsor associated_entity minor late_from",
        &[(FIGURES, "sport_id gender")],
    ),
    table(
        "college_transaction_change",
        "id college_id athlete_id sign occurred_at source sport_id category_id payment_type \
         gross_cents fee_cents net_cents refunded_cents",
        &[],
    ),
];
