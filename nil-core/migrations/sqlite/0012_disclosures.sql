-- Deals that athletes disclose to their institutions, and where deals stand with the clearinghouse.

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
    -- It is removed five years after everything about it is over. When the worker looks at it next; one that must stay
    -- gets a later date.
    kept_until TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status IN ('draft', 'withdrawn') OR submitted_at IS NOT NULL),
    CHECK (status NOT IN ('approved', 'rejected', 'info_requested') OR decided_at IS NOT NULL)
) STRICT;
CREATE INDEX disclosed_job_by_athlete ON disclosed_job (athlete_id, id);
CREATE INDEX disclosed_job_by_college ON disclosed_job (college_id, status, id);
-- Exports read them in the order of their ids, part by part. Without this, each part reads and sorts all of them.
CREATE INDEX disclosed_job_of_college ON disclosed_job (college_id, id);
-- What the worker reminds of: drafts that the institution does not have yet.
CREATE INDEX disclosed_job_draft_due ON disclosed_job (due_at, id) WHERE status = 'draft';
CREATE INDEX disclosed_job_kept ON disclosed_job (kept_until, id) WHERE kept_until IS NOT NULL;

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
-- What the worker reminds of: deals that go to the clearinghouse.
CREATE INDEX clearance_due ON clearance (due_at, id) WHERE status = 'due';
-- The pages of an institution's lists are read in the order of an index, after the last row of the page before.
CREATE INDEX clearance_of_college ON clearance (college_id, id);

-- What the clearinghouse is told about a deal beyond what the contract or the disclosed job says. NULL means: as the
-- record of the deal says. The rest of a packet is read from that record until it is submitted.
CREATE TABLE clearance_packet (
    clearance_id INTEGER NOT NULL PRIMARY KEY REFERENCES clearance (id),
    payer_kind TEXT CHECK (payer_kind IN ('business', 'nonprofit', 'individual', 'collective',
        'booster', 'other')),
    payer_parent TEXT,
    business_purpose TEXT,
    uses_marks INTEGER,
    explanation TEXT,
    prepared_by TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

-- The answers about the payer's association with the institution: the last one to each question, with who gave it.
CREATE TABLE clearance_answer (
    clearance_id INTEGER NOT NULL REFERENCES clearance (id),
    question TEXT NOT NULL CHECK (question IN ('supports_institution', 'insider', 'large_donor',
        'asked_by_staff', 'controlled_by_associate', 'sponsor')),
    answer INTEGER NOT NULL,
    answered_by TEXT NOT NULL,
    answered_at TEXT NOT NULL,
    PRIMARY KEY (clearance_id, question)
) STRICT, WITHOUT ROWID;

-- What happened at the clearinghouse, in order. A submission keeps the packet as it was handed in.
CREATE TABLE clearance_step (
    id INTEGER PRIMARY KEY,
    clearance_id INTEGER NOT NULL REFERENCES clearance (id),
    step TEXT NOT NULL CHECK (step IN ('submitted', 'flagged', 'cleared', 'not_cleared', 'arbitration')),
    reference TEXT,
    note TEXT,
    recorded_by TEXT NOT NULL,
    packet TEXT,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX clearance_step_by_clearance ON clearance_step (clearance_id, id);

-- Brands are asked whether they are associated with the institution of a contract that goes to the
-- clearinghouse, and what they answered.
CREATE TABLE payor_attestation (
    clearance_id INTEGER NOT NULL PRIMARY KEY REFERENCES clearance (id),
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    asked_at TEXT NOT NULL,
    due_at TEXT NOT NULL,
    attested_at TEXT,
    answers TEXT,
    CHECK ((attested_at IS NULL) = (answers IS NULL))
) STRICT;
CREATE INDEX payor_attestation_by_partner ON payor_attestation (partner_id, clearance_id);
-- The worker looks for brands that have not attested yet, by their deadline.
CREATE INDEX payor_attestation_open ON payor_attestation (due_at, clearance_id) WHERE attested_at IS NULL;

-- When an athlete enrolled at an institution, and where they came from: it decides which earlier
-- deals the clearinghouse is told of, and by when. One row for each institution.
CREATE TABLE athlete_entry (
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    college_id INTEGER NOT NULL REFERENCES college (id),
    kind TEXT NOT NULL CHECK (kind IN ('high_school', 'junior_college', 'other_division', 'four_year')),
    enrolled_on TEXT NOT NULL,
    -- The first day whose deals count; none for who comes from another institution of the same
    -- division.
    counts_from TEXT,
    first_contest_on TEXT,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (athlete_id, college_id),
    CONSTRAINT athlete_entry_day_key UNIQUE (athlete_id, enrolled_on),
    CHECK ((kind = 'four_year') = (counts_from IS NULL))
) STRICT;

-- Athletes whose deals are added up again, because of something else than a deal: a change of their
-- institution or of the site. The worker adds them up and removes the row.
CREATE TABLE athlete_to_weigh (
    athlete_id INTEGER NOT NULL PRIMARY KEY,
    since TEXT NOT NULL
) STRICT;
CREATE INDEX athlete_to_weigh_by_time ON athlete_to_weigh (since, athlete_id);

CREATE TRIGGER college_weighed_again AFTER UPDATE OF division, participation, time_zone ON college
WHEN new.division IS NOT old.division OR new.participation IS NOT old.participation
    OR new.time_zone IS NOT old.time_zone BEGIN
    INSERT INTO athlete_to_weigh (athlete_id, since)
        SELECT w.athlete_id, new.updated_at FROM (
            SELECT athlete_id FROM clearance WHERE college_id = new.id
            UNION SELECT athlete_id FROM athlete_entry WHERE college_id = new.id) w WHERE TRUE
        ON CONFLICT (athlete_id) DO UPDATE SET since = excluded.since;
END;
CREATE TRIGGER site_weighed_again AFTER UPDATE OF contingent_pay ON site
WHEN new.contingent_pay IS NOT old.contingent_pay BEGIN
    INSERT INTO athlete_to_weigh (athlete_id, since)
        SELECT DISTINCT x.athlete_id, new.updated_at FROM job j JOIN contract c ON c.job_id = j.id
            JOIN clearance x ON x.contract_id = c.id WHERE j.compensation IN ('royalty', 'commission')
        ON CONFLICT (athlete_id) DO UPDATE SET since = excluded.since;
END;
