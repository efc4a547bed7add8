-- Cards, payments, payouts, refunds, the double-entry ledger under them, and invoices.

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
-- Each card is kept once.
CREATE UNIQUE INDEX payment_method_reference_key ON payment_method (owner, processor_ref)
    WHERE removed_at IS NULL;

-- One charge at the processor, for one payment or for the lines of a bulk payment.
CREATE TABLE charge (
    id INTEGER PRIMARY KEY,
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    payment_method_id INTEGER NOT NULL REFERENCES payment_method (id),
    kind TEXT NOT NULL CHECK (kind IN ('card', 'bulk')),
    -- The order whose completion asked for it: that call is to be answered.
    service_order_id INTEGER REFERENCES service_order (id),
    total_cents INTEGER NOT NULL CHECK (total_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('processing', 'succeeded', 'failed')),
    processor_charge_id TEXT,
    failure_code TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX charge_by_status ON charge (status, updated_at);
CREATE INDEX charge_by_partner ON charge (partner_id, id);
CREATE INDEX charge_by_service_order ON charge (service_order_id);

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
    -- Whether fee and commission are those of everything paid under the contract up to here, less what was taken before.
    on_totals INTEGER NOT NULL DEFAULT 0,
    total_cents INTEGER NOT NULL,
    refunded_cents INTEGER NOT NULL CHECK (refunded_cents >= 0),
    refunded_fee_cents INTEGER NOT NULL CHECK (refunded_fee_cents >= 0),
    currency TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'succeeded', 'failed',
        'partially_refunded', 'refunded')),
    failure_code TEXT,
    paid_at TEXT,
    -- How far the clocks of the athlete's institution are from UTC when it is made, in seconds: whether it is a minor's
    -- is decided by the day there. Where that is not known, the day is the one where a day ends last.
    utc_offset INTEGER,
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
-- Revenue is added up over months: from this index alone, whatever the number of payments before and after.
CREATE INDEX payment_by_paid_at ON payment (paid_at, status, partner_id, college_id, amount_cents, fee_cents,
    refunded_fee_cents) WHERE paid_at IS NOT NULL;
CREATE INDEX payment_by_agent ON payment (agent_id, id) WHERE agent_id IS NOT NULL;

-- Which deliverable a payment settles, and with how much.
CREATE TABLE payment_share (
    payment_id INTEGER NOT NULL REFERENCES payment (id),
    deliverable_id INTEGER NOT NULL REFERENCES deliverable (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    PRIMARY KEY (payment_id, deliverable_id)
) STRICT;
CREATE INDEX payment_share_by_deliverable ON payment_share (deliverable_id);

-- Which sale's commission a payment settles, and with how much.
CREATE TABLE commission_share (
    payment_id INTEGER NOT NULL REFERENCES payment (id),
    conversion_id INTEGER NOT NULL REFERENCES affiliate_conversion (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    PRIMARY KEY (payment_id, conversion_id)
) STRICT;
CREATE INDEX commission_share_by_conversion ON commission_share (conversion_id);

CREATE TABLE refund (
    id INTEGER PRIMARY KEY,
    payment_id INTEGER NOT NULL REFERENCES payment (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
    commission_cents INTEGER NOT NULL CHECK (commission_cents >= 0),
    -- What it asks of the fee.
    refund_fee TEXT CHECK (refund_fee IN ('none', 'proportional', 'all')),
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
    failure_code TEXT,
    requested_by TEXT NOT NULL,
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
    -- When a wallet that is paid out by itself is looked at next: empty while there is nothing to look for. `looked_at`
    -- is the last look. `woken` counts what made it due, so that a look that began before does not put it off.
    look_at TEXT,
    looked_at TEXT,
    woken INTEGER NOT NULL DEFAULT 0,
    misses INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((status = 'none') = (processor_account_id IS NULL)),
    CHECK ((kind IS NULL) = (processor_account_id IS NULL))
) STRICT;
CREATE INDEX payout_account_by_processor ON payout_account (processor_account_id);
CREATE INDEX payout_account_by_look ON payout_account (look_at, id) WHERE look_at IS NOT NULL;

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
    -- Since when the processor may have been asked for it, nothing where it never was (the processor forgets keys).
    pending_since TEXT,
    arrives_on TEXT,
    -- When to ask again whether the bank has returned it; nothing where that is not asked any more.
    watch_at TEXT,
    -- When it was looked at in vain after it failed: those that were wait behind the others.
    looked_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((athlete_id IS NULL) <> (agent_id IS NULL))
) STRICT;
CREATE INDEX payout_by_wallet ON payout (wallet, id);
CREATE INDEX payout_by_status ON payout (status, id);
CREATE UNIQUE INDEX payout_wallet_live_key ON payout (wallet)
    WHERE status IN ('on_hold', 'pending', 'in_transit');
CREATE UNIQUE INDEX payout_retry_key ON payout (retry_of);
CREATE INDEX payout_by_watch ON payout (watch_at) WHERE watch_at IS NOT NULL;
-- Payouts that wait, in the order in which they are looked at.
CREATE INDEX payout_held ON payout (status, updated_at, id) WHERE status = 'on_hold';
CREATE INDEX payout_failed ON payout (status, COALESCE(looked_at, updated_at), id) WHERE status = 'failed';
CREATE INDEX payout_pending ON payout (updated_at) WHERE status = 'pending';
CREATE INDEX payout_arriving ON payout (arrives_on) WHERE status = 'in_transit';
CREATE INDEX payout_failed_at ON payout (updated_at, id) WHERE status = 'failed';

-- Wallets are never negative; what an athlete owes back is a receivable, an account of its own.
CREATE TABLE ledger_account (
    name TEXT NOT NULL PRIMARY KEY,
    balance_cents INTEGER NOT NULL,
    CONSTRAINT ledger_wallet_not_negative CHECK (name NOT LIKE '%:wallet' OR balance_cents >= 0)
) STRICT;

CREATE TRIGGER wallet_has_grown AFTER UPDATE OF balance_cents ON ledger_account
WHEN new.balance_cents > old.balance_cents AND new.name LIKE '%:wallet' BEGIN
    UPDATE payout_account SET look_at = '1970-01-01T00:00:00Z', woken = woken + 1, misses = 0
        WHERE owner = substr(new.name, 1, length(new.name) - length(':wallet'));
END;

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

CREATE TABLE invoice (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL CONSTRAINT invoice_number_key UNIQUE,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    period TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'void', 'uncollectible')),
    total_cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    -- Who bills whom, as it was on the day of issue.
    issuer_name TEXT NOT NULL,
    issuer_contact TEXT NOT NULL,
    customer_name TEXT NOT NULL,
    customer_contact TEXT NOT NULL,
    issued_at TEXT NOT NULL,
    paid_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX invoice_by_owner ON invoice (owner, id);

CREATE TABLE invoice_line (
    invoice_id INTEGER NOT NULL REFERENCES invoice (id),
    position INTEGER NOT NULL,
    description TEXT NOT NULL,
    at TEXT NOT NULL,
    payment_id INTEGER REFERENCES payment (id),
    refund_id INTEGER REFERENCES refund (id),
    amount_cents INTEGER NOT NULL,
    PRIMARY KEY (invoice_id, position)
) STRICT;
-- A payment's fee is billed once, a refund of it credited once.
CREATE UNIQUE INDEX invoice_line_payment_key ON invoice_line (payment_id) WHERE refund_id IS NULL;
CREATE UNIQUE INDEX invoice_line_refund_key ON invoice_line (refund_id);

-- Months whose fees have all been billed, so that the worker need not look again.
CREATE TABLE invoiced_period (
    period TEXT NOT NULL PRIMARY KEY,
    done_at TEXT NOT NULL
) STRICT;

-- The embedded payment processor's own books. The platform never reads these tables: it asks the processor, as it would
-- ask a remote one.

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
