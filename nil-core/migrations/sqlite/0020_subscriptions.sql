-- Plans that brands and agents subscribe to, and what they are billed for them.

CREATE TABLE subscription_plan (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    audience TEXT NOT NULL CHECK (audience IN ('partner', 'agent')),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    billing_interval TEXT NOT NULL CHECK (billing_interval IN ('month', 'year')),
    -- The platform's fee on hires while the subscription is active; none where it changes nothing.
    fee_basis_points INTEGER CHECK (fee_basis_points BETWEEN 0 AND 10000),
    features TEXT NOT NULL,
    active INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (audience = 'partner' OR fee_basis_points IS NULL)
) STRICT;

CREATE TABLE subscription (
    id INTEGER PRIMARY KEY,
    plan_id INTEGER NOT NULL REFERENCES subscription_plan (id),
    partner_id INTEGER REFERENCES partner (id),
    agent_id INTEGER REFERENCES agent (id),
    status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'past_due', 'ended')),
    -- The plan's terms as they were subscribed to: a changed plan changes nobody's.
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    billing_interval TEXT NOT NULL CHECK (billing_interval IN ('month', 'year')),
    fee_basis_points INTEGER CHECK (fee_basis_points BETWEEN 0 AND 10000),
    cancel_at_period_end INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    -- The last period that is paid (the first one until then), counted from 1.
    period INTEGER NOT NULL CHECK (period >= 1),
    period_starts_at TEXT NOT NULL,
    period_ends_at TEXT NOT NULL,
    -- When the worker has something to do; none while a charge is under way and after the end.
    bill_at TEXT,
    failed_attempts INTEGER NOT NULL CHECK (failed_attempts >= 0),
    failure_code TEXT,
    end_reason TEXT CHECK (end_reason IN ('cancelled', 'declined', 'unpaid', 'account_closed')),
    ended_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((partner_id IS NULL) <> (agent_id IS NULL)),
    CHECK ((status = 'ended') = (ended_at IS NOT NULL)),
    CHECK ((status = 'ended') = (end_reason IS NOT NULL)),
    CHECK (period_ends_at > period_starts_at)
) STRICT;
CREATE INDEX subscription_by_plan ON subscription (plan_id, status);
CREATE INDEX subscription_by_partner ON subscription (partner_id, id);
CREATE INDEX subscription_by_agent ON subscription (agent_id, id);
CREATE INDEX subscription_by_bill_at ON subscription (bill_at) WHERE bill_at IS NOT NULL;
CREATE UNIQUE INDEX subscription_partner_live_key ON subscription (partner_id)
    WHERE status <> 'ended' AND partner_id IS NOT NULL;
CREATE UNIQUE INDEX subscription_agent_live_key ON subscription (agent_id)
    WHERE status <> 'ended' AND agent_id IS NOT NULL;

-- One period, one invoice: whoever bills, and however often.
CREATE TABLE subscription_period (
    id INTEGER PRIMARY KEY,
    subscription_id INTEGER NOT NULL REFERENCES subscription (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    starts_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    invoice_id INTEGER NOT NULL REFERENCES invoice (id),
    created_at TEXT NOT NULL,
    CONSTRAINT subscription_period_number_key UNIQUE (subscription_id, number),
    CONSTRAINT subscription_period_invoice_key UNIQUE (invoice_id)
) STRICT;

CREATE TABLE subscription_charge (
    id INTEGER PRIMARY KEY,
    period_id INTEGER NOT NULL REFERENCES subscription_period (id),
    payment_method_id INTEGER NOT NULL REFERENCES payment_method (id),
    total_cents INTEGER NOT NULL CHECK (total_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('processing', 'succeeded', 'failed')),
    processor_charge_id TEXT,
    failure_code TEXT,
    -- Whose call is to be answered when the processor's word comes late.
    caller TEXT,
    key TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX subscription_charge_by_period ON subscription_charge (period_id, id);
CREATE INDEX subscription_charge_by_status ON subscription_charge (status, updated_at);
CREATE INDEX subscription_charge_by_method ON subscription_charge (payment_method_id);
-- A period is charged once: a second charge needs the first one to have failed.
CREATE UNIQUE INDEX subscription_charge_live_key ON subscription_charge (period_id)
    WHERE status <> 'failed';
