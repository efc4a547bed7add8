-- Filings are removed five years after they ended; the worker finds them by this.
CREATE INDEX athlete_agent_filing_ended ON athlete_agent_filing (COALESCE(deleted_at, decided_at), id)
    WHERE status IN ('terminated', 'deleted');
