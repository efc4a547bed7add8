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

-- The keys of all objects that are needed. A new kind of record with an object adds its part here; otherwise the worker
-- sets its objects aside.
CREATE VIEW needed_object AS
SELECT object_key FROM stored_file WHERE status IN ('writing', 'stored')
UNION ALL
SELECT object_key FROM content_version
UNION ALL
SELECT object_key FROM multipart_upload WHERE status = 'created';
