-- A file in a deal's folder is a version of a document. The document has the id of its first version.
ALTER TABLE deal_file ADD COLUMN first_id INTEGER REFERENCES deal_file (id);
ALTER TABLE deal_file ADD COLUMN number INTEGER NOT NULL DEFAULT 1
    CHECK (number >= 1 AND (number = 1) = (first_id IS NULL));
ALTER TABLE deal_file ADD COLUMN status TEXT NOT NULL DEFAULT 'open'
    CHECK (status IN ('open', 'approved', 'edits_requested', 'replaced', 'void'));
-- Who approved it, asked for edits or voided it, and why.
ALTER TABLE deal_file ADD COLUMN decided_by INTEGER REFERENCES app_user (id);
ALTER TABLE deal_file ADD COLUMN decided_at TEXT;
ALTER TABLE deal_file ADD COLUMN decision_note TEXT;
CREATE UNIQUE INDEX deal_file_version ON deal_file (first_id, number);
CREATE INDEX deal_file_by_decider ON deal_file (decided_by);

-- The version that an upload replaces once it is completed. If its owner removes that version before, the upload
-- becomes a document of its own.
ALTER TABLE direct_upload ADD COLUMN replaces_id INTEGER REFERENCES deal_file (id) ON DELETE SET NULL;
CREATE INDEX direct_upload_by_replaced ON direct_upload (replaces_id);

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
