-- Lists of many rows are counted and added up from indexes alone. An index with the same first columns takes the place of
-- an older one, so that most writes cost what they did.

-- With the disclosed job: those that the institution does not have yet are left out.
DROP INDEX clearance_by_college;
CREATE INDEX clearance_by_college ON clearance (college_id, status, id, disclosed_job_id);

-- What an institution sees, and the few that it does not have yet.
DROP INDEX disclosed_job_of_college;
CREATE INDEX disclosed_job_of_college ON disclosed_job (college_id, id) WHERE first_submitted_at IS NOT NULL;
CREATE INDEX disclosed_job_kept_back ON disclosed_job (college_id, id) WHERE first_submitted_at IS NULL;

-- Filings of the inbox: of those that are acknowledged, only a few lack a notice.
CREATE INDEX athlete_agent_filing_open ON athlete_agent_filing (college_id, status, id)
    WHERE status = 'submitted' OR notice_due_at IS NOT NULL AND (agent_noticed_at IS NULL OR athlete_noticed_at IS NULL);

-- An operator's reports, the newest first.
CREATE INDEX export_report_of_operator ON export_report (operator_id, id);

-- The sums of payments, for each state.
DROP INDEX payment_by_status;
CREATE INDEX payment_by_status ON payment (status, id, amount_cents, fee_cents, agent_commission_cents, refunded_cents);
