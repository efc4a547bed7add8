-- When a job stops taking applications: at its deadline, and at the latest when the last day that anything
-- is due on has ended wherever in the United States it ends last (Honolulu, ten hours behind UTC).
ALTER TABLE job ADD COLUMN closes_at TIMESTAMPTZ;
UPDATE job SET closes_at = (
    SELECT LEAST((MAX(m.due_on) + interval '1 day 9 hours 59 minutes 59 seconds') AT TIME ZONE 'UTC',
                 job.application_deadline, timestamptz '9999-12-31 23:59:59+00')
    FROM milestone m WHERE m.job_id = job.id)
WHERE EXISTS (SELECT 1 FROM milestone m WHERE m.job_id = job.id);
UPDATE job SET closes_at = application_deadline WHERE closes_at IS NULL;
CREATE INDEX job_by_closing ON job (status, closes_at, id);

-- Whether a job still takes applications is asked of every job that a search finds.
DROP INDEX job_by_status;
CREATE INDEX job_by_status ON job (status, id, visibility, closes_at, category_id, kind, compensation,
    amount_cents);
