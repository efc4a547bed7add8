//! The areas of deals, money and compliance.

use super::area::{Area, Kind, Whose, areas};

areas! {
    Applications = "applications" "Applications" of Profile
    [job: Text, company: Text, status: Text, source: Text, pitch: Text, proposed_amount_cents: Cents,
        created_at: Moment, updated_at: Moment]
    "SELECT a.id, j.title AS job, b.company_name AS company, a.status, a.source, a.pitch, \
     a.proposed_amount_cents, a.created_at, a.updated_at FROM application a \
     JOIN job j ON j.id = a.job_id JOIN partner b ON b.id = j.partner_id \
     WHERE a.athlete_id = $1 AND a.id > $2 ORDER BY a.id LIMIT $3";

    AthleteContracts = "contracts" "Contracts" of Profile
    [number: Text, company: Text, status: Text, agreed_amount_cents: Cents, generated_at: Moment,
        executed_at: Moment, cancelled_at: Moment, completed_at: Moment, terms: Json]
    "SELECT c.id, c.number, b.company_name AS company, c.status, c.agreed_amount_cents, \
     c.generated_at, c.executed_at, c.cancelled_at, c.completed_at, c.terms FROM contract c \
     JOIN partner b ON b.id = c.partner_id \
     WHERE c.athlete_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3";

    PartnerContracts = "contracts" "Contracts" of Profile
    [number: Text, status: Text, agreed_amount_cents: Cents, generated_at: Moment,
        executed_at: Moment, cancelled_at: Moment, completed_at: Moment, terms: Json]
    "SELECT id, number, status, agreed_amount_cents, generated_at, executed_at, cancelled_at, \
     completed_at, terms FROM contract WHERE partner_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    Consents = "consents" "What you agreed to" of Profile
    [contract: Text, amendment: Number, side: Text, name: Text, at: Moment, address: Text]
    "SELECT id, contract, amendment, side, name, at, address FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY c.id, s.amendment, s.side) AS id, c.number AS contract, \
     s.amendment, s.side, s.name, s.at, s.address FROM contract c \
     JOIN contract_assent s ON s.contract_id = c.id \
     WHERE c.athlete_id = $1 AND s.side IN ('athlete', 'guardian')) n \
     WHERE id > $2 ORDER BY id LIMIT $3";

    Requests = "contract_requests" "Requests to cancel or to extend" of Profile
    [contract: Text, kind: Text, status: Text, reason: Text, proposed_due_on: Day,
        created_at: Moment, decided_at: Moment]
    "SELECT r.id, c.number AS contract, r.kind, r.status, r.reason, r.proposed_due_on, r.created_at, \
     r.decided_at FROM contract c JOIN contract_request r ON r.contract_id = c.id \
     WHERE c.athlete_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3";

    Deliverables = "deliverables" "Deliverables" of Profile
    [contract: Text, title: Text, due_on: Day, status: Text, amount_cents: Cents, post_urls: Json,
        caption: Text, file_ids: Json, submitted_at: Moment, reviewed_at: Moment, review_note: Text]
    "SELECT d.id, c.number AS contract, m.title, d.due_on, d.status, d.amount_cents, d.post_urls, \
     d.caption, d.file_ids, d.submitted_at, d.reviewed_at, d.review_note FROM deliverable d \
     JOIN contract c ON c.id = d.contract_id JOIN milestone m ON m.id = d.milestone_id \
     WHERE d.athlete_id = $1 AND d.id > $2 ORDER BY d.id LIMIT $3";

    AthletePayments = "payments" "Payments" of Profile
    [number: Text, company: Text, amount_cents: Cents, agent_commission_cents: Cents,
        refunded_cents: Cents, status: Text, paid_at: Moment, created_at: Moment]
    "SELECT p.id, p.number, b.company_name AS company, p.amount_cents, p.agent_commission_cents, \
     p.refunded_cents, p.status, p.paid_at, p.created_at FROM payment p \
     JOIN partner b ON b.id = p.partner_id \
     WHERE p.athlete_id = $1 AND p.id > $2 ORDER BY p.id LIMIT $3";

    PartnerPayments = "payments" "Payments" of Profile
    [number: Text, amount_cents: Cents, fee_cents: Cents, total_cents: Cents, refunded_cents: Cents,
        status: Text, paid_at: Moment, created_at: Moment]
    "SELECT id, number, amount_cents, fee_cents, total_cents, refunded_cents, status, paid_at, \
     created_at FROM payment WHERE partner_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    Payouts = "payouts" "Payouts" of Owner
    [amount_cents: Cents, status: Text, hold_reasons: Json, arrives_on: Day, created_at: Moment]
    "SELECT id, amount_cents, status, hold_reasons, arrives_on, created_at FROM payout \
     WHERE wallet = $1 || ':wallet' AND id > $2 ORDER BY id LIMIT $3";

    Ledger = "ledger" "Ledger entries" of Owner
    [account: Text, reason: Text, refers_to: Text, at: Moment, amount_cents: Cents,
        balance_after_cents: Cents]
    "SELECT e.id, e.account, t.reason, t.refers_to, t.at, e.amount_cents, e.balance_after_cents \
     FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id WHERE e.account IN \
     ($1 || ':wallet', $1 || ':receivable', $1 || ':bank', $1 || ':card') AND e.id > $2 \
     ORDER BY e.id LIMIT $3";

    Cards = "cards" "Saved cards" of Owner
    [brand: Text, last4: Text, exp_month: Number, exp_year: Number, is_default: Yes,
        removed_at: Moment, created_at: Moment]
    "SELECT id, brand, last4, exp_month, exp_year, is_default, removed_at, created_at \
     FROM payment_method WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3";

    Invoices = "invoices" "Invoices" of Owner
    [number: Text, kind: Text, status: Text, total_cents: Cents, issued_at: Moment, paid_at: Moment]
    "SELECT id, number, kind, status, total_cents, issued_at, paid_at FROM invoice \
     WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3";

    Jobs = "jobs" "Jobs" of Profile
    [title: Text, description: Text, kind: Text, compensation: Text, amount_cents: Cents, slots: Number,
        filled: Number, status: Text, created_at: Moment]
    "SELECT id, title, description, kind, compensation, amount_cents, slots, filled, status, \
     created_at FROM job WHERE partner_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    AthleteOrders = "service_orders" "Orders of your services" of Profile
    [title: Text, company: Text, price_cents: Cents, status: Text, note: Text, reason: Text,
        created_at: Moment, ended_at: Moment]
    "SELECT o.id, o.title, b.company_name AS company, o.price_cents, o.status, o.note, o.reason, \
     o.created_at, o.ended_at FROM service_order o JOIN partner b ON b.id = o.partner_id \
     WHERE o.athlete_id = $1 AND o.id > $2 ORDER BY o.id LIMIT $3";

    PartnerOrders = "service_orders" "Orders of services" of Profile
    [title: Text, price_cents: Cents, status: Text, note: Text, reason: Text, created_at: Moment,
        ended_at: Moment]
    "SELECT id, title, price_cents, status, note, reason, created_at, ended_at FROM service_order \
     WHERE partner_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    Offers = "service_offers" "Services you offer" of Profile
    [title: Text, description: Text, price_cents: Cents, delivery_days: Number, active: Yes,
        created_at: Moment]
    "SELECT id, title, description, price_cents, delivery_days, active, created_at \
     FROM service_offer WHERE athlete_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    AthleteAgents = "representations" "Agents" of Profile
    [agency: Text, status: Text, commission_basis_points: Number, message: Text, invited_at: Moment,
        accepted_at: Moment, ended_at: Moment]
    "SELECT r.id, g.agency_name AS agency, r.status, r.commission_basis_points, r.message, \
     r.invited_at, r.accepted_at, r.ended_at FROM representation r JOIN agent g ON g.id = r.agent_id \
     WHERE r.athlete_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3";

    AgentAthletes = "representations" "Representations" of Profile
    [status: Text, commission_basis_points: Number, message: Text, invited_at: Moment,
        accepted_at: Moment, ended_at: Moment]
    "SELECT id, status, commission_basis_points, message, invited_at, accepted_at, ended_at \
     FROM representation WHERE agent_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    Enrolments = "enrolments" "When you enrolled" of Profile
    [institution: Text, kind: Text, enrolled_on: Day, counts_from: Day, first_contest_on: Day,
        updated_at: Moment]
    "SELECT e.college_id AS id, c.name AS institution, e.kind, e.enrolled_on, e.counts_from, \
     e.first_contest_on, e.updated_at FROM athlete_entry e JOIN college c ON c.id = e.college_id \
     WHERE e.athlete_id = $1 AND e.college_id > $2 ORDER BY e.college_id LIMIT $3";

    Disclosures = "disclosures" "Deals you disclosed" of Profile
    [title: Text, payer_name: Text, payer_kind: Text, amount_cents: Cents, signed_on: Day,
        description: Text, status: Text, decision_note: Text, submitted_at: Moment, due_at: Moment]
    "SELECT id, title, payer_name, payer_kind, amount_cents, signed_on, description, status, \
     decision_note, submitted_at, due_at FROM disclosed_job \
     WHERE athlete_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    Clearances = "clearances" "Clearances" of Profile
    [payor: Text, amount_cents: Cents, signed_on: Day, status: Text, due_at: Moment, reference: Text,
        note: Text, submitted_at: Moment, decided_at: Moment]
    "SELECT id, payor, amount_cents, signed_on, status, due_at, reference, note, submitted_at, \
     decided_at FROM clearance WHERE athlete_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    Filings = "agent_filings" "What your institution filed about your agents" of Profile
    [institution: Text, status: Text, particulars: Json, signed_on: Day, submitted_at: Moment,
        decided_at: Moment]
    "SELECT f.id, c.name AS institution, f.status, f.particulars, f.signed_on, f.submitted_at, \
     f.decided_at FROM athlete_agent_filing f JOIN college c ON c.id = f.college_id \
     WHERE f.athlete_id = $1 AND f.first_submitted_at IS NOT NULL AND f.id > $2 \
     ORDER BY f.id LIMIT $3";

    JobConsents = "institution_consents" "Your institution's consents" of Profile
    [job: Text, granted: Yes, note: Text, decided_at: Moment]
    "SELECT j.id, j.title AS job, i.granted, i.note, i.decided_at FROM institution_consent i \
     JOIN job j ON j.id = i.job_id WHERE i.athlete_id = $1 AND j.id > $2 ORDER BY j.id LIMIT $3";

    Assistant = "assistant" "Talks with the assistant" of Profile
    [role: Text, text: Text, created_at: Moment]
    "SELECT id, role, text, created_at FROM assistant_message \
     WHERE athlete_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    Drafts = "clarifications" "Questions to brands" of Profile
    [job_id: Number, draft_text: Text, final_text: Text, status: Text, sent_at: Moment]
    "SELECT id, job_id, draft_text, final_text, status, sent_at FROM clarification_draft \
     WHERE athlete_id = $1 AND id > $2 ORDER BY id LIMIT $3";
}
