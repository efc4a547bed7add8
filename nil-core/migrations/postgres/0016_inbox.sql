-- The officers' inbox: what waits for an institution, and what its officers did about it.

-- What officers did about an item of the inbox: one row for each item that somebody has touched.
CREATE TABLE inbox_item (
    kind TEXT NOT NULL CHECK (kind IN ('disclosed_job', 'deliverable', 'clearance', 'agent_notice')),
    record_id BIGINT NOT NULL,
    college_id BIGINT NOT NULL REFERENCES college (id),
    -- Who takes care of it.
    assigned_to BIGINT REFERENCES portal_user (id),
    snoozed_until TIMESTAMPTZ,
    -- When somebody was last reminded of it by an officer.
    reminded_at TIMESTAMPTZ,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (kind, record_id)
);
-- The worker removes rows that nobody has touched for long.
CREATE INDEX inbox_item_by_change ON inbox_item (updated_at);

-- What is in an institution's inbox: deadlines as `college_deadline` has them, and what waits for the institution, with
-- the instant since when. A clearance that is flagged was submitted: it has no deadline any more.
CREATE VIEW college_inbox AS
SELECT d.college_id, d.athlete_id, 'disclosed_job' AS kind, d.id AS record_id, d.title, d.payer_name AS counterparty,
    d.amount_cents, d.flags, d.status, d.due_at, d.first_submitted_at AS handed_in_at,
    CASE WHEN d.status IN ('submitted', 'under_review') THEN d.submitted_at END AS waiting_since
FROM disclosed_job d
WHERE d.first_submitted_at IS NOT NULL AND d.status IN ('submitted', 'under_review', 'info_requested', 'rejected')
UNION ALL
SELECT c.college_id, d.athlete_id, 'deliverable', d.id, m.title, p.company_name, d.amount_cents, NULL::jsonb, d.status,
    d.due_at, NULL::timestamptz, NULL::timestamptz
FROM contract c
JOIN deliverable d ON d.contract_id = c.id
JOIN milestone m ON m.id = d.milestone_id
JOIN partner p ON p.id = c.partner_id
WHERE c.status = 'active' AND d.status IN ('pending', 'denied')
UNION ALL
SELECT x.college_id, x.athlete_id, 'clearance', x.id, COALESCE(d.title, j.title), COALESCE(d.payer_name, p.company_name),
    x.amount_cents, NULL::jsonb, x.status, CASE WHEN x.status = 'due' THEN x.due_at END, NULL::timestamptz,
    CASE WHEN x.status = 'flagged' THEN x.decided_at END
FROM clearance x
LEFT JOIN disclosed_job d ON d.id = x.disclosed_job_id
LEFT JOIN contract c ON c.id = x.contract_id
LEFT JOIN job j ON j.id = c.job_id
LEFT JOIN partner p ON p.id = c.partner_id
WHERE x.status IN ('due', 'flagged') AND (x.contract_id IS NOT NULL OR d.first_submitted_at IS NOT NULL)
UNION ALL
SELECT f.college_id, f.athlete_id, 'agent_notice', f.id, 'Notice of an agency contract',
    COALESCE(f.particulars -> 'agent' ->> 'name', f.particulars -> 'agent' ->> 'business'), NULL::bigint, NULL::jsonb, f.status,
    CASE WHEN f.agent_noticed_at IS NULL OR f.athlete_noticed_at IS NULL THEN f.notice_due_at END, NULL::timestamptz,
    CASE WHEN f.status = 'submitted' THEN f.submitted_at END
FROM athlete_agent_filing f
WHERE f.status IN ('draft', 'submitted', 'acknowledged', 'returned') AND (f.status = 'submitted'
    OR f.notice_due_at IS NOT NULL AND (f.agent_noticed_at IS NULL OR f.athlete_noticed_at IS NULL));
