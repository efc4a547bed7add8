-- Exports that operators queue. A server that makes one holds it until `due_at`; then another may begin it anew.
CREATE TABLE export_report (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL CONSTRAINT export_report_code UNIQUE,
    operator_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('athletes', 'partners', 'agents', 'jobs', 'payments', 'payouts', 'disclosures', 'audit')),
    format TEXT NOT NULL CHECK (format IN ('csv', 'xlsx')),
    filters TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'ready', 'failed')),
    -- The number of times that a server began it.
    attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    rows INTEGER NOT NULL DEFAULT 0 CHECK (rows >= 0),
    due_at TEXT NOT NULL,
    name TEXT,
    size INTEGER CHECK (size >= 0),
    -- The object with the file, or with what is written of it; empty after the file was deleted.
    object_key TEXT CONSTRAINT export_report_object UNIQUE,
    expires_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status <> 'ready' OR (name IS NOT NULL AND size IS NOT NULL)),
    CHECK (status NOT IN ('ready', 'failed') OR expires_at IS NOT NULL)
) STRICT;
CREATE INDEX export_report_due ON export_report (due_at, id) WHERE status IN ('queued', 'processing');
CREATE INDEX export_report_by_state ON export_report (status, expires_at);
CREATE INDEX export_report_by_operator ON export_report (operator_id, status);
CREATE INDEX export_report_by_expiry ON export_report (expires_at, id) WHERE expires_at IS NOT NULL;

DROP VIEW needed_object;
CREATE VIEW needed_object AS
SELECT object_key FROM stored_file WHERE status IN ('writing', 'stored')
UNION ALL
SELECT object_key FROM content_version
UNION ALL
SELECT object_key FROM multipart_upload WHERE status = 'created'
UNION ALL
SELECT object_key FROM export_report WHERE object_key IS NOT NULL;
