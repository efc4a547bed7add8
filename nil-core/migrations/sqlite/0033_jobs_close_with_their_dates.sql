-- When a job stops taking applications: at its deadline, and at the latest when the last day that anything
-- is due on has ended wherever in the United States it ends last (Honolulu, ten hours behind UTC).
ALTER TABLE job ADD COLUMN closes_at TEXT;
UPDATE job SET closes_at = (
    SELECT MIN(MAX(CASE WHEN m.due_on = '9999-12-31' THEN '9999-12-31T23:59:59+00:00'
                        ELSE date(m.due_on, '+1 day') || 'T09:59:59+00:00' END),
               COALESCE(job.application_deadline, '9999-12-31T23:59:59+00:00'))
    FROM milestone m WHERE m.job_id = job.id);
UPDATE job SET closes_at = application_deadline WHERE closes_at IS NULL;
CREATE INDEX job_by_closing ON job (status, closes_at, id);

-- Whether a job still takes applications is asked of every job that a search finds.
DROP INDEX job_by_status;
CREATE INDEX job_by_status ON job (status, id, visibility, closes_at, category_id, kind, compensation,
    amount_cents);
