-- Agents invite athletes who may not be here yet, act for them, and invoices are issued.

-- Whom the actor acted for, such as `athlete:3`.
ALTER TABLE audit_entry ADD COLUMN on_behalf_of TEXT;

-- An invitation to an address belongs to nobody until its reader answers it.
CREATE TABLE representation_anew (
    id INTEGER PRIMARY KEY,
    agent_id INTEGER NOT NULL REFERENCES agent (id),
    athlete_id INTEGER REFERENCES athlete (id),
    email TEXT,
    status TEXT NOT NULL CHECK (status IN ('invited', 'active', 'declined', 'expired', 'ended')),
    commission_basis_points INTEGER NOT NULL CHECK (commission_basis_points BETWEEN 0 AND 10000),
    message TEXT,
    invited_at TEXT NOT NULL,
    accepted_at TEXT,
    ended_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (athlete_id IS NOT NULL OR email IS NOT NULL),
    CHECK (athlete_id IS NOT NULL OR accepted_at IS NULL)
) STRICT;
INSERT INTO representation_anew (id, agent_id, athlete_id, status, commission_basis_points,
    invited_at, accepted_at, ended_at, created_at, updated_at)
    SELECT id, agent_id, athlete_id, status, commission_basis_points, invited_at, accepted_at,
        ended_at, created_at, updated_at FROM representation;
DROP TABLE representation;
ALTER TABLE representation_anew RENAME TO representation;
CREATE INDEX representation_by_agent ON representation (agent_id, status, id);
CREATE INDEX representation_by_athlete ON representation (athlete_id, status, id);
CREATE INDEX representation_by_status ON representation (status, invited_at);
CREATE INDEX representation_by_email ON representation (email, status);
CREATE UNIQUE INDEX representation_active_key ON representation (athlete_id) WHERE status = 'active';
CREATE UNIQUE INDEX representation_invited_key ON representation (agent_id, athlete_id)
    WHERE status = 'invited' AND athlete_id IS NOT NULL;
CREATE UNIQUE INDEX representation_addressed_key ON representation (agent_id, email)
    WHERE status = 'invited' AND email IS NOT NULL;

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
