-- What institutions see of their athletes' money.
--
-- `college_transaction` holds one narrow row for each payment of the platform to an institution's athlete
-- and for each disclosed job that was handed in, in the order of time within an institution: with all that
-- figures add up and filter by, so that none of them reads the records themselves. The views say what a
-- row is; triggers write it in the transaction that changes a record, whoever that is.

CREATE TABLE college_transaction (
    college_id BIGINT NOT NULL,
    occurred_at TIMESTAMPTZ NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('platform', 'disclosed')),
    -- The payment or the disclosed job.
    record_id BIGINT NOT NULL,
    athlete_id BIGINT NOT NULL,
    sport_id BIGINT,
    gender TEXT,
    category_id BIGINT NOT NULL,
    payment_type TEXT NOT NULL,
    status TEXT NOT NULL,
    -- Whether it is money in figures that ask for no particular states.
    counted BOOLEAN NOT NULL,
    gross_cents BIGINT NOT NULL,
    fee_cents BIGINT NOT NULL,
    net_cents BIGINT NOT NULL,
    refunded_cents BIGINT NOT NULL,
    contract_id BIGINT,
    over_threshold BOOLEAN NOT NULL,
    prohibited_category BOOLEAN NOT NULL,
    conflict_sponsor BOOLEAN NOT NULL,
    associated_entity BOOLEAN NOT NULL,
    minor BOOLEAN NOT NULL,
    -- After this instant it is late; none where it was in time.
    late_from TIMESTAMPTZ,
    CONSTRAINT college_transaction_record_key UNIQUE (source, record_id),
    PRIMARY KEY (college_id, occurred_at, source, record_id)
);
CREATE INDEX college_transaction_by_athlete ON college_transaction (athlete_id, college_id);

CREATE VIEW college_transaction_paid AS
SELECT p.college_id, COALESCE(p.paid_at, p.created_at) AS occurred_at, 'platform' AS source,
    p.id AS record_id, p.athlete_id, a.sport_id, a.gender, j.category_id,
    j.compensation AS payment_type, p.status,
    p.status IN ('succeeded', 'partially_refunded', 'refunded') AS counted,
    p.amount_cents AS gross_cents, p.fee_cents, p.amount_cents - p.agent_commission_cents AS net_cents,
    p.refunded_cents, p.contract_id, COALESCE(x.status <> 'not_required', FALSE) AS over_threshold,
    FALSE AS prohibited_category, FALSE AS conflict_sponsor, FALSE AS associated_entity,
    -- Who was born on 29 February comes of age on 1 March.
    COALESCE(a.date_of_birth + INTERVAL '18 years' + CASE WHEN EXTRACT(MONTH FROM a.date_of_birth) = 2
            AND EXTRACT(DAY FROM a.date_of_birth) = 29 THEN INTERVAL '1 day' ELSE INTERVAL '0' END
        > COALESCE(p.paid_at, p.created_at) AT TIME ZONE 'UTC', FALSE) AS minor,
    CASE WHEN x.submitted_at IS NULL OR x.submitted_at > x.due_at THEN x.due_at END AS late_from
FROM payment p
JOIN athlete a ON a.id = p.athlete_id
JOIN contract c ON c.id = p.contract_id
JOIN job j ON j.id = c.job_id
LEFT JOIN clearance x ON x.contract_id = p.contract_id
WHERE p.college_id IS NOT NULL;

-- A deal made elsewhere happens on a day: at noon (UTC), which is the same day in all of the United States.
CREATE VIEW college_transaction_disclosed AS
SELECT d.college_id, (d.signed_on + TIME '12:00') AT TIME ZONE 'UTC' AS occurred_at, 'disclosed' AS source,
    d.id AS record_id, d.athlete_id, a.sport_id, a.gender, d.category_id,
    d.compensation AS payment_type, d.status,
    d.status NOT IN ('rejected', 'withdrawn') AS counted,
    d.amount_cents AS gross_cents, 0::bigint AS fee_cents, d.amount_cents AS net_cents,
    0::bigint AS refunded_cents, NULL::bigint AS contract_id,
    d.flags @> '["over_threshold"]' AS over_threshold,
    d.flags @> '["prohibited_category"]' AS prohibited_category,
    d.flags @> '["conflict_sponsor"]' AS conflict_sponsor,
    d.flags @> '["associated_entity"]' AS associated_entity, d.flags @> '["minor"]' AS minor,
    CASE WHEN d.flags @> '["late"]' AND d.first_submitted_at > d.due_at
        AND d.status <> 'withdrawn' THEN d.due_at END AS late_from
FROM disclosed_job d
JOIN athlete a ON a.id = d.athlete_id
WHERE d.first_submitted_at IS NOT NULL;

CREATE VIEW college_transaction_seen AS
SELECT * FROM college_transaction_paid UNION ALL SELECT * FROM college_transaction_disclosed;

INSERT INTO college_transaction SELECT * FROM college_transaction_seen;

-- The athlete is held first: of two transactions that change what is known of one transaction, the second
-- one has to see the row that the first one wrote. Payments hold the athlete together, all else alone.
CREATE FUNCTION figure(source TEXT, id BIGINT) RETURNS void LANGUAGE sql AS $$
    INSERT INTO college_transaction SELECT * FROM college_transaction_seen v
        WHERE v.source = $1 AND v.record_id = $2
    ON CONFLICT ON CONSTRAINT college_transaction_record_key DO UPDATE SET
        college_id = excluded.college_id, occurred_at = excluded.occurred_at, athlete_id =
        excluded.athlete_id, sport_id = excluded.sport_id, gender = excluded.gender, category_id =
        excluded.category_id, payment_type = excluded.payment_type, status = excluded.status,
        counted = excluded.counted, gross_cents = excluded.gross_cents, fee_cents =
        excluded.fee_cents, net_cents = excluded.net_cents, refunded_cents =
        excluded.refunded_cents, contract_id = excluded.contract_id, over_threshold =
        excluded.over_threshold, prohibited_category = excluded.prohibited_category,
        conflict_sponsor = excluded.conflict_sponsor, associated_entity =
        excluded.associated_entity, minor = excluded.minor, late_from = excluded.late_from;
$$;

CREATE FUNCTION payment_changed_in_figures() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM athlete a WHERE a.id = NEW.athlete_id FOR SHARE;
    PERFORM figure('platform', NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER payment_changed_in_figures AFTER INSERT OR UPDATE ON payment
    FOR EACH ROW WHEN (NEW.college_id IS NOT NULL) EXECUTE FUNCTION payment_changed_in_figures();

CREATE FUNCTION disclosed_job_changed_in_figures() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM athlete a WHERE a.id = NEW.athlete_id FOR SHARE;
    PERFORM figure('disclosed', NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER disclosed_job_changed_in_figures AFTER UPDATE ON disclosed_job
    FOR EACH ROW WHEN (NEW.first_submitted_at IS NOT NULL)
    EXECUTE FUNCTION disclosed_job_changed_in_figures();

CREATE FUNCTION athlete_changed_in_figures() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM figure(t.source, t.record_id) FROM college_transaction t WHERE t.athlete_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER athlete_changed_in_figures AFTER UPDATE OF sport_id, gender, date_of_birth ON athlete
    FOR EACH ROW WHEN (ROW(OLD.sport_id, OLD.gender, OLD.date_of_birth)
        IS DISTINCT FROM ROW(NEW.sport_id, NEW.gender, NEW.date_of_birth))
    EXECUTE FUNCTION athlete_changed_in_figures();

CREATE FUNCTION job_changed_in_figures() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM figure('platform', p.id) FROM contract c JOIN payment p ON p.contract_id = c.id
        WHERE c.job_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER job_changed_in_figures AFTER UPDATE OF category_id, compensation ON job
    FOR EACH ROW WHEN (OLD.category_id <> NEW.category_id OR OLD.compensation <> NEW.compensation)
    EXECUTE FUNCTION job_changed_in_figures();

CREATE FUNCTION clearance_changed_in_figures() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM athlete a WHERE a.id = NEW.athlete_id FOR NO KEY UPDATE;
    PERFORM figure('platform', p.id) FROM payment p WHERE p.contract_id = NEW.contract_id;
    RETURN NULL;
END $$;
CREATE TRIGGER clearance_changed_in_figures AFTER INSERT OR UPDATE OF status, due_at, submitted_at
    ON clearance FOR EACH ROW WHEN (NEW.contract_id IS NOT NULL)
    EXECUTE FUNCTION clearance_changed_in_figures();

-- What somebody has to do by a day, for whoever watches over it: whose, since when it was handed in where
-- that is what can be late.
CREATE VIEW college_deadline AS
SELECT d.college_id, d.athlete_id, 'disclosed_job' AS kind, d.id AS record_id, d.title, d.due_at,
    d.first_submitted_at AS handed_in_at
FROM disclosed_job d
WHERE d.first_submitted_at IS NOT NULL AND (d.status IN ('info_requested', 'rejected')
    OR d.status IN ('submitted', 'under_review') AND d.first_submitted_at > d.due_at)
UNION ALL
SELECT c.college_id, d.athlete_id, 'deliverable', d.id, m.title, d.due_at, NULL::timestamptz
FROM contract c
JOIN deliverable d ON d.contract_id = c.id
JOIN milestone m ON m.id = d.milestone_id
WHERE c.status = 'active' AND d.status IN ('pending', 'denied')
UNION ALL
SELECT x.college_id, x.athlete_id, 'clearance', x.id, COALESCE(d.title, j.title), x.due_at, NULL::timestamptz
FROM clearance x
LEFT JOIN disclosed_job d ON d.id = x.disclosed_job_id
LEFT JOIN contract c ON c.id = x.contract_id
LEFT JOIN job j ON j.id = c.job_id
WHERE x.status = 'due' AND (x.contract_id IS NOT NULL OR d.first_submitted_at IS NOT NULL)
UNION ALL
SELECT f.college_id, f.athlete_id, 'agent_notice', f.id, 'Notice of an agency contract', f.notice_due_at,
    NULL::timestamptz
FROM athlete_agent_filing f
WHERE f.status IN ('draft', 'submitted', 'acknowledged', 'returned') AND f.notice_due_at IS NOT NULL
    AND (f.agent_noticed_at IS NULL OR f.athlete_noticed_at IS NULL);

-- Counts over time, and what an institution's own people did.
CREATE INDEX application_by_created ON application (created_at, athlete_id);
CREATE INDEX contract_by_college_generated ON contract (college_id, generated_at);
CREATE INDEX audit_entry_by_portal_user ON audit_entry (actor, id) WHERE actor LIKE 'portal_user:%';
