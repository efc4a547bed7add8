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
