//! The inputs of operations with owned ids.

use serde_json::{Value, json};

/// Every operation with owned ids, and an input that names only the caller's own records. A word
/// stands for our first id of that kind, one after `=` for itself. An operation that takes either
/// of two ids has two lines.
pub(super) fn inputs() -> Vec<(&'static str, Value)> {
    let deal = || json!({ "job_id": "job", "athlete_id": "athlete" });
    let line = || {
        json!({
            "athlete_id": "athlete", "contract_id": "contract",
            "deliverable_ids": ["deliverable"], "amount_cents": 100,
        })
    };
    let line_of_job = || json!({ "athlete_id": "athlete", "job_id": "job", "amount_cents": 100 });
    vec![
        ("core.deliverable.outstanding", deal()),
        ("core.deliverable.overdue", deal()),
        ("core.deliverable.post_checks", json!({ "deliverable_id": "deliverable" })),
        ("compliance.deliverable.post_checks", json!({ "deliverable_id": "deliverable" })),
        ("core.contract.download_as_athlete", json!({ "job_id": "job" })),
        ("core.contract.confirm_availability", json!({ "job_id": "job" })),
        ("core.contract.not_available", json!({ "job_id": "job", "reason": "=Ill." })),
        (
            "core.contract.request_new_due_date",
            json!({
                "job_id": "job", "deliverable_id": "deliverable",
                "proposed_due_on": "=2026-12-20", "reason": "=Finals week.",
            }),
        ),
        ("core.contract.withdraw_request", json!({ "job_id": "job", "kind": "=EDD" })),
        (
            "core.job.request_manual_review_of_deal",
            json!({ "job_id": "job", "reason": "=Silence." }),
        ),
        ("core.application.respond_invitation", json!({ "job_id": "job", "accept": true })),
        ("core.application.list", json!({ "job_id": "job" })),
        (
            "core.application.hire_bulk",
            json!({ "job_id": "job", "application_ids": ["application"], "atomic": true }),
        ),
        ("core.payment.bulk_summary", json!({ "payments": [line()] })),
        ("core.payment.bulk_summary", json!({ "payments": [line_of_job()] })),
        (
            "core.deliverable.deny",
            json!({ "milestones_athlete_rel": "deliverable", "note": "=Too dark." }),
        ),
        (
            "core.job.request_manual_review",
            json!({ "job_id": "job", "athlete_id": "athlete", "reason": "=Silence." }),
        ),
        ("core.contract.dismiss_request", deal()),
        (
            "core.contract.accept_request",
            json!({ "job_id": "job", "athlete_id": "athlete", "kind": "=EDD" }),
        ),
        (
            "core.partner.set_default_payment_method",
            json!({ "payment_method_id": "partner's payment_method" }),
        ),
        (
            "core.partner.remove_payment_method",
            json!({ "payment_method_id": "partner's payment_method" }),
        ),
        ("core.service_offer.save", json!({ "id": "service_offer", "price_cents": 9_000 })),
        ("core.service_order.decline", json!({ "id": "service_order", "reason": "=Finals week." })),
        ("core.service_order.cancel", json!({ "id": "service_order", "reason": "=Too late." })),
        ("core.service_order.accept", json!({ "id": "service_order" })),
        (
            "core.service_order.deliver",
            json!({ "id": "accepted service_order", "file_ids": ["file"] }),
        ),
        (
            "core.service_order.return",
            json!({ "id": "delivered service_order", "note": "=Longer." }),
        ),
        ("core.service_order.complete", json!({ "id": "delivered service_order" })),
        ("core.content_library.list", json!({ "job_ids": ["job"], "athlete_ids": ["athlete"] })),
        ("core.content_library.download", json!({ "id": "deliverable", "file_id": "handed in" })),
        ("core.deliverable.report", json!({ "job_ids": ["job"], "athlete_ids": ["athlete"] })),
        (
            "core.deliverable.export_report",
            json!({ "job_ids": ["job"], "athlete_ids": ["athlete"] }),
        ),
        ("core.contract.download_amendments", deal()),
        ("compliance.contract.download_amendments", deal()),
        ("core.contract.download_as_agent", deal()),
        (
            "core.agent.set_default_payment_method",
            json!({ "payment_method_id": "agent's payment_method" }),
        ),
        (
            "core.agent.remove_payment_method",
            json!({ "payment_method_id": "agent's payment_method" }),
        ),
        ("core.job.save", json!({ "id": "job", "title": "=Another title" })),
        ("core.application.invite_bulk", json!({ "job_id": "job", "athlete_ids": ["anybody"] })),
        ("core.application.hire", json!({ "id": "application" })),
        ("core.application.reject", json!({ "id": "application" })),
        (
            "core.deliverable.change_status",
            json!({ "deliverable_id": "deliverable", "status": "=approved" }),
        ),
        (
            "core.deliverable.submit",
            json!({
                "deliverable_id": "deliverable", "post_url": "=https://www.instagram.com/p/1/",
                "file_ids": ["file"],
            }),
        ),
        ("core.contract.download", deal()),
        ("core.deal.list", json!({ "job_id": "job" })),
        ("core.application.withdraw", json!({ "id": "application" })),
        ("core.notification.mark_read", json!({ "id": "notification" })),
        ("core.job.close", json!({ "job_id": "job" })),
        ("core.job.reopen", json!({ "job_id": "job" })),
        ("core.job.cancel", json!({ "job_id": "job" })),
        ("core.payment.pay_with_saved_card", line()),
        ("core.payment.pay_with_saved_card", line_of_job()),
        ("core.payment.pay_bulk", json!({ "payments": [line()], "expected_total_cents": 110 })),
        (
            "core.payment.pay_bulk",
            json!({ "payments": [line_of_job()], "expected_total_cents": 110 }),
        ),
        (
            "core.payment.confirm",
            json!({ "payment_id": "payment", "return_url": "=https://brand.example/back" }),
        ),
        ("core.payment.give_up", json!({ "payment_id": "payment" })),
        ("core.file.download", json!({ "id": "file" })),
        ("core.athlete.edit", json!({ "photo_file_id": "file" })),
        ("core.partner.edit", json!({ "logo_file_id": "file" })),
        ("core.deal_folder.list", deal()),
        (
            "core.deal_folder.add",
            json!({
                "job_id": "job", "athlete_id": "athlete", "name": "=a.txt", "content": "=aGVsbG8=",
            }),
        ),
        ("core.deal_folder.download", json!({ "id": "deal_file" })),
        ("core.deal_folder.remove", json!({ "id": "spare deal_file" })),
        (
            "core.deal_folder.create_upload",
            json!({
                "job_id": "job", "athlete_id": "athlete", "name": "=a.png", "size": 10,
                "mime": "=image/png",
            }),
        ),
        (
            "core.deal_folder.create_upload",
            json!({
                "job_id": "job", "athlete_id": "athlete", "name": "=a.png", "size": 10,
                "mime": "=image/png", "replaces_id": "deal_file",
            }),
        ),
        ("core.deal_folder.complete_upload", json!({ "upload_id": "upload" })),
        ("core.deal_folder.versions", json!({ "document_id": "deal_file" })),
        (
            "core.deal_folder.replace",
            json!({ "id": "deal_file", "name": "=a.txt", "content": "=aGVsbG8=" }),
        ),
        ("core.deal_folder.approve", json!({ "id": "deal_file" })),
        ("core.deal_folder.request_edits", json!({ "id": "deal_file", "note": "=Larger." })),
        ("core.deal_folder.void", json!({ "id": "deal_file", "reason": "=Wrong season." })),
        ("core.deal_folder.comment", json!({ "id": "deal_file", "text": "=Yes." })),
        ("core.deal_folder.comments", json!({ "document_id": "deal_file" })),
        ("compliance.deal_folder.list", deal()),
        ("compliance.deal_folder.versions", json!({ "document_id": "deal_file" })),
        ("compliance.deal_folder.comments", json!({ "document_id": "deal_file" })),
        ("compliance.deal_folder.download", json!({ "id": "deal_file" })),
        ("core.file.delete", json!({ "id": "spare file" })),
        (
            "core.chat.send",
            json!({ "conversation_id": "conversation", "text": "=Hello", "file_ids": ["file"] }),
        ),
        ("core.chat.send", json!({ "user_id": "correspondent", "text": "=Hello" })),
        ("core.chat.send_mass", json!({ "user_ids": ["correspondent"], "text": "=Hello" })),
        ("core.chat.messages", json!({ "conversation_id": "conversation" })),
        ("core.chat.start", json!({ "user_id": "correspondent", "job_id": "job" })),
        ("core.chat.pin", json!({ "message_id": "message", "pinned": true })),
        ("core.assistant.chat", json!({ "text": "=What is due?", "job_id": "job" })),
        (
            "core.assistant.save_clarification_draft",
            json!({ "job_id": "job", "draft_text": "=May I?" }),
        ),
        (
            "core.assistant.edit_clarification_draft",
            json!({ "id": "draft", "draft_text": "=May I really?" }),
        ),
        (
            "core.assistant.send_clarification",
            json!({ "id": "draft", "final_text": "=May I, please?" }),
        ),
        ("core.assistant.remove_clarification_draft", json!({ "id": "draft" })),
        ("compliance.contract.download", deal()),
        ("core.agent.apply_athletes", json!({ "job_id": "job", "athlete_ids": ["athlete"] })),
        ("core.agent.contracts", json!({ "athlete_ids": ["athlete"] })),
        ("core.partner.download_invoice", json!({ "invoice_id": "partner's invoice" })),
        ("core.agent.download_invoice", json!({ "invoice_id": "agent's invoice" })),
        (
            "core.athlete.respond_agent_invitation",
            json!({ "representation_id": "representation", "accept": true }),
        ),
        (
            "core.disclosed_job.save",
            json!({ "id": "disclosed_job", "athlete_id": "athlete", "draft": true }),
        ),
        ("core.disclosed_job.withdraw", json!({ "id": "disclosed_job" })),
        ("compliance.disclosed_job.detail", json!({ "id": "submitted disclosed_job" })),
        (
            "compliance.disclosed_job.decide",
            json!({ "id": "submitted disclosed_job", "decision": "=take" }),
        ),
        ("core.clearance.detail", json!({ "id": "clearance" })),
        ("core.clearance.download_packet", json!({ "id": "clearance" })),
        (
            "core.clearance.save_packet",
            json!({
                "id": "clearance", "business_purpose": "=The shop is new.",
                "association": [
                    { "question": "=supports_institution", "answer": false },
                    { "question": "=insider", "answer": false },
                    { "question": "=large_donor", "answer": false },
                    { "question": "=asked_by_staff", "answer": false },
                    { "question": "=controlled_by_associate", "answer": false },
                    { "question": "=sponsor", "answer": false },
                ],
            }),
        ),
        (
            "compliance.clearance.answer",
            json!({
                "id": "clearance",
                "association": [{ "question": "=large_donor", "answer": false }],
            }),
        ),
        ("compliance.clearance.detail", json!({ "id": "clearance" })),
        ("compliance.clearance.download_packet", json!({ "id": "clearance" })),
        (
            "core.clearance.submit",
            json!({
                "id": "clearance",
                "attestations": ["=not_for_performance", "=not_an_inducement", "=business_purpose",
                    "=complete_and_true"],
            }),
        ),
        (
            "core.attestation.give",
            json!({
                "id": "asked clearance",
                "association": [
                    { "question": "=supports_institution", "answer": false },
                    { "question": "=insider", "answer": false },
                    { "question": "=large_donor", "answer": false },
                    { "question": "=asked_by_staff", "answer": false },
                    { "question": "=controlled_by_associate", "answer": false },
                    { "question": "=sponsor", "answer": false },
                ],
            }),
        ),
        ("compliance.clearance.record", json!({ "id": "clearance", "status": "=submitted" })),
        ("core.compensation.for_athlete", json!({ "athlete_id": "athlete", "category_id": 1 })),
        ("compliance.compensation.of_contract", json!({ "contract_id": "contract" })),
        ("compliance.compensation.of_disclosed_job", json!({ "id": "submitted disclosed_job" })),
        ("compliance.records_request.file", json!({ "id": "public_records_request" })),
        (
            "compliance.college.consent_to_job",
            json!({ "athlete_id": "athlete", "job_id": "job", "granted": true }),
        ),
        ("compliance.file.download", json!({ "id": "handed in" })),
        (
            "core.affiliate.save_link",
            json!({ "job_id": "commission job", "target_url": "=https://cedar.example/vests" }),
        ),
        ("core.affiliate.save_link", json!({ "id": "affiliate_link", "label": "=Bio" })),
        (
            "core.affiliate.report_royalty",
            json!({ "contract_id": "royalty contract", "reference": "=1", "amount_cents": 100 }),
        ),
        ("core.affiliate.links", json!({ "job_id": "job" })),
        ("core.affiliate.sales", json!({ "link_id": "affiliate_link", "job_id": "job" })),
        ("core.device.forget", json!({ "id": "device" })),
        ("core.ai_tools.deals", json!({ "job_id": "job" })),
        ("core.ai_tools.deliverables", json!({ "job_id": "job" })),
        ("core.ai_tools.payments", json!({ "job_id": "job" })),
        ("core.ai_tools.contract_terms", json!({ "job_id": "job" })),
        (
            "core.ai_tools.draft_clarification",
            json!({ "job_id": "job", "text": "=May I wear my jersey?" }),
        ),
        (
            "compliance.contract.download_disclosed",
            json!({ "athlete_id": "athlete", "disclosed_job_id": "submitted disclosed_job" }),
        ),
        ("compliance.disclosure.submit", json!({ "athlete_id": "athlete", "agent_id": "agent" })),
        ("compliance.disclosure.detail", json!({ "id": "filing" })),
        (
            "compliance.disclosure.update",
            json!({ "id": "filing", "agent_id": "agent", "warning_notice_present": true }),
        ),
        ("compliance.disclosure.download_documents", json!({ "id": "filing" })),
        ("compliance.disclosure.delete", json!({ "id": "spare filing" })),
        ("compliance.athlete.job_detail", deal()),
        (
            "compliance.athlete.job_detail",
            json!({
                "athlete_id": "athlete", "disclosed_job_id": "submitted disclosed_job",
            }),
        ),
        (
            "compliance.inbox.assign",
            json!({ "items": ["=disclosed_job:999999"], "assignee_id": "deciding colleague" }),
        ),
        ("core.webhook.save", json!({ "id": "partner's webhook", "enabled": true })),
        ("core.webhook.rotate_secret", json!({ "id": "partner's webhook" })),
        ("core.webhook.test", json!({ "id": "partner's webhook" })),
        ("core.webhook.deliveries", json!({ "webhook_id": "partner's webhook" })),
        ("core.webhook.replay", json!({ "id": "partner's delivery" })),
        ("core.webhook.remove", json!({ "id": "partner's spare webhook" })),
        ("compliance.webhook.save", json!({ "id": "college's webhook", "enabled": true })),
        ("compliance.webhook.rotate_secret", json!({ "id": "college's webhook" })),
        ("compliance.webhook.test", json!({ "id": "college's webhook" })),
        ("compliance.webhook.deliveries", json!({ "webhook_id": "college's webhook" })),
        ("compliance.webhook.replay", json!({ "id": "college's delivery" })),
        ("compliance.webhook.remove", json!({ "id": "college's spare webhook" })),
        ("compliance.squad_list.remove", json!({ "id": "squad member" })),
        ("compliance.portal_user.change", json!({ "id": "colleague", "role": "=finance" })),
        ("compliance.portal_user.reset_two_step", json!({ "id": "colleague" })),
        ("core.athlete.agent_notice", json!({ "representation_id": "representation" })),
        ("core.athlete.agent_filings", json!({ "representation_id": "representation" })),
        ("core.agent.notice", json!({ "representation_id": "representation" })),
        ("core.agent.filings", json!({ "representation_id": "representation" })),
        // Operations that end an agent's access come last.
        ("core.agent.end_representation", json!({ "representation_id": "representation" })),
        ("core.athlete.end_representation", json!({ "representation_id": "representation" })),
        ("core.athlete.cancel_agent_contract", json!({ "representation_id": "representation" })),
    ]
}

/// Ids in these inputs that are public, or that do not exist yet.
pub(super) const FREE: &[(&str, &str)] = &[
    // A position in a feed: no record is looked up by it.
    ("core.chat.messages", "before_id"),
    ("core.application.invite_bulk", "athlete_ids"),
    ("core.athlete.edit", "sport_id"),
    ("core.athlete.edit", "university_id"),
    ("core.partner.edit", "business_category_id"),
    ("core.disclosed_job.save", "category_id"),
    ("core.compensation.for_athlete", "job_id"),
    ("core.compensation.for_athlete", "category_id"),
    ("core.job.save", "category_id"),
    ("core.job.save", "sport_ids"),
    ("core.job.save", "university_ids"),
    ("core.deliverable.submit", "file_ids"),
    ("core.agent.apply_athletes", "job_id"),
    ("compliance.portal_user.change", "sport_ids"),
];
