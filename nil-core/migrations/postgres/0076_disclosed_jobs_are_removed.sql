-- Disclosed jobs are removed five years after everything about them is over. When the worker looks at one next; one that
-- must stay gets a later date.
ALTER TABLE disclosed_job ADD COLUMN kept_until TIMESTAMPTZ;
UPDATE disclosed_job SET kept_until = created_at + INTERVAL '5 years';
CREATE INDEX disclosed_job_kept ON disclosed_job (kept_until, id) WHERE kept_until IS NOT NULL;

-- What is removed is taken out of the institution's figures, and so of its totals.
CREATE FUNCTION disclosed_job_removed_from_figures() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM college_transaction t WHERE t.source = 'disclosed' AND t.record_id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER disclosed_job_removed_from_figures AFTER DELETE ON disclosed_job
    FOR EACH ROW EXECUTE FUNCTION disclosed_job_removed_from_figures();
