-- Jobs, applications, contracts, deliverables, and the posts that must stay up.

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
    -- When it stops taking applications: at its deadline, and at the latest when the last day that anything is due on has
    -- ended wherever in the United States it ends last (Honolulu, ten hours behind UTC).
    closes_at TEXT,
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
CREATE INDEX job_by_amount ON job (status, amount_cents, id);
CREATE INDEX job_by_deadline ON job (status, application_deadline, id);
CREATE INDEX job_by_closing ON job (status, closes_at, id);
-- Open jobs, one index for each way to sort them; the first one has everything that is filtered by, so that they are
-- tried and counted without the texts.
CREATE INDEX job_by_status ON job (status, id, visibility, closes_at, category_id, kind, compensation,
    amount_cents);
-- The conditions of a search are read from the index here, too: a job that does not meet them is not read.
CREATE INDEX job_by_category ON job (status, category_id, id, visibility, closes_at, kind, compensation,
    amount_cents);
CREATE INDEX job_pending ON job (updated_at) WHERE status = 'pending';
CREATE INDEX job_in_review ON job (id) WHERE json_extract(manual_review, '$.status') = 'open';

CREATE VIEW job_words AS
SELECT id, fold_words(title) AS title, fold_words(description) AS description FROM job;

-- A search asks for the newest jobs with a beginning of a word. From a list of that beginning they come one by one;
-- without one, the lists of all words that begin so are merged first, however few jobs are shown.
CREATE VIRTUAL TABLE job_text USING fts5 (title, description, content = 'job_words',
    content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 5 6 7 8 9 10 11 12');
INSERT INTO job_text (job_text, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER job_added AFTER INSERT ON job BEGIN
    INSERT INTO job_text (rowid, title, description)
        VALUES (new.id, fold_words(new.title), fold_words(new.description));
END;
CREATE TRIGGER job_removed AFTER DELETE ON job BEGIN
    INSERT INTO job_text (job_text, rowid, title, description)
        VALUES ('delete', old.id, fold_words(old.title), fold_words(old.description));
END;
CREATE TRIGGER job_reworded AFTER UPDATE OF title, description ON job
WHEN old.title <> new.title OR old.description <> new.description BEGIN
    INSERT INTO job_text (job_text, rowid, title, description)
        VALUES ('delete', old.id, fold_words(old.title), fold_words(old.description));
    INSERT INTO job_text (rowid, title, description)
        VALUES (new.id, fold_words(new.title), fold_words(new.description));
END;

-- Who may be hired, one row per wanted value: what searches ask for. A job's own column says the same.
CREATE TABLE job_condition (
    job_id INTEGER NOT NULL REFERENCES job (id),
    kind TEXT NOT NULL CHECK (kind IN ('sport', 'university', 'gender', 'state', 'class_year',
        'min_followers')),
    value TEXT NOT NULL,
    number INTEGER,
    PRIMARY KEY (job_id, kind, value)
) STRICT;
CREATE INDEX job_condition_by_value ON job_condition (kind, value, job_id, number);

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
CREATE INDEX milestone_by_platform ON milestone (platform, job_id);

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
-- Counts over time.
CREATE INDEX application_by_created ON application (created_at, athlete_id);
-- An athlete's own applications to the jobs that a search shows.
CREATE INDEX application_by_athlete_and_job ON application (athlete_id, job_id, id);

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
    -- Since when its agent gets no commission, because the athlete cancelled the agency contract in time.
    commission_waived_at TEXT,
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
-- What a brand's reports and its content library are read by.
CREATE INDEX contract_of_partner ON contract (partner_id, id);
CREATE INDEX contract_by_college_generated ON contract (college_id, generated_at);
CREATE INDEX contract_by_generated ON contract (generated_at);
-- What an agent who leaves still has a share in.
CREATE INDEX contract_by_agent ON contract (agent_id, status, id) WHERE agent_id IS NOT NULL;

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
    -- When an operator was asked to look at it.
    escalated_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((status = 'P') = (decided_at IS NULL)),
    CHECK ((kind = 'EDD') = (deliverable_id IS NOT NULL)),
    CHECK ((kind = 'EDD') = (proposed_due_on IS NOT NULL))
) STRICT;
CREATE INDEX contract_request_by_contract ON contract_request (contract_id, id);
CREATE UNIQUE INDEX contract_request_pending_key ON contract_request (contract_id, kind)
    WHERE status = 'P';
-- Cancellation requests that nobody answers, and that no operator was asked to look at.
CREATE INDEX contract_request_unanswered ON contract_request (created_at, id)
    WHERE kind = 'CC' AND status = 'P' AND escalated_at IS NULL;

-- Published posts that must stay up: one row for each address of approved work.
CREATE TABLE watched_post (
    id INTEGER PRIMARY KEY,
    deliverable_id INTEGER NOT NULL REFERENCES deliverable (id),
    url TEXT NOT NULL,
    live_until TEXT NOT NULL,
    -- What the last check found, and why.
    outcome TEXT NOT NULL CHECK (outcome IN ('live', 'gone', 'undisclosed', 'unchecked')),
    reason TEXT,
    checked_at TEXT,
    -- When it was last seen in place.
    seen_at TEXT,
    -- What brand and athlete know: the last finding that was one.
    told TEXT NOT NULL CHECK (told IN ('live', 'gone', 'undisclosed')),
    -- When it is looked at next; null after its live period.
    look_at TEXT,
    -- How many looks in a row got no answer.
    misses INTEGER NOT NULL CHECK (misses >= 0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT watched_post_key UNIQUE (deliverable_id, url)
) STRICT;
CREATE INDEX watched_post_by_look ON watched_post (look_at, id) WHERE look_at IS NOT NULL;

-- What was found there, one row for each day it was looked at.
CREATE TABLE post_check (
    post_id INTEGER NOT NULL REFERENCES watched_post (id),
    day TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('live', 'gone', 'undisclosed', 'unchecked')),
    reason TEXT,
    at TEXT NOT NULL,
    PRIMARY KEY (post_id, day)
) STRICT;
