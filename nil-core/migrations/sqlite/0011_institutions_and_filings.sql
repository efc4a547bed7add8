-- What institutions ask of deals, the filings about athletes' agents, and what institutions give to the public.

CREATE TABLE college_setting (
    college_id INTEGER NOT NULL PRIMARY KEY REFERENCES college (id),
    digest TEXT NOT NULL CHECK (digest IN ('instant', 'daily', 'weekly')),
    contact_email TEXT,
    logo_url TEXT,
    -- The fewest athletes that a published figure stands for.
    smallest_group INTEGER NOT NULL DEFAULT 5 CHECK (smallest_group BETWEEN 5 AND 100),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

-- Append-only: a change is a new row, in force from its day on. What an institution has not said itself
-- comes from assets/reference/institution_rules.csv.
CREATE TABLE institution_rule (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL REFERENCES college (id),
    rule TEXT NOT NULL CHECK (rule IN ('deadline', 'threshold', 'approval', 'hold_payouts',
        'prohibited_categories', 'restricted_categories', 'sponsor_conflicts', 'marks', 'blackouts',
        'f1', 'agent_notice', 'automatic_flags')),
    value TEXT NOT NULL,
    effective_on TEXT NOT NULL,
    set_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX institution_rule_by_college ON institution_rule (college_id, effective_on, id);

-- An institution's word on one athlete and one job in a category it restricts.
CREATE TABLE institution_consent (
    college_id INTEGER NOT NULL REFERENCES college (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    job_id INTEGER NOT NULL REFERENCES job (id),
    granted INTEGER NOT NULL,
    note TEXT,
    decided_by TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    PRIMARY KEY (college_id, athlete_id, job_id)
) STRICT;

-- What an institution holds about an athlete's contract with an agent.
CREATE TABLE athlete_agent_filing (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL REFERENCES college (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
    -- The agreement made on the platform that it was drafted for.
    representation_id INTEGER REFERENCES representation (id),
    particulars TEXT NOT NULL,
    file_ids TEXT NOT NULL,
    -- Names and numbers in small letters without accents: what searches read.
    search_text TEXT NOT NULL,
    signed_on TEXT,
    notice_due_at TEXT,
    cancellation_ends_at TEXT,
    agent_noticed_at TEXT,
    athlete_noticed_at TEXT,
    status TEXT NOT NULL CHECK (status IN ('draft', 'submitted', 'acknowledged', 'returned',
        'terminated', 'deleted')),
    version INTEGER NOT NULL CHECK (version >= 1),
    filed_by TEXT NOT NULL,
    submitted_by TEXT,
    first_submitted_at TEXT,
    submitted_at TEXT,
    decision_note TEXT,
    decided_by TEXT,
    decided_at TEXT,
    reminded_of TEXT,
    deleted_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status IN ('draft', 'deleted') OR submitted_at IS NOT NULL),
    CHECK (status NOT IN ('acknowledged', 'returned', 'terminated') OR decided_at IS NOT NULL),
    CHECK ((status = 'deleted') = (deleted_at IS NOT NULL))
) STRICT;
CREATE INDEX athlete_agent_filing_by_college ON athlete_agent_filing (college_id, status, id);
CREATE INDEX athlete_agent_filing_by_athlete ON athlete_agent_filing (athlete_id, id);
CREATE INDEX athlete_agent_filing_by_agent ON athlete_agent_filing (agent_id);
CREATE INDEX athlete_agent_filing_by_due ON athlete_agent_filing (notice_due_at);
-- Filings are removed five years after they ended; the worker finds them by this.
CREATE INDEX athlete_agent_filing_ended ON athlete_agent_filing (COALESCE(deleted_at, decided_at), id)
    WHERE status IN ('terminated', 'deleted');
CREATE UNIQUE INDEX athlete_agent_filing_drafted_key ON athlete_agent_filing (representation_id, college_id)
    WHERE representation_id IS NOT NULL;
-- The pages of an institution's lists are read in the order of an index, after the last row of the page before.
CREATE INDEX athlete_agent_filing_of_college ON athlete_agent_filing (college_id, id);

-- Append-only: a filing as it was after each thing that was done to it.
CREATE TABLE athlete_agent_filing_version (
    filing_id INTEGER NOT NULL REFERENCES athlete_agent_filing (id),
    version INTEGER NOT NULL CHECK (version >= 1),
    action TEXT NOT NULL CHECK (action IN ('created', 'changed', 'submitted', 'acknowledged',
        'returned', 'terminated', 'deleted')),
    by_whom TEXT NOT NULL,
    note TEXT,
    content TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (filing_id, version)
) STRICT;

-- Requests for public records.
CREATE TABLE public_records_request (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL REFERENCES college (id),
    requester TEXT NOT NULL,
    legal_basis TEXT NOT NULL,
    received_on TEXT NOT NULL,
    from_on TEXT,
    to_on TEXT,
    noted_by INTEGER NOT NULL REFERENCES portal_user (id),
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX public_records_request_by_college ON public_records_request (college_id, id);

-- One row for each file: begun when its first bytes are sent, completed before its last ones are.
CREATE TABLE public_records_disclosure (
    id INTEGER PRIMARY KEY,
    request_id INTEGER NOT NULL REFERENCES public_records_request (id),
    file_name TEXT NOT NULL,
    smallest_group INTEGER NOT NULL,
    handed_out_by INTEGER NOT NULL REFERENCES portal_user (id),
    created_at TEXT NOT NULL,
    completed_at TEXT,
    contracts INTEGER,
    transactions INTEGER,
    bytes INTEGER,
    sha256 TEXT,
    CHECK ((completed_at IS NULL) = (sha256 IS NULL))
) STRICT;
CREATE INDEX public_records_disclosure_by_request ON public_records_disclosure (request_id, id);
