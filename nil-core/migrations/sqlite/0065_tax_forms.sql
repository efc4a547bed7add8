-- Tax forms, backup withholding, and whether payouts wait for a form.

-- What athletes and agents state on a W-9, and brands about themselves as payers. Each statement is kept; the last one
-- counts. The taxpayer number is sealed.
CREATE TABLE tax_form (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    classification TEXT NOT NULL CHECK (classification IN ('individual', 'c_corporation', 's_corporation',
        'partnership', 'trust_estate', 'llc_c_corporation', 'llc_s_corporation', 'llc_partnership')),
    first_name TEXT,
    last_name TEXT,
    business_name TEXT,
    street TEXT NOT NULL,
    street2 TEXT,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    postal_code TEXT NOT NULL,
    phone TEXT,
    tin_kind TEXT NOT NULL CHECK (tin_kind IN ('ssn', 'itin', 'ein')),
    tin_sealed BLOB NOT NULL,
    tin_last4 TEXT NOT NULL,
    statement_version TEXT NOT NULL,
    signature TEXT NOT NULL,
    certified_at TEXT NOT NULL,
    -- The network address that the statement came from.
    certified_from TEXT,
    replaced_at TEXT,
    CONSTRAINT tax_form_version_key UNIQUE (owner, version),
    CHECK (classification <> 'individual' OR (first_name IS NOT NULL AND last_name IS NOT NULL)),
    CHECK (classification = 'individual' OR business_name IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX tax_form_current_key ON tax_form (owner) WHERE replaced_at IS NULL;

-- When the tax office told to withhold from someone's payouts.
CREATE TABLE backup_withholding (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    notice TEXT NOT NULL CHECK (notice IN ('b_notice', 'c_notice', 'no_tin')),
    reason TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    ends_at TEXT,
    set_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX backup_withholding_by_owner ON backup_withholding (owner, id);
CREATE UNIQUE INDEX backup_withholding_open_key ON backup_withholding (owner) WHERE ends_at IS NULL;

-- What was withheld when the payout was made, beside its amount.
ALTER TABLE payout ADD COLUMN withheld_cents INTEGER NOT NULL DEFAULT 0 CHECK (withheld_cents >= 0);

CREATE INDEX payment_by_agent ON payment (agent_id, id) WHERE agent_id IS NOT NULL;

ALTER TABLE site ADD COLUMN hold_payouts_for_tax_form INTEGER NOT NULL DEFAULT 0;
