-- Calendars of deadlines behind secret addresses, and institutions' squad lists.

-- The address of a person's calendar. Only the hash of its secret is kept; a new address takes the place of the one before.
CREATE TABLE calendar_feed (
    id INTEGER PRIMARY KEY,
    -- One of the two owns it.
    athlete_id INTEGER CONSTRAINT calendar_feed_athlete_key UNIQUE REFERENCES athlete (id),
    portal_user_id INTEGER CONSTRAINT calendar_feed_portal_user_key UNIQUE REFERENCES portal_user (id),
    secret_hash TEXT NOT NULL CONSTRAINT calendar_feed_secret_key UNIQUE,
    created_at TEXT NOT NULL,
    -- When a calendar program last read it.
    read_at TEXT,
    CHECK ((athlete_id IS NULL) <> (portal_user_id IS NULL))
) STRICT;

-- What is due by when, and what no longer is: `ended_at` is empty while a deadline counts, and `changed_at` is when anything
-- about it last changed. `due_on` is the day of a deadline that is a day by its record. A new kind of duty adds its part
-- to both views.
CREATE VIEW athlete_due AS
SELECT d.athlete_id, 'deliverable' AS kind, d.id AS record_id, m.title, d.due_on, d.due_at, c.college_id, d.created_at,
    CASE WHEN c.cancelled_at > d.updated_at THEN c.cancelled_at ELSE d.updated_at END AS changed_at,
    CASE WHEN c.status = 'active' AND d.status IN ('pending', 'denied') THEN NULL
        WHEN c.cancelled_at > d.updated_at THEN c.cancelled_at ELSE d.updated_at END AS ended_at
FROM deliverable d
JOIN contract c ON c.id = d.contract_id
JOIN milestone m ON m.id = d.milestone_id
-- Before the contract is executed nothing is due.
WHERE c.executed_at IS NOT NULL
UNION ALL
SELECT c.athlete_id, 'contract', c.id, j.title, NULL, c.expires_at, c.college_id, c.generated_at,
    CASE WHEN c.status IN ('generated', 'expired') THEN c.updated_at
        ELSE COALESCE(c.executed_at, c.cancelled_at, c.updated_at) END,
    CASE c.status WHEN 'generated' THEN NULL WHEN 'expired' THEN c.updated_at
        ELSE COALESCE(c.executed_at, c.cancelled_at, c.updated_at) END
FROM contract c
JOIN job j ON j.id = c.job_id
UNION ALL
SELECT p.athlete_id, 'invitation', p.id, j.title, NULL, j.closes_at, NULL, p.created_at,
    CASE WHEN p.status = 'invited' AND j.updated_at > p.updated_at THEN j.updated_at ELSE p.updated_at END,
    CASE WHEN p.status <> 'invited' THEN p.updated_at WHEN j.status = 'open' THEN NULL
        WHEN j.updated_at > p.updated_at THEN j.updated_at ELSE p.updated_at END
FROM application p
JOIN job j ON j.id = p.job_id
-- An invitation that was accepted goes on as an application.
WHERE p.status IN ('invited', 'declined', 'expired') AND j.closes_at IS NOT NULL
UNION ALL
SELECT o.athlete_id, 'service_order', o.id, o.title, NULL, o.expires_at, NULL, o.created_at,
    COALESCE(o.answered_at, o.ended_at, o.updated_at),
    CASE WHEN o.status <> 'ordered' THEN COALESCE(o.answered_at, o.ended_at, o.updated_at) END
FROM service_order o
UNION ALL
SELECT d.athlete_id, 'disclosed_job', d.id, d.title, NULL, d.due_at, d.college_id, d.created_at, d.updated_at,
    CASE WHEN d.status NOT IN ('draft', 'info_requested', 'rejected') THEN d.updated_at END
FROM disclosed_job d
UNION ALL
SELECT x.athlete_id, 'clearance', x.id, COALESCE(d.title, j.title), NULL, x.due_at, x.college_id, x.created_at,
    x.updated_at, CASE WHEN x.status <> 'due' THEN x.updated_at END
FROM clearance x
LEFT JOIN disclosed_job d ON d.id = x.disclosed_job_id
LEFT JOIN contract c ON c.id = x.contract_id
LEFT JOIN job j ON j.id = c.job_id
WHERE x.due_at IS NOT NULL
UNION ALL
SELECT f.athlete_id, 'agent_notice', f.id, 'Notice of an agency contract', NULL, f.notice_due_at, f.college_id,
    f.created_at, f.updated_at,
    CASE WHEN f.status IN ('draft', 'submitted', 'acknowledged', 'returned') AND f.athlete_noticed_at IS NULL THEN NULL
        ELSE f.updated_at END
FROM athlete_agent_filing f
WHERE f.notice_due_at IS NOT NULL;

-- The same for an institution: what counts here is what `college_deadline` has.
CREATE VIEW college_due AS
SELECT c.college_id, d.athlete_id, 'deliverable' AS kind, d.id AS record_id, m.title, d.due_on, d.due_at, d.created_at,
    d.updated_at AS changed_at, CASE WHEN d.status NOT IN ('pending', 'denied') THEN d.updated_at END AS ended_at
FROM contract c
-- In this order: an institution's contracts are few among all the deliverables that are pending.
CROSS JOIN deliverable d ON d.contract_id = c.id
JOIN milestone m ON m.id = d.milestone_id
WHERE c.status = 'active'
UNION ALL
-- Of a contract that is over: by the contract's own change, by which an index finds the few that ended lately.
SELECT c.college_id, d.athlete_id, 'deliverable', d.id, m.title, d.due_on, d.due_at, d.created_at, c.updated_at,
    c.updated_at
FROM contract c
CROSS JOIN deliverable d ON d.contract_id = c.id
JOIN milestone m ON m.id = d.milestone_id
WHERE c.status IN ('completed', 'cancelled') AND c.executed_at IS NOT NULL
UNION ALL
SELECT d.college_id, d.athlete_id, 'disclosed_job', d.id, d.title, NULL, d.due_at, d.created_at, d.updated_at,
    CASE WHEN d.status IN ('info_requested', 'rejected')
        OR d.status IN ('submitted', 'under_review') AND d.first_submitted_at > d.due_at THEN NULL
        ELSE d.updated_at END
FROM disclosed_job d
WHERE d.first_submitted_at IS NOT NULL
UNION ALL
SELECT x.college_id, x.athlete_id, 'clearance', x.id, COALESCE(d.title, j.title), NULL, x.due_at, x.created_at,
    x.updated_at, CASE WHEN x.status <> 'due' THEN x.updated_at END
FROM clearance x
LEFT JOIN disclosed_job d ON d.id = x.disclosed_job_id
LEFT JOIN contract c ON c.id = x.contract_id
LEFT JOIN job j ON j.id = c.job_id
WHERE x.due_at IS NOT NULL AND (x.contract_id IS NOT NULL OR d.first_submitted_at IS NOT NULL)
UNION ALL
SELECT f.college_id, f.athlete_id, 'agent_notice', f.id, 'Notice of an agency contract', NULL, f.notice_due_at,
    f.created_at, f.updated_at,
    CASE WHEN f.status IN ('draft', 'submitted', 'acknowledged', 'returned')
        AND (f.agent_noticed_at IS NULL OR f.athlete_noticed_at IS NULL) THEN NULL
        ELSE f.updated_at END
FROM athlete_agent_filing f
WHERE f.notice_due_at IS NOT NULL;

-- A calendar program asks again and again: it reads an institution's records from the oldest that it shows.
CREATE INDEX contract_ended_of_college ON contract (college_id, updated_at) WHERE status IN ('completed', 'cancelled');
CREATE INDEX disclosed_job_of_college_by_due ON disclosed_job (college_id, due_at) WHERE first_submitted_at IS NOT NULL;
CREATE INDEX clearance_of_college_by_due ON clearance (college_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX athlete_agent_filing_of_college_by_due ON athlete_agent_filing (college_id, notice_due_at)
    WHERE notice_due_at IS NOT NULL;

-- Institutions' own lists of the athletes of their teams, as the files say that they import. A member is nobody's account.
CREATE TABLE squad_member (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL REFERENCES college (id),
    sport_id INTEGER NOT NULL REFERENCES sport (id),
    name TEXT NOT NULL,
    email TEXT,
    -- The institution's own number of the student.
    student_id TEXT,
    class_year TEXT CHECK (class_year IN ('freshman', 'sophomore', 'junior', 'senior', 'graduate')),
    redshirt INTEGER NOT NULL,
    position TEXT,
    jersey_number TEXT,
    height_cm INTEGER,
    hometown_city TEXT,
    hometown_region TEXT,
    hometown_country TEXT,
    enrolled_on TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    -- When a file last named them. Whom none names for long is removed.
    seen_at TEXT NOT NULL
) STRICT;
-- The list is read in the order of names, after the last member of the page before.
CREATE INDEX squad_member_by_name ON squad_member (college_id, lower(name), id);
CREATE INDEX squad_member_by_seen ON squad_member (seen_at);
-- Who closes an account is removed from the lists.
CREATE INDEX squad_member_by_email ON squad_member (email) WHERE email IS NOT NULL;
