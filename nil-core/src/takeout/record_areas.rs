//! The areas of records that go with deals, money and the account: tax forms, packets, comments,
//! posts, choices.

use super::area::{Area, Kind, Whose, areas};

areas! {
    TaxForms = "tax_forms" "Tax forms" of Owner
    [version: Number, classification: Text, first_name: Text, last_name: Text, business_name: Text,
        street: Text, street2: Text, city: Text, state: Text, postal_code: Text, phone: Text,
        tin_kind: Text, tin_last4: Text, statement_version: Text, signature: Text,
        certified_at: Moment, certified_from: Text, replaced_at: Moment]
    "SELECT id, version, classification, first_name, last_name, business_name, street, street2, city, \
     state, postal_code, phone, tin_kind, tin_last4, statement_version, signature, certified_at, \
     certified_from, replaced_at FROM tax_form WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3";

    TaxFormRequests = "tax_form_requests" "Requests for a tax form" of Owner
    [year: Number, near_threshold_at: Moment, payout_held_at: Moment, tax_withheld_at: Moment,
        returns_due_at: Moment, answered_at: Moment]
    "SELECT id, year, near_threshold_at, payout_held_at, tax_withheld_at, returns_due_at, answered_at \
     FROM tax_form_request WHERE owner = $1 AND asked_at IS NOT NULL AND id > $2 ORDER BY id LIMIT $3";

    Withholding = "backup_withholding" "Backup withholding" of Owner
    [notice: Text, reason: Text, starts_at: Moment, ends_at: Moment]
    "SELECT id, notice, reason, starts_at, ends_at FROM backup_withholding \
     WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3";

    PayoutAccounts = "payout_accounts" "Payout account" of Owner
    [kind: Text, status: Text, preference: Text, charges_enabled: Yes, payouts_enabled: Yes,
        requirements_due: Json, requirements_due_by: Moment, restriction: Text, created_at: Moment]
    "SELECT id, kind, status, preference, charges_enabled, payouts_enabled, requirements_due, \
     requirements_due_by, restriction, created_at FROM payout_account WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3";

    InvoiceLines = "invoice_lines" "Lines of invoices" of Owner
    [invoice: Text, at: Moment, description: Text, amount_cents: Cents]
    "SELECT id, invoice, at, description, amount_cents FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY i.id, l.position) AS id, i.number AS invoice, l.at, \
     l.description, l.amount_cents FROM invoice i JOIN invoice_line l ON l.invoice_id = i.id \
     WHERE i.owner = $1) n WHERE id > $2 ORDER BY id LIMIT $3";

    AthleteRefunds = "refunds" "Refunds" of Profile
    [payment: Text, amount_cents: Cents, reason: Text, status: Text, created_at: Moment]
    "SELECT r.id, p.number AS payment, r.amount_cents, r.reason, r.status, r.created_at \
     FROM payment p JOIN refund r ON r.payment_id = p.id \
     WHERE p.athlete_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3";

    PartnerRefunds = "refunds" "Refunds" of Profile
    [payment: Text, amount_cents: Cents, fee_cents: Cents, reason: Text, status: Text,
        created_at: Moment]
    "SELECT r.id, p.number AS payment, r.amount_cents, r.fee_cents, r.reason, r.status, r.created_at \
     FROM payment p JOIN refund r ON r.payment_id = p.id \
     WHERE p.partner_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3";

    AthleteDisputes = "disputes" "Disputes" of Profile
    [payment: Text, amount_cents: Cents, reason: Text, status: Text, opened_at: Moment]
    "SELECT d.id, p.number AS payment, s.amount_cents, d.reason, d.status, d.opened_at \
     FROM dispute_share s JOIN dispute d ON d.id = s.dispute_id \
     JOIN payment p ON p.id = s.payment_id \
     WHERE s.athlete_id = $1 AND d.id > $2 ORDER BY d.id LIMIT $3";

    PartnerWebhooks = "webhooks" "Endpoints of webhooks" of Profile
    [url: Text, description: Text, events: Json, enabled: Yes, created_at: Moment,
        updated_at: Moment]
    "SELECT id, url, description, events, enabled, created_at, updated_at FROM webhook_endpoint \
     WHERE partner_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    PartnerDisputes = "disputes" "Disputes" of Profile
    [amount_cents: Cents, reason: Text, status: Text, statement: Text, opened_at: Moment]
    "SELECT id, amount_cents, reason, status, statement, opened_at FROM dispute \
     WHERE partner_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    AgentDisputes = "disputes" "Disputes" of Profile
    [amount_cents: Cents, reason: Text, status: Text, statement: Text, opened_at: Moment]
    "SELECT id, amount_cents, reason, status, statement, opened_at FROM dispute \
     WHERE agent_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    PartnerSubscriptionRefunds = "subscription_refunds" "Refunds of subscriptions" of Profile
    [amount_cents: Cents, rule: Text, reason: Text, status: Text, created_at: Moment]
    "SELECT r.id, r.amount_cents, r.rule, r.reason, r.status, r.created_at FROM subscription s \
     JOIN subscription_period p ON p.subscription_id = s.id \
     JOIN subscription_charge c ON c.period_id = p.id \
     JOIN subscription_refund r ON r.charge_id = c.id \
     WHERE s.partner_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3";

    AgentSubscriptionRefunds = "subscription_refunds" "Refunds of subscriptions" of Profile
    [amount_cents: Cents, rule: Text, reason: Text, status: Text, created_at: Moment]
    "SELECT r.id, r.amount_cents, r.rule, r.reason, r.status, r.created_at FROM subscription s \
     JOIN subscription_period p ON p.subscription_id = s.id \
     JOIN subscription_charge c ON c.period_id = p.id \
     JOIN subscription_refund r ON r.charge_id = c.id \
     WHERE s.agent_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3";

    AthleteAmendments = "contract_amendments" "Amendments to contracts" of Profile
    [contract: Text, number: Number, kind: Text, change: Json, at: Moment]
    "SELECT id, contract, number, kind, change, at FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY c.id, m.number) AS id, c.number AS contract, m.number, m.kind, \
     m.change, m.at FROM contract c JOIN contract_amendment m ON m.contract_id = c.id \
     WHERE c.athlete_id = $1) n WHERE id > $2 ORDER BY id LIMIT $3";

    PartnerAmendments = "contract_amendments" "Amendments to contracts" of Profile
    [contract: Text, number: Number, kind: Text, change: Json, at: Moment]
    "SELECT id, contract, number, kind, change, at FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY c.id, m.number) AS id, c.number AS contract, m.number, m.kind, \
     m.change, m.at FROM contract c JOIN contract_amendment m ON m.contract_id = c.id \
     WHERE c.partner_id = $1) n WHERE id > $2 ORDER BY id LIMIT $3";

    Milestones = "milestones" "Milestones of your jobs" of Profile
    [job: Text, title: Text, platform: Text, media_kind: Text, quantity: Number, due_on: Day,
        amount_cents: Cents, instructions: Text, hashtags: Json]
    "SELECT m.id, j.title AS job, m.title, m.platform, m.media_kind, m.quantity, m.due_on, \
     m.amount_cents, m.instructions, m.hashtags FROM job j JOIN milestone m ON m.job_id = j.id \
     WHERE j.partner_id = $1 AND m.id > $2 ORDER BY m.id LIMIT $3";

    Posts = "watched_posts" "Posts that must stay up" of Profile
    [contract: Text, url: Text, live_until: Moment, outcome: Text, reason: Text, checked_at: Moment,
        seen_at: Moment]
    "SELECT w.id, c.number AS contract, w.url, w.live_until, w.outcome, w.reason, w.checked_at, \
     w.seen_at FROM deliverable d JOIN watched_post w ON w.deliverable_id = d.id \
     JOIN contract c ON c.id = d.contract_id \
     WHERE d.athlete_id = $1 AND w.id > $2 ORDER BY w.id LIMIT $3";

    PostChecks = "post_checks" "What was seen of these posts" of Profile
    [url: Text, day: Day, outcome: Text, reason: Text, at: Moment]
    "SELECT id, url, day, outcome, reason, at FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY w.id, k.day) AS id, w.url, k.day, k.outcome, k.reason, k.at \
     FROM deliverable d JOIN watched_post w ON w.deliverable_id = d.id \
     JOIN post_check k ON k.post_id = w.id WHERE d.athlete_id = $1) n \
     WHERE id > $2 ORDER BY id LIMIT $3";

    Links = "affiliate_links" "Links for sales" of Profile
    [contract: Text, code: Text, target_url: Text, label: Text, active: Yes, clicks: Number,
        created_at: Moment]
    "SELECT l.id, c.number AS contract, l.code, l.target_url, l.label, l.active, l.clicks, \
     l.created_at FROM contract c JOIN affiliate_link l ON l.contract_id = c.id \
     WHERE c.athlete_id = $1 AND NOT l.royalty AND l.id > $2 ORDER BY l.id LIMIT $3";

    Sales = "affiliate_sales" "Sales reported for your links" of Profile
    [contract: Text, order_reference: Text, amount_cents: Cents, commission_cents: Cents,
        created_at: Moment]
    "SELECT s.id, c.number AS contract, s.order_reference, s.amount_cents, s.commission_cents, \
     s.created_at FROM contract c JOIN affiliate_conversion s ON s.contract_id = c.id \
     WHERE c.athlete_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3";

    Packets = "clearance_packets" "What you wrote for the clearinghouse" of Profile
    [clearance: Number, payer_kind: Text, payer_parent: Text, business_purpose: Text, uses_marks: Yes,
        explanation: Text, prepared_by: Text, revision: Number, updated_at: Moment]
    "SELECT c.id, c.id AS clearance, p.payer_kind, p.payer_parent, p.business_purpose, p.uses_marks, \
     p.explanation, p.prepared_by, p.revision, p.updated_at FROM clearance c \
     JOIN clearance_packet p ON p.clearance_id = c.id \
     WHERE c.athlete_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3";

    ClearanceSteps = "clearance_steps" "What the clearinghouse was told and answered" of Profile
    [clearance: Number, step: Text, reference: Text, note: Text, packet: Json, recorded_by: Text,
        created_at: Moment]
    "SELECT s.id, c.id AS clearance, s.step, s.reference, s.note, s.packet, s.recorded_by, \
     s.created_at FROM clearance c JOIN clearance_step s ON s.clearance_id = c.id \
     WHERE c.athlete_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3";

    Activities = "activities" "Activities you offer" of Profile
    [activity: Text, min_price_cents: Cents, price_shown: Yes]
    "SELECT id, activity, min_price_cents, price_shown FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY activity) AS id, activity, min_price_cents, price_shown \
     FROM athlete_activity WHERE athlete_id = $1) n WHERE id > $2 ORDER BY id LIMIT $3";

    Rosters = "rosters" "Public lists that name you" of Profile
    [title: Text, added_at: Moment]
    "SELECT r.id, r.title, a.added_at FROM roster_athlete a JOIN roster r ON r.id = a.roster_id \
     WHERE a.athlete_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3";

    Comments = "deal_folder_comments" "Comments you wrote in deal folders" of Account
    [document: Number, text: Text, created_at: Moment]
    "SELECT id, document_id AS document, text, created_at FROM deal_file_comment \
     WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    QuietHours = "quiet_hours" "Quiet hours" of Key
    [from_time: Text, to_time: Text, time_zone: Text, updated_at: Moment]
    "SELECT id, from_time, to_time, time_zone, updated_at FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY owner) AS id, from_time, to_time, time_zone, updated_at \
     FROM quiet_hours WHERE owner = $1) n WHERE id > $2 ORDER BY id LIMIT $3";

    FirstSteps = "first_steps" "First steps you have done" of Account
    [step: Text, done_at: Moment]
    "SELECT id, step, done_at FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY step) AS id, step, done_at FROM tutorial_step \
     WHERE user_id = $1) n WHERE id > $2 ORDER BY id LIMIT $3";

    Impersonations = "impersonations" "When operators acted as your account" of Account
    [purpose: Text, calls: Number, started_at: Moment, ended_at: Moment]
    "SELECT id, purpose, calls, started_at, ended_at FROM impersonation \
     WHERE user_id = $1 AND purpose <> 'abuse_investigation' AND id > $2 ORDER BY id LIMIT $3";
}
