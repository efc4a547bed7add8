-- Cardholders confirm charges with their banks: a charge can wait for that.

DROP VIEW movement_record;

DROP INDEX charge_by_status;
ALTER TABLE charge ADD COLUMN stage TEXT NOT NULL DEFAULT 'processing'
    CHECK (stage IN ('processing', 'requires_action', 'succeeded', 'failed'));
UPDATE charge SET stage = status;
ALTER TABLE charge DROP COLUMN status;
ALTER TABLE charge RENAME COLUMN stage TO status;
-- Until when the cardholder can confirm it, while it waits for that.
ALTER TABLE charge ADD COLUMN confirm_until TEXT;
CREATE INDEX charge_by_status ON charge (status, updated_at);

DROP INDEX subscription_charge_by_status;
DROP INDEX subscription_charge_live_key;
ALTER TABLE subscription_charge ADD COLUMN stage TEXT NOT NULL DEFAULT 'processing'
    CHECK (stage IN ('processing', 'requires_action', 'succeeded', 'failed'));
UPDATE subscription_charge SET stage = status;
ALTER TABLE subscription_charge DROP COLUMN status;
ALTER TABLE subscription_charge RENAME COLUMN stage TO status;
ALTER TABLE subscription_charge ADD COLUMN confirm_until TEXT;
CREATE INDEX subscription_charge_by_status ON subscription_charge (status, updated_at);
CREATE UNIQUE INDEX subscription_charge_live_key ON subscription_charge (period_id)
    WHERE status <> 'failed' AND change_id IS NULL;

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

-- Pages of the embedded processor where its cards are entered.
CREATE TABLE sandbox_card_form (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    -- The card that was entered.
    number TEXT
) STRICT;
CREATE INDEX sandbox_card_form_by_owner ON sandbox_card_form (owner);

-- An operator's decision about a request whose outcome the processor cannot tell.
ALTER TABLE movement ADD COLUMN decided_by TEXT;
ALTER TABLE movement ADD COLUMN decided_at TEXT;
ALTER TABLE movement ADD COLUMN decision_note TEXT;
