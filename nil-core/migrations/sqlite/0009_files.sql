-- Files: what users hand over, the folder of a deal, the site's content, and exports.

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
    CHECK ((status = 'deleted') = (deleted_at IS NOT NULL)),
    CHECK (status = 'stored' OR uses = 0),
    CHECK (user_id IS NULL OR college_id IS NULL)
) STRICT;
CREATE INDEX stored_file_by_user ON stored_file (user_id, status, id);
CREATE INDEX stored_file_by_college ON stored_file (college_id, status, id);
CREATE INDEX stored_file_by_use ON stored_file (status, uses, created_at);

-- What a file is part of. Who may see the record may see the file.
CREATE TABLE file_use (
    file_id INTEGER NOT NULL REFERENCES stored_file (id),
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (file_id, kind, record_id)
) STRICT;
CREATE INDEX file_use_by_record ON file_use (kind, record_id);

-- The folder of a deal: what either party puts there, and uploads on their way to it.

-- An upload that was announced: the address it was given takes its bytes once.
CREATE TABLE direct_upload (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    job_id INTEGER NOT NULL REFERENCES job (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    -- The version that it replaces once it is completed. If its owner removes that version before, the upload becomes a
    -- document of its own.
    replaces_id INTEGER REFERENCES deal_file (id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL CHECK (size >= 1),
    note TEXT,
    status TEXT NOT NULL CHECK (status IN ('created', 'received', 'completed', 'expired')),
    file_id INTEGER REFERENCES stored_file (id),
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status NOT IN ('received', 'completed') OR file_id IS NOT NULL)
) STRICT;
CREATE INDEX direct_upload_by_user ON direct_upload (user_id);
CREATE INDEX direct_upload_by_deal ON direct_upload (job_id, athlete_id);
CREATE INDEX direct_upload_by_athlete ON direct_upload (athlete_id);
CREATE INDEX direct_upload_by_file ON direct_upload (file_id);
CREATE INDEX direct_upload_by_expiry ON direct_upload (status, expires_at);
CREATE INDEX direct_upload_by_replaced ON direct_upload (replaces_id);

-- A file in a deal's folder is a version of a document. The document has the id of its first version.
CREATE TABLE deal_file (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    -- The document's first version, and the number of this one.
    first_id INTEGER REFERENCES deal_file (id),
    number INTEGER NOT NULL DEFAULT 1 CHECK (number >= 1 AND (number = 1) = (first_id IS NULL)),
    file_id INTEGER NOT NULL CONSTRAINT deal_file_file UNIQUE REFERENCES stored_file (id),
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    upload_id INTEGER CONSTRAINT deal_file_upload UNIQUE REFERENCES direct_upload (id),
    note TEXT,
    status TEXT NOT NULL DEFAULT 'open'
        CHECK (status IN ('open', 'approved', 'edits_requested', 'replaced', 'void')),
    -- Who approved it, asked for edits or voided it, and why.
    decided_by INTEGER REFERENCES app_user (id),
    decided_at TEXT,
    decision_note TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX deal_file_by_deal ON deal_file (job_id, athlete_id, id);
CREATE INDEX deal_file_by_athlete ON deal_file (athlete_id);
CREATE INDEX deal_file_by_user ON deal_file (user_id);
CREATE UNIQUE INDEX deal_file_version ON deal_file (first_id, number);
CREATE INDEX deal_file_by_decider ON deal_file (decided_by);

-- What the parties say about a version.
CREATE TABLE deal_file_comment (
    id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL REFERENCES deal_file (id),
    deal_file_id INTEGER NOT NULL REFERENCES deal_file (id),
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    text TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX deal_file_comment_by_document ON deal_file_comment (document_id, id);
CREATE INDEX deal_file_comment_by_version ON deal_file_comment (deal_file_id);
CREATE INDEX deal_file_comment_by_user ON deal_file_comment (user_id);

-- The site's content: a tree of folders and files that operators keep, with every version of a file.

-- One row, locked by whatever changes the shape of the tree: such changes are rare, and what one of them has checked
-- (no circle, no name twice, room for one more) then holds until it commits.
CREATE TABLE content_tree (
    id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;
INSERT INTO content_tree (id) VALUES (1);

CREATE TABLE content_item (
    id INTEGER PRIMARY KEY,
    parent_id INTEGER REFERENCES content_item (id),
    -- The parent, or 0 at the top: a column that is never empty can be part of a unique key.
    place INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('folder', 'file')),
    name TEXT NOT NULL,
    -- The name as it is compared and sorted: in small letters.
    name_key TEXT NOT NULL,
    -- The current version of a file.
    version INTEGER,
    deleted_at TEXT,
    -- The item that was deleted, with everything in it.
    deleted_with INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (place = COALESCE(parent_id, 0)),
    CHECK ((kind = 'file') = (version IS NOT NULL)),
    CHECK ((deleted_at IS NULL) = (deleted_with IS NULL))
) STRICT;
CREATE UNIQUE INDEX content_item_name_key ON content_item (place, name_key) WHERE deleted_at IS NULL;
CREATE INDEX content_item_by_place ON content_item (place, kind, name_key, id);
CREATE INDEX content_item_by_parent ON content_item (parent_id);
CREATE INDEX content_item_by_deletion ON content_item (deleted_at, id);
CREATE INDEX content_item_by_deleted_with ON content_item (deleted_with);

CREATE TABLE content_version (
    item_id INTEGER NOT NULL REFERENCES content_item (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    -- The name it was uploaded under.
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL CHECK (size >= 1),
    sha256 TEXT NOT NULL,
    object_key TEXT NOT NULL CONSTRAINT content_version_object UNIQUE,
    created_at TEXT NOT NULL,
    PRIMARY KEY (item_id, number)
) STRICT;

-- An upload on its way to become a file or a version of one.
CREATE TABLE multipart_upload (
    id INTEGER PRIMARY KEY,
    operator_id INTEGER NOT NULL,
    -- The folder for a new file, 0 for the top.
    place INTEGER NOT NULL,
    -- The file for a new version; once completed, the file it became.
    item_id INTEGER,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL CHECK (size >= 1),
    part_size INTEGER NOT NULL CHECK (part_size >= 1),
    object_key TEXT NOT NULL CONSTRAINT multipart_upload_object UNIQUE,
    -- The store's own name for it; empty if it arrives in one piece.
    store_ref TEXT,
    status TEXT NOT NULL CHECK (status IN ('created', 'completed', 'aborted')),
    version INTEGER,
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status <> 'completed' OR (item_id IS NOT NULL AND version IS NOT NULL))
) STRICT;
CREATE INDEX multipart_upload_by_expiry ON multipart_upload (status, expires_at, id);
CREATE INDEX multipart_upload_by_operator ON multipart_upload (operator_id, status);
CREATE INDEX multipart_upload_by_item ON multipart_upload (item_id);

-- Exports that operators queue, and users' takeouts, which have no kind and no format: they are ZIPs. A server that makes
-- one holds it until `due_at`; then another may begin it anew.
CREATE TABLE export_report (
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
CREATE INDEX export_report_due ON export_report (due_at, id) WHERE status IN ('queued', 'processing');
CREATE INDEX export_report_by_state ON export_report (status, expires_at);
CREATE INDEX export_report_by_operator ON export_report (operator_id, status);
CREATE INDEX export_report_by_user ON export_report (user_id, id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX export_report_one_takeout ON export_report (user_id) WHERE status IN ('queued', 'processing');
CREATE INDEX export_report_by_expiry ON export_report (expires_at, id) WHERE expires_at IS NOT NULL;

-- The keys of all objects that are needed. A new kind of record with an object adds its part here; otherwise the worker
-- sets its objects aside.
CREATE VIEW needed_object AS
SELECT object_key FROM stored_file WHERE status IN ('writing', 'stored')
UNION ALL
SELECT object_key FROM content_version
UNION ALL
SELECT object_key FROM multipart_upload WHERE status = 'created'
UNION ALL
SELECT object_key FROM export_report WHERE object_key IS NOT NULL;

-- The objects whose records say that they are there. `needed_object` also has those that are on their way.
CREATE VIEW written_object AS
SELECT 'file ' || id AS record, object_key FROM stored_file WHERE status = 'stored'
UNION ALL
SELECT 'version ' || number || ' of content item ' || item_id, object_key FROM content_version
UNION ALL
SELECT 'export ' || id, object_key FROM export_report WHERE status = 'ready' AND object_key IS NOT NULL;
