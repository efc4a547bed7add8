-- Operators change templates. The texts that they replaced are kept.
ALTER TABLE template ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE TABLE template_version (
    template_id INTEGER NOT NULL REFERENCES template (id),
    version INTEGER NOT NULL CHECK (version >= 1),
    subject TEXT,
    body TEXT NOT NULL,
    -- When it was replaced, and by which operator.
    replaced_at TEXT NOT NULL,
    replaced_by INTEGER NOT NULL,
    PRIMARY KEY (template_id, version)
) STRICT;

-- How many messages of an event left by a channel, and how many were given up: counted up to a limit.
CREATE INDEX outbox_outcome ON outbox (event, channel, status, created_at) WHERE status IN ('sent', 'dead');
