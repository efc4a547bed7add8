-- What institutions ask of deals, and the deals that their athletes disclose to them.

-- Append-only: a change is a new row, in force from its day on. What an institution has not said itself
-- comes from assets/reference/institution_rules.csv.
CREATE TABLE institution_rule (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL REFERENCES college (id),
    rule TEXT NOT NULL CHECK (rule IN ('deadline', 'threshold', 'approval', 'hold_payouts',
        'prohibited_categories', 'restricted_categories', 'sponsor_conflicts', 'marks', 'blackouts',
        'f1', 'agent_notice', 'automatic_flags')),
    value TEXT NOT NULL,
    effective_on TEXT NOT NULL,
    set_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX institution_rule_by_college ON institution_rule (college_id, effective_on, id);

CREATE TABLE college_setting (
    college_id INTEGER NOT NULL PRIMARY KEY REFERENCES college (id),
    digest TEXT NOT NULL CHECK (digest IN ('instant', 'daily', 'weekly')),
    contact_email TEXT,
    logo_url TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

-- Kept apart from the athlete's record: nobody but the athlete and the rules read it.
CREATE TABLE athlete_visa (
    athlete_id INTEGER NOT NULL PRIMARY KEY REFERENCES athlete (id),
    status TEXT NOT NULL CHECK (status IN ('none', 'f1', 'j1', 'other')),
    updated_at TEXT NOT NULL
) STRICT;

-- An institution's word on one athlete and one job in a category it restricts.
CREATE TABLE institution_consent (
    college_id INTEGER NOT NULL REFERENCES college (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    job_id INTEGER NOT NULL REFERENCES job (id),
    granted INTEGER NOT NULL,
    note TEXT,
    decided_by TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    PRIMARY KEY (college_id, athlete_id, job_id)
) STRICT;

-- A deal made off the platform.
CREATE TABLE disclosed_job (
    id INTEGER PRIMARY KEY,
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    college_id INTEGER NOT NULL REFERENCES college (id),
    payer_name TEXT NOT NULL,
    payer_parent TEXT,
    payer_kind TEXT NOT NULL CHECK (payer_kind IN ('business', 'nonprofit', 'individual',
        'collective', 'booster', 'other')),
    title TEXT NOT NULL,
    category_id INTEGER NOT NULL REFERENCES job_category (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 1),
    benefits_cents INTEGER NOT NULL CHECK (benefits_cents >= 0),
    contingent_cents INTEGER NOT NULL CHECK (contingent_cents >= 0),
    compensation TEXT NOT NULL
        CHECK (compensation IN ('cash', 'product', 'service', 'mixed', 'royalty', 'commission')),
    signed_on TEXT NOT NULL,
    starts_on TEXT,
    ends_on TEXT,
    description TEXT NOT NULL,
    file_ids TEXT NOT NULL,
    associated_entity INTEGER NOT NULL,
    uses_marks INTEGER NOT NULL,
    attestations TEXT NOT NULL,
    breaches TEXT NOT NULL,
    flags TEXT NOT NULL,
    prepared_by TEXT NOT NULL,
    submitted_by TEXT,
    status TEXT NOT NULL CHECK (status IN ('draft', 'submitted', 'under_review', 'info_requested',
        'approved', 'rejected', 'withdrawn')),
    decision_note TEXT,
    decided_by TEXT,
    decided_at TEXT,
    first_submitted_at TEXT,
    submitted_at TEXT,
    due_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status IN ('draft', 'withdrawn') OR submitted_at IS NOT NULL),
    CHECK (status NOT IN ('approved', 'rejected', 'info_requested') OR decided_at IS NOT NULL)
) STRICT;
CREATE INDEX disclosed_job_by_athlete ON disclosed_job (athlete_id, id);
CREATE INDEX disclosed_job_by_college ON disclosed_job (college_id, status, id);

-- Where a deal stands with the clearinghouse: one row for each executed contract and each disclosed job.
CREATE TABLE clearance (
    id INTEGER PRIMARY KEY,
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    college_id INTEGER NOT NULL REFERENCES college (id),
    contract_id INTEGER CONSTRAINT clearance_contract_key UNIQUE REFERENCES contract (id),
    disclosed_job_id INTEGER CONSTRAINT clearance_disclosed_job_key UNIQUE
        REFERENCES disclosed_job (id),
    -- The payor's group of companies in one spelling: what amounts are added up by.
    payor TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    signed_on TEXT NOT NULL,
    counts INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('not_required', 'due', 'submitted', 'flagged', 'cleared',
        'not_cleared', 'arbitration')),
    due_at TEXT,
    reference TEXT,
    note TEXT,
    submitted_at TEXT,
    decided_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((contract_id IS NULL) <> (disclosed_job_id IS NULL)),
    CHECK ((status = 'not_required') = (due_at IS NULL)),
    CHECK (status IN ('not_required', 'due') OR submitted_at IS NOT NULL)
) STRICT;
CREATE INDEX clearance_by_athlete ON clearance (athlete_id, payor, signed_on);
CREATE INDEX clearance_by_college ON clearance (college_id, status, id);
