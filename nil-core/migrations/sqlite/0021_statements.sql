-- The processor's statement, and how it differs from our own rows.

-- The sandbox's: a line for each change of the platform's balance. Lines are only added.
CREATE TABLE sandbox_line (
    id TEXT NOT NULL PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT,
    source TEXT,
    amount_cents INTEGER NOT NULL,
    fee_cents INTEGER NOT NULL,
    currency TEXT NOT NULL
) STRICT;
CREATE INDEX sandbox_line_by_age ON sandbox_line (at, id);
INSERT INTO sandbox_line (id, at, kind, key, source, amount_cents, fee_cents, currency)
SELECT 'txn_' || id, created_at, CASE kind WHEN 'transfer' THEN 'payout' ELSE kind END, idempotency_key, id,
    CASE kind WHEN 'charge' THEN amount_cents ELSE -amount_cents END, fee_cents, currency
FROM sandbox_object WHERE status <> 'failed' OR (kind = 'transfer' AND failure_code = 'bank_account_closed');
INSERT INTO sandbox_line (id, at, kind, key, source, amount_cents, fee_cents, currency)
SELECT 'txn_' || id || '_back', created_at, 'payout_returned', idempotency_key, id, amount_cents, 0, currency
FROM sandbox_object WHERE kind = 'transfer' AND status = 'failed' AND failure_code = 'bank_account_closed';

-- The processor's, as it was last read. A line that it no longer has is removed.
CREATE TABLE statement_line (
    id TEXT NOT NULL PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('charge', 'charge_failed', 'refund', 'refund_failed', 'payout', 'payout_returned',
        'dispute', 'dispute_returned', 'fee', 'own_payout', 'other')),
    -- The key of our request; none if the processor names none.
    key TEXT,
    source TEXT,
    -- More than nothing came to the platform's balance, less left it.
    amount_cents INTEGER NOT NULL,
    fee_cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    read_at TEXT NOT NULL
) STRICT;
CREATE INDEX statement_line_by_age ON statement_line (at, id);
CREATE INDEX statement_line_by_dispute ON statement_line (source) WHERE kind IN ('dispute', 'dispute_returned');
CREATE INDEX statement_line_by_key ON statement_line (key, kind) WHERE key IS NOT NULL;

-- What differs. One row for each kind of difference of a line, or of a request without a line.
CREATE TABLE processor_difference (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('unknown_here', 'unknown_there', 'kind', 'twice', 'currency', 'amount', 'failed_here',
        'given_up_here', 'open_here', 'undone_there', 'other_source', 'fee')),
    -- The line's id, or the request's key.
    about TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'settled', 'gone')),
    key TEXT,
    line_id TEXT,
    source TEXT,
    -- When the money moved there, or was requested here.
    at TEXT NOT NULL,
    ours_cents INTEGER,
    theirs_cents INTEGER,
    currency TEXT NOT NULL,
    detail TEXT NOT NULL,
    found_at TEXT NOT NULL,
    last_found_at TEXT NOT NULL,
    -- When a later comparison no longer found it.
    gone_at TEXT,
    settled_at TEXT,
    settled_by TEXT,
    note TEXT,
    CONSTRAINT processor_difference_key UNIQUE (kind, about),
    CHECK ((status = 'settled') = (settled_at IS NOT NULL))
) STRICT;
CREATE INDEX processor_difference_open ON processor_difference (found_at) WHERE status = 'open';
CREATE INDEX processor_difference_by_age ON processor_difference (at);

-- The first day, by UTC, whose statement has not been compared yet.
ALTER TABLE installation ADD COLUMN compared_until TEXT;
-- Requests of a time are compared with its statement.
CREATE INDEX movement_by_age ON movement (since, key);
