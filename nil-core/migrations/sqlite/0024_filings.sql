-- Athlete agents' filings, and files that belong to an institution: its officers have no account of the
-- Core interface.

-- SQLite takes no NOT NULL back from a column, so the table is made anew under its own name. What refers
-- to it is looked at again when this is committed.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE stored_file_before AS SELECT * FROM stored_file;
DROP TABLE stored_file;
CREATE TABLE stored_file (
    id INTEGER PRIMARY KEY,
    user_id INTEGER REFERENCES app_user (id),
    college_id INTEGER REFERENCES college (id),
    name TEXT NOT NULL,
    media_type TEXT NOT NULL CHECK (media_type IN ('image/jpeg', 'image/png', 'image/webp',
        'image/gif', 'video/mp4', 'video/quicktime', 'application/pdf', 'text/plain', 'text/csv')),
    size INTEGER NOT NULL CHECK (size >= 1),
    sha256 TEXT NOT NULL,
    object_key TEXT NOT NULL CONSTRAINT stored_file_object_key UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('writing', 'stored', 'deleted')),
    uses INTEGER NOT NULL CHECK (uses >= 0),
    deleted_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((user_id IS NULL) <> (college_id IS NULL)),
    CHECK ((status = 'deleted') = (deleted_at IS NOT NULL)),
    CHECK (status = 'stored' OR uses = 0)
) STRICT;
INSERT INTO stored_file (id, user_id, name, media_type, size, sha256, object_key, status, uses,
    deleted_at, created_at, updated_at)
SELECT id, user_id, name, media_type, size, sha256, object_key, status, uses, deleted_at, created_at,
    updated_at FROM stored_file_before;
DROP TABLE stored_file_before;
CREATE INDEX stored_file_by_user ON stored_file (user_id, status, id);
CREATE INDEX stored_file_by_college ON stored_file (college_id, status, id);
CREATE INDEX stored_file_by_use ON stored_file (status, uses, created_at);

-- What an institution holds about an athlete's contract with an agent. Nothing is ever removed.
CREATE TABLE athlete_agent_filing (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL REFERENCES college (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
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
