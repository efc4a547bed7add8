-- Requests to the payment processor, each under a key that no other database and no restored copy of this one uses.

-- Drawn here, and again whenever a copy of the database begins a life of its own.
CREATE TABLE installation (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    mark TEXT NOT NULL,
    -- Whose money the database holds, once a payment was made.
    books TEXT CHECK (books IN ('sandbox', 'test', 'live'))
) STRICT;
INSERT INTO installation (id, mark) VALUES (1, lower(hex(randomblob(6))));

-- One row per attempt: the latest one of a record is its current one.
CREATE TABLE movement (
    key TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('charge', 'refund', 'payout', 'subscription_charge', 'subscription_refund')),
    record_id INTEGER NOT NULL,
    attempt INTEGER NOT NULL CHECK (attempt > 0),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    currency TEXT NOT NULL,
    -- When the record's first request can have been sent, at the earliest.
    since TEXT NOT NULL,
    -- When the processor was last asked about it.
    looked_at TEXT NOT NULL,
    -- When it is asked next; none once there is an outcome, or a later attempt.
    next_look_at TEXT,
    -- The processor answered with an error, which it may repeat under this key.
    spent INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT movement_attempt_key UNIQUE (kind, record_id, attempt)
) STRICT;
CREATE INDEX movement_due ON movement (kind, next_look_at) WHERE next_look_at IS NOT NULL;
-- Payouts that should have arrived are among them.
DROP INDEX payout_arriving;

-- What a movement's request is for: the money, the state, the processor's reference, and the card, the charge or the
-- account that it is about. A payout that was never sent needs no request.
CREATE VIEW movement_record AS
SELECT 'charge' AS kind, c.id, c.total_cents AS amount_cents, c.status, c.processor_charge_id AS name,
    m.processor_ref AS reference
FROM charge c JOIN payment_method m ON m.id = c.payment_method_id
UNION ALL
SELECT 'subscription_charge', c.id, c.total_cents, c.status, c.processor_charge_id, m.processor_ref
FROM subscription_charge c JOIN payment_method m ON m.id = c.payment_method_id
UNION ALL
SELECT 'subscription_refund', r.id, r.amount_cents, r.status, NULL, c.processor_charge_id
FROM subscription_refund r JOIN subscription_charge c ON c.id = r.charge_id
UNION ALL
SELECT 'refund', r.id, r.amount_cents + r.fee_cents, r.status, NULL, c.processor_charge_id
FROM refund r JOIN payment p ON p.id = r.payment_id JOIN charge c ON c.id = p.charge_id
UNION ALL
SELECT 'payout', p.id, p.amount_cents, p.status, p.processor_transfer_id, a.processor_account_id
FROM payout p LEFT JOIN payout_account a ON a.owner || ':wallet' = p.wallet
WHERE p.pending_since IS NOT NULL;

-- Requests that were made under the older keys keep them.
INSERT INTO movement (key, kind, record_id, attempt, amount_cents, currency, since, looked_at, next_look_at)
SELECT r.kind || ':' || r.id, r.kind, r.id, 1, r.amount_cents, 'usd', x.since, x.updated_at,
    CASE WHEN r.status IN ('processing', 'pending') THEN x.updated_at WHEN r.status = 'in_transit' THEN x.arrives_at END
FROM movement_record r JOIN (
    SELECT 'charge' AS kind, id, created_at AS since, updated_at, updated_at AS arrives_at FROM charge
    UNION ALL SELECT 'subscription_charge', id, created_at, updated_at, updated_at FROM subscription_charge
    UNION ALL SELECT 'subscription_refund', id, created_at, updated_at, updated_at FROM subscription_refund
    UNION ALL SELECT 'refund', id, created_at, updated_at, updated_at FROM refund
    UNION ALL SELECT 'payout', p.id, p.pending_since, p.updated_at, p.arrives_on || 'T00:00:00.000000Z' FROM payout p
) x ON x.kind = r.kind AND x.id = r.id;

-- Saved copies of one card have one fingerprint. A removed card is forgotten at the processor, too.
ALTER TABLE payment_method ADD COLUMN fingerprint TEXT;
ALTER TABLE payment_method ADD COLUMN forgotten_at TEXT;
CREATE INDEX payment_method_to_forget ON payment_method (id) WHERE removed_at IS NOT NULL AND forgotten_at IS NULL;

ALTER TABLE sandbox_card ADD COLUMN owner TEXT;
ALTER TABLE sandbox_card ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sandbox_card_by_owner ON sandbox_card (owner);
ALTER TABLE sandbox_object ADD COLUMN currency TEXT NOT NULL DEFAULT 'usd';
ALTER TABLE sandbox_object ADD COLUMN fee_cents INTEGER NOT NULL DEFAULT 0;
