-- What waits for the processor's word: the keys of calls, and payouts that a bank may still return.

-- The record that a key without an answer waits for, such as payout:7: whoever ends it answers every
-- key that waits for it, and never a key that has come with another request meanwhile.
ALTER TABLE idempotency ADD COLUMN about TEXT;
CREATE INDEX idempotency_by_record ON idempotency (about) WHERE answer IS NULL;
UPDATE idempotency SET about = COALESCE(
    (SELECT 'charge:' || MAX(c.id) FROM charge c WHERE c.caller = idempotency.caller
        AND c.key = idempotency.key AND c.created_at = idempotency.created_at),
    (SELECT 'subscription_charge:' || MAX(s.id) FROM subscription_charge s
        WHERE s.caller = idempotency.caller AND s.key = idempotency.key
        AND s.created_at = idempotency.created_at),
    (SELECT 'refund:' || MAX(r.id) FROM refund r WHERE r.caller = idempotency.caller
        AND r.key = idempotency.key AND r.created_at = idempotency.created_at),
    (SELECT 'payout:' || MAX(p.id) FROM payout p WHERE p.caller = idempotency.caller
        AND p.key = idempotency.key AND p.created_at = idempotency.created_at))
    WHERE answer IS NULL;
ALTER TABLE charge DROP COLUMN caller;
ALTER TABLE charge DROP COLUMN key;
ALTER TABLE subscription_charge DROP COLUMN caller;
ALTER TABLE subscription_charge DROP COLUMN key;
ALTER TABLE refund DROP COLUMN caller;
ALTER TABLE refund DROP COLUMN key;
ALTER TABLE payout DROP COLUMN caller;
ALTER TABLE payout DROP COLUMN key;

-- Since when the processor may have been asked for it, nothing where it never was (the processor forgets
-- keys), and when to ask
-- again whether the bank has returned it; nothing where that is not asked any more.
ALTER TABLE payout ADD COLUMN pending_since TIMESTAMPTZ;
ALTER TABLE payout ADD COLUMN watch_at TIMESTAMPTZ;
CREATE INDEX payout_by_watch ON payout (watch_at) WHERE watch_at IS NOT NULL;
UPDATE payout SET pending_since = created_at WHERE status <> 'on_hold';
UPDATE payout SET watch_at = updated_at WHERE status = 'paid';
