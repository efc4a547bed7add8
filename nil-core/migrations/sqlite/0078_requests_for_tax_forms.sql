-- Who was asked for a tax form, in which year and why: once for each reason and year.

CREATE TABLE tax_form_request (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    athlete_id INTEGER REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
    -- The year of the earnings (UTC).
    year INTEGER NOT NULL CHECK (year BETWEEN 2021 AND 2100),
    near_threshold_at TEXT,
    payout_held_at TEXT,
    tax_withheld_at TEXT,
    returns_due_at TEXT,
    -- The last of these; null while nobody was asked yet.
    asked_at TEXT,
    -- When a form was handed in.
    answered_at TEXT,
    -- When the worker looks whether a return of this year lacks the form; null once it has.
    look_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT tax_form_request_key UNIQUE (owner, year),
    CHECK ((athlete_id IS NULL) <> (agent_id IS NULL))
) STRICT;
CREATE INDEX tax_form_request_by_look ON tax_form_request (look_at, id) WHERE look_at IS NOT NULL;
CREATE INDEX tax_form_request_open ON tax_form_request (id) WHERE answered_at IS NULL;

-- Athletes who were paid before this was kept: the worker looks in January whether a return lacks their form.
INSERT INTO tax_form_request (owner, athlete_id, year, look_at, created_at, updated_at)
    SELECT 'athlete:' || p.athlete_id, p.athlete_id, CAST(substr(p.paid_at, 1, 4) AS INTEGER),
        (CAST(substr(p.paid_at, 1, 4) AS INTEGER) + 1) || '-01-01T00:00:00+00:00', MAX(p.paid_at), MAX(p.paid_at)
    FROM payment p
    WHERE p.paid_at >= '2026-01-01T00:00:00+00:00' AND p.paid_at < '2100-01-01T00:00:00+00:00'
        AND NOT EXISTS (SELECT 1 FROM tax_form f
            WHERE f.owner = 'athlete:' || p.athlete_id AND f.replaced_at IS NULL)
    GROUP BY p.athlete_id, substr(p.paid_at, 1, 4);
