-- Jobs, applications, contracts, deliverables.

CREATE TABLE job (
    id INTEGER PRIMARY KEY,
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    category_id INTEGER NOT NULL REFERENCES job_category (id),
    kind TEXT NOT NULL CHECK (kind IN ('one_time', 'ongoing', 'appearance', 'licensing')),
    compensation TEXT NOT NULL
        CHECK (compensation IN ('cash', 'product', 'service', 'mixed', 'royalty', 'commission')),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    product_description TEXT,
    product_value_cents INTEGER,
    commission_basis_points INTEGER,
    slots INTEGER NOT NULL CHECK (slots >= 1),
    filled INTEGER NOT NULL CHECK (filled >= 0),
    application_deadline TEXT,
    starts_on TEXT,
    ends_on TEXT,
    eligibility TEXT NOT NULL,
    usage_rights TEXT NOT NULL,
    exclusivity TEXT,
    visibility TEXT NOT NULL CHECK (visibility IN ('public', 'invite_only')),
    business_purpose TEXT NOT NULL,
    fee_basis_points INTEGER CHECK (fee_basis_points BETWEEN 0 AND 10000),
    status TEXT NOT NULL CHECK (status IN ('draft', 'pending', 'changes_requested', 'open',
        'rejected', 'closed', 'completed', 'cancelled')),
    close_reason TEXT CHECK (close_reason IN ('filled', 'deadline', 'partner')),
    decision_reason TEXT,
    manual_review TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (filled <= slots),
    CHECK ((status = 'closed') = (close_reason IS NOT NULL) OR status IN ('completed', 'cancelled'))
) STRICT;
CREATE INDEX job_by_partner ON job (partner_id, id);
CREATE INDEX job_by_status ON job (status, id);

CREATE TABLE milestone (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    position INTEGER NOT NULL,
    title TEXT NOT NULL,
    activity TEXT NOT NULL,
    platform TEXT NOT NULL,
    media_kind TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity >= 1),
    due_on TEXT NOT NULL,
    instructions TEXT,
    hashtags TEXT NOT NULL,
    disclosure_required INTEGER NOT NULL,
    amount_cents INTEGER CHECK (amount_cents >= 0)
) STRICT;
CREATE INDEX milestone_by_job ON milestone (job_id, position);

CREATE TABLE application (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
    source TEXT NOT NULL CHECK (source IN ('applied', 'invited', 'agent')),
    pitch TEXT,
    proposed_amount_cents INTEGER CHECK (proposed_amount_cents >= 1),
    status TEXT NOT NULL CHECK (status IN ('invited', 'applicant', 'hired', 'confirmed',
        'extension_requested', 'cancellation_requested', 'completed', 'rejected', 'withdrawn',
        'declined', 'expired', 'cancelled')),
    reason TEXT,
    fbp TEXT,
    fbc TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX application_by_job ON application (job_id, status, id);
CREATE INDEX application_by_athlete ON application (athlete_id, status, id);
-- One live application per job and athlete; ended ones are kept beside it.
CREATE UNIQUE INDEX application_live_key ON application (job_id, athlete_id)
    WHERE status IN ('invited', 'applicant', 'hired', 'confirmed', 'extension_requested',
        'cancellation_requested', 'completed');

CREATE TABLE contract (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL CONSTRAINT contract_number_key UNIQUE,
    application_id INTEGER NOT NULL CONSTRAINT contract_application_key UNIQUE REFERENCES application (id),
    job_id INTEGER NOT NULL REFERENCES job (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    college_id INTEGER REFERENCES college (id),
    agreed_amount_cents INTEGER NOT NULL CHECK (agreed_amount_cents >= 0),
    fee_basis_points INTEGER NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 10000),
    agent_id INTEGER REFERENCES agent (id),
    commission_basis_points INTEGER,
    terms TEXT NOT NULL,
    document_sha256 TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('generated', 'active', 'completed', 'cancelled', 'expired')),
    generated_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    executed_at TEXT,
    cancelled_at TEXT,
    completed_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status <> 'active' OR executed_at IS NOT NULL),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK ((status = 'completed') = (completed_at IS NOT NULL))
) STRICT;
CREATE INDEX contract_by_job ON contract (job_id, athlete_id);
CREATE INDEX contract_by_athlete ON contract (athlete_id, status, id);
CREATE INDEX contract_by_partner ON contract (partner_id, status, id);
CREATE INDEX contract_by_college ON contract (college_id, id);
CREATE INDEX contract_by_expiry ON contract (status, expires_at);

-- Who agreed to a contract or an amendment, when, from where, to which document.
CREATE TABLE contract_assent (
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    amendment INTEGER NOT NULL,
    side TEXT NOT NULL CHECK (side IN ('brand', 'athlete', 'guardian')),
    name TEXT NOT NULL,
    at TEXT NOT NULL,
    address TEXT,
    document_sha256 TEXT NOT NULL,
    PRIMARY KEY (contract_id, amendment, side)
) STRICT;

CREATE TABLE contract_amendment (
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    kind TEXT NOT NULL,
    change TEXT NOT NULL,
    document_sha256 TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (contract_id, number)
) STRICT;

CREATE TABLE deliverable (
    id INTEGER PRIMARY KEY,
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    milestone_id INTEGER NOT NULL REFERENCES milestone (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    due_on TEXT NOT NULL,
    due_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'submitted', 'approved', 'denied', 'void')),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    post_urls TEXT NOT NULL,
    caption TEXT,
    file_ids TEXT NOT NULL,
    disclosure_check TEXT,
    submitted_at TEXT,
    reviewed_at TEXT,
    review_note TEXT,
    revision INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status <> 'submitted' OR submitted_at IS NOT NULL),
    CHECK (status NOT IN ('approved', 'denied') OR reviewed_at IS NOT NULL),
    CONSTRAINT deliverable_milestone_key UNIQUE (contract_id, milestone_id)
) STRICT;
CREATE INDEX deliverable_by_athlete ON deliverable (athlete_id, status, due_at);
CREATE INDEX deliverable_by_due ON deliverable (status, due_at);

CREATE TABLE contract_request (
    id INTEGER PRIMARY KEY,
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    kind TEXT NOT NULL CHECK (kind IN ('CC', 'EDD')),
    status TEXT NOT NULL CHECK (status IN ('P', 'A', 'R', 'W')),
    raised_by TEXT NOT NULL,
    reason TEXT,
    deliverable_id INTEGER REFERENCES deliverable (id),
    proposed_due_on TEXT,
    decided_at TEXT,
    decided_by TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((status = 'P') = (decided_at IS NULL)),
    CHECK ((kind = 'EDD') = (deliverable_id IS NOT NULL)),
    CHECK ((kind = 'EDD') = (proposed_due_on IS NOT NULL))
) STRICT;
CREATE INDEX contract_request_by_contract ON contract_request (contract_id, id);
CREATE UNIQUE INDEX contract_request_pending_key ON contract_request (contract_id, kind)
    WHERE status = 'P';

-- Contract and payment numbers run by year without gaps in their row locks.
CREATE TABLE numbering (
    series TEXT NOT NULL PRIMARY KEY,
    last INTEGER NOT NULL
) STRICT;
