-- Where brands and institutions hear of their events. The secrets are sealed.
CREATE TABLE webhook_endpoint (
    id INTEGER PRIMARY KEY,
    -- One of the two owns it.
    partner_id INTEGER REFERENCES partner (id),
    college_id INTEGER REFERENCES college (id),
    url TEXT NOT NULL,
    description TEXT,
    -- The names of the events that it hears.
    events TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    disabled_why TEXT CHECK (disabled_why IN ('gone', 'failing', 'overflow')),
    sealed_secret BLOB NOT NULL,
    -- The secret before the last rotation signs as well until then.
    sealed_old_secret BLOB,
    old_secret_until TEXT,
    -- Since when no delivery has arrived, although some were tried.
    failing_since TEXT,
    -- When an event found no room among those that wait.
    overflowed_at TEXT,
    -- Until when a server sends to it, or it rests after a failure.
    turn_until TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((partner_id IS NULL) <> (college_id IS NULL)),
    CHECK ((sealed_old_secret IS NULL) = (old_secret_until IS NULL))
) STRICT;
CREATE INDEX webhook_endpoint_by_partner ON webhook_endpoint (partner_id) WHERE partner_id IS NOT NULL;
CREATE INDEX webhook_endpoint_by_college ON webhook_endpoint (college_id) WHERE college_id IS NOT NULL;

-- What is sent to an endpoint, and what came of it. The row is written with the effects that it tells of.
CREATE TABLE webhook_delivery (
    id INTEGER PRIMARY KEY,
    endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
    message_id TEXT NOT NULL,
    event TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts INTEGER NOT NULL,
    next_at TEXT,
    tried_at TEXT,
    answer_status INTEGER,
    answer TEXT,
    error TEXT,
    created_at TEXT NOT NULL,
    CHECK ((status = 'pending') = (next_at IS NOT NULL))
) STRICT;
CREATE INDEX webhook_delivery_by_endpoint ON webhook_delivery (endpoint_id, id);
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_at, endpoint_id) WHERE status = 'pending';
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (endpoint_id, next_at, id) WHERE status = 'pending';
CREATE INDEX webhook_delivery_undelivered ON webhook_delivery (created_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_ended ON webhook_delivery (created_at) WHERE status <> 'pending';
