-- The embedded payment processor's own books. The platform never reads these tables: it asks the
-- processor, as it would ask a remote one.

CREATE TABLE sandbox_card (
    id TEXT NOT NULL PRIMARY KEY,
    number TEXT NOT NULL
) STRICT;

CREATE TABLE sandbox_account (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    onboarded INTEGER NOT NULL
) STRICT;

CREATE TABLE sandbox_object (
    idempotency_key TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL CONSTRAINT sandbox_object_id_key UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('charge', 'refund', 'transfer')),
    reference TEXT NOT NULL,
    amount_cents INTEGER NOT NULL,
    status TEXT NOT NULL,
    failure_code TEXT,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE sandbox_event (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    object_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    delivered_at TEXT
) STRICT;
CREATE INDEX sandbox_event_by_delivery ON sandbox_event (delivered_at, created_at);
