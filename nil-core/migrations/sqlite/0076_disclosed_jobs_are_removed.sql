-- Disclosed jobs are removed five years after everything about them is over. When the worker looks at one next; one that
-- must stay gets a later date.
ALTER TABLE disclosed_job ADD COLUMN kept_until TEXT;
UPDATE disclosed_job SET kept_until = strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+5 years');
CREATE INDEX disclosed_job_kept ON disclosed_job (kept_until, id) WHERE kept_until IS NOT NULL;

-- What is removed is taken out of the institution's figures, and so of its totals.
CREATE TRIGGER disclosed_job_removed_from_figures AFTER DELETE ON disclosed_job BEGIN
    DELETE FROM college_transaction WHERE source = 'disclosed' AND record_id = old.id;
END;
