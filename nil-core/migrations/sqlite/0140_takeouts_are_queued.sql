-- A takeout is an export of a user's: it has no kind, and its format is ZIP. SQLite cannot drop a NOT NULL.
DROP VIEW written_object;
DROP VIEW needed_object;
CREATE TABLE export_report_new (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL CONSTRAINT export_report_code UNIQUE,
    operator_id INTEGER,
    -- Whose takeout it is, if it is one.
    user_id INTEGER,
    kind TEXT CHECK (kind IN ('athletes', 'partners', 'agents', 'jobs', 'payments', 'payouts', 'disclosures', 'audit')),
    format TEXT CHECK (format IN ('csv', 'xlsx')),
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
    CHECK (status NOT IN ('ready', 'failed') OR expires_at IS NOT NULL),
    CHECK ((operator_id IS NULL) <> (user_id IS NULL)),
    CHECK ((user_id IS NULL) = (kind IS NOT NULL) AND (user_id IS NULL) = (format IS NOT NULL))
) STRICT;
INSERT INTO export_report_new (id, code, operator_id, kind, format, filters, status, attempt, rows, due_at, name, size,
    object_key, expires_at, created_at, updated_at)
SELECT id, code, operator_id, kind, format, filters, status, attempt, rows, due_at, name, size, object_key, expires_at,
    created_at, updated_at FROM export_report;
DROP TABLE export_report;
ALTER TABLE export_report_new RENAME TO export_report;
CREATE INDEX export_report_due ON export_report (due_at, id) WHERE status IN ('queued', 'processing');
CREATE INDEX export_report_by_state ON export_report (status, expires_at);
CREATE INDEX export_report_by_operator ON export_report (operator_id, status);
CREATE INDEX export_report_by_user ON export_report (user_id, id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX export_report_one_takeout ON export_report (user_id) WHERE status IN ('queued', 'processing');
CREATE INDEX export_report_by_expiry ON export_report (expires_at, id) WHERE expires_at IS NOT NULL;

CREATE VIEW needed_object AS
SELECT object_key FROM stored_file WHERE status IN ('writing', 'stored')
UNION ALL
SELECT object_key FROM content_version
UNION ALL
SELECT object_key FROM multipart_upload WHERE status = 'created'
UNION ALL
SELECT object_key FROM export_report WHERE object_key IS NOT NULL;
CREATE VIEW written_object AS
SELECT 'file ' || id AS record, object_key FROM stored_file WHERE status = 'stored'
UNION ALL
SELECT 'version ' || number || ' of content item ' || item_id, object_key FROM content_version
UNION ALL
SELECT 'export ' || id, object_key FROM export_report WHERE status = 'ready' AND object_key IS NOT NULL;
