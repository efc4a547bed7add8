-- What a message is about, such as `announcement:7`: if that is withdrawn, messages that still wait are too.
CREATE TABLE outbox_anew (
    id INTEGER PRIMARY KEY,
    channel TEXT NOT NULL CHECK (channel IN ('event', 'email', 'sms', 'in_app')),
    recipient TEXT NOT NULL,
    address TEXT,
    event TEXT NOT NULL,
    subject TEXT,
    body TEXT,
    sealed BLOB,
    data TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'sent', 'expanded', 'dead', 'withdrawn')),
    attempts INTEGER NOT NULL,
    next_at TEXT NOT NULL,
    error TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    about TEXT
) STRICT;
INSERT INTO outbox_anew (id, channel, recipient, address, event, subject, body, sealed, data, status, attempts,
    next_at, error, created_at, expires_at)
    SELECT id, channel, recipient, address, event, subject, body, sealed, data, status, attempts, next_at, error,
        created_at, expires_at FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_anew RENAME TO outbox;
CREATE INDEX outbox_by_recipient ON outbox (recipient, channel, id);
CREATE INDEX outbox_due ON outbox (channel, next_at, id) WHERE status = 'pending';
CREATE INDEX outbox_ended ON outbox (created_at) WHERE status <> 'pending';
CREATE INDEX outbox_secret ON outbox (expires_at) WHERE sealed IS NOT NULL;
CREATE INDEX outbox_dead ON outbox (created_at) WHERE status = 'dead';
CREATE INDEX outbox_outcome ON outbox (event, channel, status, created_at) WHERE status IN ('sent', 'dead');
CREATE INDEX outbox_about ON outbox (about) WHERE status = 'pending' AND about IS NOT NULL;
