-- Disputes of charges: what cardholders take back through their banks, and what of it payees bear.

CREATE TABLE dispute (
    id INTEGER NOT NULL PRIMARY KEY,
    processor_dispute_id TEXT NOT NULL UNIQUE,
    charge_id INTEGER REFERENCES charge (id),
    subscription_charge_id INTEGER REFERENCES subscription_charge (id),
    -- Whose card was charged.
    partner_id INTEGER REFERENCES partner (id),
    agent_id INTEGER REFERENCES agent (id),
    kind TEXT NOT NULL CHECK (kind IN ('early_warning', 'inquiry', 'chargeback')),
    status TEXT NOT NULL CHECK (status IN ('warning', 'needs_response', 'under_review', 'won', 'lost', 'withdrawn')),
    reason TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    currency TEXT NOT NULL,
    -- What the processor has kept because of it, as booked.
    fee_cents INTEGER NOT NULL DEFAULT 0,
    evidence_due_at TEXT,
    -- The platform's own words, and who handed them in.
    statement TEXT,
    answered_by TEXT,
    answered_at TEXT,
    opened_at TEXT NOT NULL,
    closed_at TEXT,
    -- When the processor was last asked about it.
    looked_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((charge_id IS NULL) <> (subscription_charge_id IS NULL)),
    CHECK ((partner_id IS NULL) <> (agent_id IS NULL))
) STRICT;
CREATE INDEX dispute_by_charge ON dispute (charge_id);
CREATE INDEX dispute_by_subscription_charge ON dispute (subscription_charge_id);
CREATE INDEX dispute_by_partner ON dispute (partner_id);
CREATE INDEX dispute_by_agent ON dispute (agent_id);
CREATE INDEX dispute_by_age ON dispute (opened_at, processor_dispute_id);
CREATE INDEX dispute_by_status ON dispute (status, id);
CREATE INDEX dispute_open ON dispute (looked_at) WHERE status IN ('warning', 'needs_response', 'under_review');

-- A dispute of a charge is divided over its payments. What waits of the wallets is the part that was still in them.
CREATE TABLE dispute_share (
    dispute_id INTEGER NOT NULL REFERENCES dispute (id),
    payment_id INTEGER NOT NULL REFERENCES payment (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
    commission_cents INTEGER NOT NULL CHECK (commission_cents >= 0),
    athlete_waits_cents INTEGER NOT NULL CHECK (athlete_waits_cents >= 0),
    agent_waits_cents INTEGER NOT NULL CHECK (agent_waits_cents >= 0),
    PRIMARY KEY (dispute_id, payment_id)
) STRICT;
CREATE INDEX dispute_share_by_payment ON dispute_share (payment_id);
CREATE INDEX dispute_share_by_athlete ON dispute_share (athlete_id);
CREATE INDEX dispute_share_by_agent ON dispute_share (agent_id);

-- What payees bear of a lost dispute of payments made from an instant on. Without a row it is nothing.
CREATE TABLE dispute_terms (
    id INTEGER NOT NULL PRIMARY KEY,
    payee_basis_points INTEGER NOT NULL CHECK (payee_basis_points BETWEEN 0 AND 10000),
    applies_from TEXT NOT NULL,
    set_by TEXT NOT NULL
) STRICT;
CREATE INDEX dispute_terms_by_time ON dispute_terms (applies_from, id);

-- What payees bear is taken back as a refund takes it, without a request to the processor.
ALTER TABLE refund ADD COLUMN dispute_id INTEGER REFERENCES dispute (id);
CREATE INDEX refund_by_dispute ON refund (dispute_id) WHERE dispute_id IS NOT NULL;
-- The status of a payment's latest dispute.
ALTER TABLE payment ADD COLUMN dispute_status TEXT;
-- Until when the processor's list of disputes was read.
ALTER TABLE installation ADD COLUMN disputes_read_at TEXT;

-- The fee that a refund gave back is billed again if the refund fails after all.
DROP INDEX invoice_line_refund_key;
CREATE UNIQUE INDEX invoice_line_refund_key ON invoice_line (refund_id, (amount_cents > 0));

DROP VIEW movement_record;
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
WHERE r.dispute_id IS NULL
UNION ALL
SELECT 'payout', p.id, p.amount_cents, p.status, p.processor_transfer_id, a.processor_account_id
FROM payout p LEFT JOIN payout_account a ON a.owner || ':wallet' = p.wallet
WHERE p.pending_since IS NOT NULL;

CREATE TABLE sandbox_dispute (
    id TEXT NOT NULL PRIMARY KEY,
    charge TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    amount_cents INTEGER NOT NULL,
    fee_cents INTEGER NOT NULL,
    evidence_due_at TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX sandbox_dispute_by_charge ON sandbox_dispute (charge);
CREATE INDEX sandbox_dispute_by_time ON sandbox_dispute (created_at);
