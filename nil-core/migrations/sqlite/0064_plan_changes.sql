-- Subscribers change their plan within a period or with the next one, and operators refund what was paid for it.

-- Which period the later ones are counted from, and when it began; null as long as the interval never changed.
ALTER TABLE subscription ADD COLUMN anchor_period INTEGER CHECK (anchor_period >= 1);
ALTER TABLE subscription ADD COLUMN anchor_at TEXT;

-- The plan and the price that a period began with; a change within it has an invoice of its own.
ALTER TABLE subscription_period ADD COLUMN plan_id INTEGER REFERENCES subscription_plan (id);
ALTER TABLE subscription_period ADD COLUMN price_cents INTEGER CHECK (price_cents > 0);
UPDATE subscription_period SET
    plan_id = (SELECT s.plan_id FROM subscription s WHERE s.id = subscription_period.subscription_id),
    price_cents = (SELECT s.price_cents FROM subscription s WHERE s.id = subscription_period.subscription_id);

CREATE TABLE subscription_change (
    id INTEGER PRIMARY KEY,
    subscription_id INTEGER NOT NULL REFERENCES subscription (id),
    -- The period in which it was asked for.
    period_id INTEGER NOT NULL REFERENCES subscription_period (id),
    from_plan_id INTEGER NOT NULL REFERENCES subscription_plan (id),
    from_price_cents INTEGER NOT NULL CHECK (from_price_cents > 0),
    -- The new plan's terms on that day.
    plan_id INTEGER NOT NULL REFERENCES subscription_plan (id),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    billing_interval TEXT NOT NULL CHECK (billing_interval IN ('month', 'year')),
    fee_basis_points INTEGER CHECK (fee_basis_points BETWEEN 0 AND 10000),
    status TEXT NOT NULL CHECK (status IN ('pending', 'scheduled', 'done', 'declined', 'withdrawn')),
    -- What the old plan's unused days cost, and the same days of the new plan; zero if the change waits.
    unused_cents INTEGER NOT NULL CHECK (unused_cents >= 0),
    rest_cents INTEGER NOT NULL CHECK (rest_cents >= unused_cents),
    days_left INTEGER NOT NULL CHECK (days_left >= 0),
    days INTEGER NOT NULL CHECK (days >= days_left),
    takes_effect_at TEXT NOT NULL,
    -- The invoice of the difference; none if there is nothing to charge.
    invoice_id INTEGER REFERENCES invoice (id),
    failure_code TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT subscription_change_invoice_key UNIQUE (invoice_id)
) STRICT;
CREATE INDEX subscription_change_by_subscription ON subscription_change (subscription_id, id);
CREATE INDEX subscription_change_by_period ON subscription_change (period_id);
CREATE UNIQUE INDEX subscription_change_pending_key ON subscription_change (subscription_id)
    WHERE status = 'pending';
CREATE UNIQUE INDEX subscription_change_scheduled_key ON subscription_change (subscription_id)
    WHERE status = 'scheduled';

-- A charge is for a period, or for a change within it. Each is charged once.
ALTER TABLE subscription_charge ADD COLUMN change_id INTEGER REFERENCES subscription_change (id);
DROP INDEX subscription_charge_live_key;
CREATE UNIQUE INDEX subscription_charge_live_key ON subscription_charge (period_id)
    WHERE status <> 'failed' AND change_id IS NULL;
CREATE UNIQUE INDEX subscription_charge_change_key ON subscription_charge (change_id)
    WHERE change_id IS NOT NULL;

CREATE TABLE subscription_refund (
    id INTEGER PRIMARY KEY,
    charge_id INTEGER NOT NULL REFERENCES subscription_charge (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    rule TEXT NOT NULL CHECK (rule IN ('full', 'unused')),
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
    failure_code TEXT,
    -- The credit note, once the card was refunded.
    credit_note_id INTEGER REFERENCES invoice (id),
    requested_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT subscription_refund_credit_note_key UNIQUE (credit_note_id),
    CHECK ((status = 'succeeded') = (credit_note_id IS NOT NULL))
) STRICT;
CREATE INDEX subscription_refund_by_charge ON subscription_refund (charge_id, id);
CREATE INDEX subscription_refund_by_status ON subscription_refund (status, updated_at);

-- How many days after its charge a subscription's invoice can be refunded in full.
ALTER TABLE site ADD COLUMN subscription_refund_days INTEGER NOT NULL DEFAULT 30
    CHECK (subscription_refund_days BETWEEN 0 AND 366);
