-- Cards, payments, payouts, refunds, and the double-entry ledger under them.

CREATE TABLE payment_method (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    brand TEXT NOT NULL,
    last4 TEXT NOT NULL,
    exp_month INTEGER NOT NULL,
    exp_year INTEGER NOT NULL,
    is_default INTEGER NOT NULL,
    processor_ref TEXT NOT NULL,
    removed_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX payment_method_by_owner ON payment_method (owner, id);
CREATE UNIQUE INDEX payment_method_default_key ON payment_method (owner)
    WHERE is_default AND removed_at IS NULL;

-- One charge at the processor, for one payment or for the lines of a bulk payment.
CREATE TABLE charge (
    id INTEGER PRIMARY KEY,
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    payment_method_id INTEGER NOT NULL REFERENCES payment_method (id),
    kind TEXT NOT NULL CHECK (kind IN ('card', 'bulk')),
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
CREATE INDEX charge_by_status ON charge (status, updated_at);
CREATE INDEX charge_by_partner ON charge (partner_id, id);

CREATE TABLE payment (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL CONSTRAINT payment_number_key UNIQUE,
    charge_id INTEGER NOT NULL REFERENCES charge (id),
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    college_id INTEGER REFERENCES college (id),
    agent_id INTEGER REFERENCES agent (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
    agent_commission_cents INTEGER NOT NULL CHECK (agent_commission_cents >= 0),
    total_cents INTEGER NOT NULL,
    refunded_cents INTEGER NOT NULL CHECK (refunded_cents >= 0),
    refunded_fee_cents INTEGER NOT NULL CHECK (refunded_fee_cents >= 0),
    currency TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'succeeded', 'failed',
        'partially_refunded', 'refunded')),
    failure_code TEXT,
    paid_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (total_cents = amount_cents + fee_cents),
    CHECK (agent_commission_cents <= amount_cents),
    CHECK (refunded_cents <= amount_cents),
    CHECK (refunded_fee_cents <= fee_cents)
) STRICT;
CREATE INDEX payment_by_charge ON payment (charge_id, id);
CREATE INDEX payment_by_partner ON payment (partner_id, id);
CREATE INDEX payment_by_athlete ON payment (athlete_id, id);
CREATE INDEX payment_by_contract ON payment (contract_id, id);
CREATE INDEX payment_by_college ON payment (college_id, id);
CREATE INDEX payment_by_status ON payment (status, id);

-- Which deliverable a payment settles, and with how much.
CREATE TABLE payment_share (
    payment_id INTEGER NOT NULL REFERENCES payment (id),
    deliverable_id INTEGER NOT NULL REFERENCES deliverable (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    PRIMARY KEY (payment_id, deliverable_id)
) STRICT;
CREATE INDEX payment_share_by_deliverable ON payment_share (deliverable_id);

CREATE TABLE refund (
    id INTEGER PRIMARY KEY,
    payment_id INTEGER NOT NULL REFERENCES payment (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
    commission_cents INTEGER NOT NULL CHECK (commission_cents >= 0),
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
    failure_code TEXT,
    requested_by TEXT NOT NULL,
    caller TEXT,
    key TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX refund_by_payment ON refund (payment_id, id);
CREATE INDEX refund_by_status ON refund (status, updated_at);

CREATE TABLE payout_account (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL CONSTRAINT payout_account_owner_key UNIQUE,
    processor_account_id TEXT,
    kind TEXT CHECK (kind IN ('standard', 'express')),
    charges_enabled INTEGER NOT NULL,
    payouts_enabled INTEGER NOT NULL,
    requirements_due TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('none', 'pending', 'restricted', 'enabled')),
    preference TEXT NOT NULL CHECK (preference IN ('standard', 'instant', 'manual')),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((status = 'none') = (processor_account_id IS NULL)),
    CHECK ((kind IS NULL) = (processor_account_id IS NULL))
) STRICT;
CREATE INDEX payout_account_by_processor ON payout_account (processor_account_id);

-- One try to send a wallet's money to its owner; a retry is a new row.
CREATE TABLE payout (
    id INTEGER PRIMARY KEY,
    wallet TEXT NOT NULL,
    athlete_id INTEGER REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('on_hold', 'pending', 'in_transit', 'paid', 'failed')),
    attempt INTEGER NOT NULL CHECK (attempt >= 1),
    retry_of INTEGER REFERENCES payout (id),
    hold_reasons TEXT NOT NULL,
    failure_code TEXT,
    processor_transfer_id TEXT,
    -- Whose call is to be answered when the processor's word comes late.
    caller TEXT,
    key TEXT,
    arrives_on TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((athlete_id IS NULL) <> (agent_id IS NULL))
) STRICT;
CREATE INDEX payout_by_wallet ON payout (wallet, id);
CREATE INDEX payout_by_status ON payout (status, id);
CREATE UNIQUE INDEX payout_wallet_live_key ON payout (wallet)
    WHERE status IN ('on_hold', 'pending', 'in_transit');
CREATE UNIQUE INDEX payout_retry_key ON payout (retry_of);

-- Wallets are never negative; what an athlete owes back is a receivable, an account of its own.
CREATE TABLE ledger_account (
    name TEXT NOT NULL PRIMARY KEY,
    balance_cents INTEGER NOT NULL,
    CONSTRAINT ledger_wallet_not_negative CHECK (name NOT LIKE '%:wallet' OR balance_cents >= 0)
) STRICT;

CREATE TABLE ledger_transfer (
    id INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,
    refers_to TEXT NOT NULL,
    at TEXT NOT NULL,
    -- The same movement for the same thing is made once, whatever crashes.
    CONSTRAINT ledger_transfer_once_key UNIQUE (reason, refers_to)
) STRICT;

CREATE TABLE ledger_entry (
    id INTEGER PRIMARY KEY,
    transfer_id INTEGER NOT NULL REFERENCES ledger_transfer (id),
    account TEXT NOT NULL REFERENCES ledger_account (name),
    amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
    balance_after_cents INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_entry_by_account ON ledger_entry (account, id);
CREATE INDEX ledger_entry_by_transfer ON ledger_entry (transfer_id);

-- Events of the processor that have been seen.
CREATE TABLE webhook_event (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    object_id TEXT NOT NULL,
    received_at TEXT NOT NULL
) STRICT;
