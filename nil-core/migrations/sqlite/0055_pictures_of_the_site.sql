-- The site's icon, and files that belong to the site: to no user and no institution.

ALTER TABLE site ADD COLUMN favicon_url TEXT;

-- SQLite changes no CHECK, so the table is made anew under its own name. What refers to it is looked at again when this
-- is committed.
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
    CHECK (user_id IS NULL OR college_id IS NULL),
    CHECK ((status = 'deleted') = (deleted_at IS NOT NULL)),
    CHECK (status = 'stored' OR uses = 0)
) STRICT;
INSERT INTO stored_file (id, user_id, college_id, name, media_type, size, sha256, object_key, status, uses,
    deleted_at, created_at, updated_at)
SELECT id, user_id, college_id, name, media_type, size, sha256, object_key, status, uses, deleted_at,
    created_at, updated_at FROM stored_file_before;
DROP TABLE stored_file_before;
CREATE INDEX stored_file_by_user ON stored_file (user_id, status, id);
CREATE INDEX stored_file_by_college ON stored_file (college_id, status, id);
CREATE INDEX stored_file_by_use ON stored_file (status, uses, created_at);
