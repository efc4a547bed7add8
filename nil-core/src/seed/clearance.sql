INSERT INTO clearance (id, athlete_id, college_id, disclosed_job_id, payor, amount_cents, signed_on, counts, status,
    due_at, submitted_at, decided_at, created_at, updated_at)
SELECT d.id, d.athlete_id, d.college_id, d.id, lower(d.payer_name), d.amount_cents, d.signed_on,
    d.status <> 'rejected',
    CASE WHEN d.amount_cents >= 60000 THEN 'cleared' ELSE 'not_required' END,
    CASE WHEN d.amount_cents >= 60000 THEN d.due_at END,
    CASE WHEN d.amount_cents >= 60000 THEN d.submitted_at END,
    CASE WHEN d.amount_cents >= 60000 THEN d.submitted_at END, d.created_at, d.updated_at
FROM disclosed_job d WHERE d.id BETWEEN $1 AND $2
