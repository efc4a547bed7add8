-- What institutions see of their athletes' money.
--
-- `college_transaction` holds one narrow row for each payment of the platform to an institution's athlete
-- and for each disclosed job that was handed in, in the order of time within an institution: with all that
-- figures add up and filter by, so that none of them reads the records themselves. The views say what a
-- row is; triggers write it in the transaction that changes a record, whoever that is.

CREATE TABLE college_transaction (
    college_id INTEGER NOT NULL,
    occurred_at TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('platform', 'disclosed')),
    -- The payment or the disclosed job.
    record_id INTEGER NOT NULL,
    athlete_id INTEGER NOT NULL,
    sport_id INTEGER,
    gender TEXT,
    category_id INTEGER NOT NULL,
    payment_type TEXT NOT NULL,
    status TEXT NOT NULL,
    -- Whether it is money in figures that ask for no particular states.
    counted INTEGER NOT NULL,
    gross_cents INTEGER NOT NULL,
    fee_cents INTEGER NOT NULL,
    net_cents INTEGER NOT NULL,
    refunded_cents INTEGER NOT NULL,
    contract_id INTEGER,
    over_threshold INTEGER NOT NULL,
    prohibited_category INTEGER NOT NULL,
    conflict_sponsor INTEGER NOT NULL,
    associated_entity INTEGER NOT NULL,
    minor INTEGER NOT NULL,
    -- After this instant it is late; none where it was in time.
    late_from TEXT,
    PRIMARY KEY (college_id, occurred_at, source, record_id),
    CONSTRAINT college_transaction_record_key UNIQUE (source, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX college_transaction_by_athlete ON college_transaction (athlete_id, college_id);

CREATE VIEW college_transaction_paid AS
SELECT p.college_id, COALESCE(p.paid_at, p.created_at) AS occurred_at, 'platform' AS source,
    p.id AS record_id, p.athlete_id, a.sport_id, a.gender, j.category_id,
    j.compensation AS payment_type, p.status,
    p.status IN ('succeeded', 'partially_refunded', 'refunded') AS counted,
    p.amount_cents AS gross_cents, p.fee_cents, p.amount_cents - p.agent_commission_cents AS net_cents,
    p.refunded_cents, p.contract_id, COALESCE(x.status <> 'not_required', 0) AS over_threshold,
    0 AS prohibited_category, 0 AS conflict_sponsor, 0 AS associated_entity,
    -- Who was born on 29 February comes of age on 1 March.
    COALESCE(date(a.date_of_birth, '+18 years')
        > date(COALESCE(p.paid_at, p.created_at)), 0) AS minor,
    CASE WHEN x.submitted_at IS NULL OR x.submitted_at > x.due_at THEN x.due_at END AS late_from
FROM payment p
JOIN athlete a ON a.id = p.athlete_id
JOIN contract c ON c.id = p.contract_id
JOIN job j ON j.id = c.job_id
LEFT JOIN clearance x ON x.contract_id = p.contract_id
WHERE p.college_id IS NOT NULL;

-- A deal made elsewhere happens on a day: at noon (UTC), which is the same day in all of the United States.
CREATE VIEW college_transaction_disclosed AS
SELECT d.college_id, d.signed_on || 'T12:00:00+00:00' AS occurred_at, 'disclosed' AS source,
    d.id AS record_id, d.athlete_id, a.sport_id, a.gender, d.category_id,
    d.compensation AS payment_type, d.status,
    d.status NOT IN ('rejected', 'withdrawn') AS counted,
    d.amount_cents AS gross_cents, 0 AS fee_cents, d.amount_cents AS net_cents, 0 AS refunded_cents,
    NULL AS contract_id, d.flags LIKE '%"over_threshold"%' AS over_threshold,
    d.flags LIKE '%"prohibited_category"%' AS prohibited_category,
    d.flags LIKE '%"conflict_sponsor"%' AS conflict_sponsor,
    d.flags LIKE '%"associated_entity"%' AS associated_entity, d.flags LIKE '%"minor"%' AS minor,
    CASE WHEN d.flags LIKE '%"late"%' AND d.first_submitted_at > d.due_at
        AND d.status <> 'withdrawn' THEN d.due_at END AS late_from
FROM disclosed_job d
JOIN athlete a ON a.id = d.athlete_id
WHERE d.first_submitted_at IS NOT NULL;

CREATE VIEW college_transaction_seen AS
SELECT * FROM college_transaction_paid UNION ALL SELECT * FROM college_transaction_disclosed;

INSERT INTO college_transaction SELECT * FROM college_transaction_seen;

CREATE TRIGGER payment_added_to_figures AFTER INSERT ON payment WHEN new.college_id IS NOT NULL BEGIN
    INSERT OR REPLACE INTO college_transaction
        SELECT * FROM college_transaction_paid WHERE record_id = new.id;
END;
CREATE TRIGGER payment_changed_in_figures AFTER UPDATE ON payment WHEN new.college_id IS NOT NULL BEGIN
    INSERT OR REPLACE INTO college_transaction
        SELECT * FROM college_transaction_paid WHERE record_id = new.id;
END;
CREATE TRIGGER disclosed_job_changed_in_figures AFTER UPDATE ON disclosed_job
WHEN new.first_submitted_at IS NOT NULL BEGIN
    INSERT OR REPLACE INTO college_transaction
        SELECT * FROM college_transaction_disclosed WHERE record_id = new.id;
END;
CREATE TRIGGER athlete_changed_in_figures AFTER UPDATE OF sport_id, gender, date_of_birth ON athlete
WHEN old.sport_id IS NOT new.sport_id OR old.gender IS NOT new.gender
    OR old.date_of_birth IS NOT new.date_of_birth BEGIN
    INSERT OR REPLACE INTO college_transaction
        SELECT * FROM college_transaction_paid WHERE athlete_id = new.id;
    INSERT OR REPLACE INTO college_transaction
        SELECT * FROM college_transaction_disclosed WHERE athlete_id = new.id;
END;
CREATE TRIGGER job_changed_in_figures AFTER UPDATE OF category_id, compensation ON job
WHEN old.category_id <> new.category_id OR old.compensation <> new.compensation BEGIN
    INSERT OR REPLACE INTO college_transaction SELECT * FROM college_transaction_paid
        WHERE contract_id IN (SELECT c.id FROM contract c WHERE c.job_id = new.id);
END;
CREATE TRIGGER clearance_added_to_figures AFTER INSERT ON clearance
WHEN new.contract_id IS NOT NULL BEGIN
    INSERT OR REPLACE INTO college_transaction
        SELECT * FROM college_transaction_paid WHERE contract_id = new.contract_id;
END;
CREATE TRIGGER clearance_changed_in_figures AFTER UPDATE OF status, due_at, submitted_at ON clearance
WHEN new.contract_id IS NOT NULL BEGIN
    INSERT OR REPLACE INTO college_transaction
        SELECT * FROM college_transaction_paid WHERE contract_id = new.contract_id;
END;

-- What somebody has to do by a day, for whoever watches over it: whose, since when it was handed in where
-- that is what can be late.
CREATE VIEW college_deadline AS
SELECT d.college_id, d.athlete_id, 'disclosed_job' AS kind, d.id AS record_id, d.title, d.due_at,
    d.first_submitted_at AS handed_in_at
FROM disclosed_job d
WHERE d.first_submitted_at IS NOT NULL AND (d.status IN ('info_requested', 'rejected')
    OR d.status IN ('submitted', 'under_review') AND d.first_submitted_at > d.due_at)
UNION ALL
SELECT c.college_id, d.athlete_id, 'deliverable', d.id, m.title, d.due_at, NULL
FROM contract c
-- In this order: an institution's contracts are few among all the deliverables that are pending.
CROSS JOIN deliverable d ON d.contract_id = c.id
JOIN milestone m ON m.id = d.milestone_id
WHERE c.status = 'active' AND d.status IN ('pending', 'denied')
UNION ALL
SELECT x.college_id, x.athlete_id, 'clearance', x.id, COALESCE(d.title, j.title), x.due_at, NULL
FROM clearance x
LEFT JOIN disclosed_job d ON d.id = x.disclosed_job_id
LEFT JOIN contract c ON c.id = x.contract_id
LEFT JOIN job j ON j.id = c.job_id
WHERE x.status = 'due' AND (x.contract_id IS NOT NULL OR d.first_submitted_at IS NOT NULL)
UNION ALL
SELECT f.college_id, f.athlete_id, 'agent_notice', f.id, 'Notice of an agency contract', f.notice_due_at,
    NULL
FROM athlete_agent_filing f
WHERE f.status IN ('draft', 'submitted', 'acknowledged', 'returned') AND f.notice_due_at IS NOT NULL
    AND (f.agent_noticed_at IS NULL OR f.athlete_noticed_at IS NULL);

-- Counts over time, and what an institution's own people did.
CREATE INDEX application_by_created ON application (created_at, athlete_id);
CREATE INDEX contract_by_college_generated ON contract (college_id, generated_at);
CREATE INDEX audit_entry_by_portal_user ON audit_entry (actor, id) WHERE actor LIKE 'portal_user:%';
