-- Files that users hand over. Their bytes are objects; a key is entered before its object is written.

CREATE TABLE stored_file (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES app_user (id),
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
    CHECK (status = 'stored' OR uses = 0)
) STRICT;
CREATE INDEX stored_file_by_user ON stored_file (user_id, status, id);
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
