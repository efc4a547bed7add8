-- What institutions see of their athletes' money.
--
-- `college_transaction` holds one narrow row for each payment of the platform to an institution's athlete and for each
-- disclosed job that was handed in, in the order of time within an institution: with all that figures add up and filter by,
-- so that none of them reads the records themselves. The views say what a row is; triggers write it in the transaction that
-- changes a record, whoever that is.

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
    PRIMARY KEY (college_id, occurred_at, source, record_id),
    CONSTRAINT college_transaction_record_key UNIQUE (source, record_id)
);
-- The totals of many athletes are added up from the index alone: without it each transaction is in another page.
CREATE INDEX college_transaction_by_athlete ON college_transaction (athlete_id, college_id) INCLUDE (
    counted, occurred_at, sport_id, gender, gross_cents, net_cents, refunded_cents, over_threshold,
    prohibited_category, conflict_sponsor, associated_entity, minor, late_from
);
-- Figures of some sports are added up from the index alone: of one sport, or of the sports that an officer is limited
-- to. Without it every such figure reads all transactions of the institution.
CREATE INDEX college_transaction_by_sport ON college_transaction (sport_id, college_id, occurred_at) INCLUDE (
    counted, source, athlete_id, gender, category_id, payment_type, status, gross_cents, fee_cents, net_cents,
    refunded_cents
);

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
        > (COALESCE(p.paid_at, p.created_at) AT TIME ZONE 'UTC')
            + make_interval(secs => COALESCE(p.utc_offset, -36000)), FALSE) AS minor,
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

-- The athlete is held first: of two transactions that change what is known of one transaction, the second
-- one has to see the row that the first one wrote. Payments hold the athlete together, all else alone.
CREATE FUNCTION figure(source TEXT, id BIGINT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
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
END $$;

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

-- What is removed is taken out of the institution's figures, and so of its totals.
CREATE FUNCTION disclosed_job_removed_from_figures() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM college_transaction t WHERE t.source = 'disclosed' AND t.record_id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER disclosed_job_removed_from_figures AFTER DELETE ON disclosed_job
    FOR EACH ROW EXECUTE FUNCTION disclosed_job_removed_from_figures();

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

-- Totals of institutions' transactions, for figures without filters: sums by month and group, numbers of different
-- athletes, and how often each amount occurs, of all transactions that count.
--
-- Triggers note each change of such a transaction in the transaction of the change. The program adds noted changes to
-- the totals, many at once, and removes the notes: an institution's totals are right when none are left. Notes are
-- only ever inserted, so that payments never wait for each other here.

CREATE TABLE college_transaction_change (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    college_id BIGINT NOT NULL,
    athlete_id BIGINT NOT NULL,
    -- 1: now it counts; -1: it no longer does. A transaction that changed is taken out and counted again.
    sign BIGINT NOT NULL,
    occurred_at TIMESTAMPTZ NOT NULL,
    source TEXT NOT NULL,
    sport_id BIGINT,
    category_id BIGINT NOT NULL,
    payment_type TEXT NOT NULL,
    gross_cents BIGINT NOT NULL,
    fee_cents BIGINT NOT NULL,
    net_cents BIGINT NOT NULL,
    refunded_cents BIGINT NOT NULL
);
-- Rows are added and soon removed again, all of them: with the usual thresholds the planner takes the table for a large one,
-- and reads what was removed at every figure.
ALTER TABLE college_transaction_change SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000
);
CREATE INDEX college_transaction_change_by_athlete ON college_transaction_change (college_id, athlete_id);

-- By which edition of the rules of clocks the totals of an institution were divided into months. Empty: not at all,
-- or by the clocks of another time zone; then they are to be made anew. Whoever adds to totals locks its row.
CREATE TABLE college_kept (
    college_id BIGINT PRIMARY KEY,
    clocks TEXT NOT NULL
);
CREATE INDEX college_kept_by_clocks ON college_kept (clocks);

-- A month is twelve times the year, and the number of months before it in that year. The dimensions are `all`, with an
-- empty key, `source`, `sport`, `category` and `payment_type`; without a sport the key is empty.
CREATE TABLE college_total (
    college_id BIGINT NOT NULL,
    dimension TEXT NOT NULL,
    month BIGINT NOT NULL,
    key TEXT NOT NULL,
    count BIGINT NOT NULL,
    -- The number of different athletes.
    athletes BIGINT NOT NULL,
    gross_cents BIGINT NOT NULL,
    fee_cents BIGINT NOT NULL,
    net_cents BIGINT NOT NULL,
    refunded_cents BIGINT NOT NULL,
    PRIMARY KEY (college_id, dimension, key, month)
);

-- How many athletes have transactions in `month` and had the ones before in `since` (0: none before). The number of
-- different athletes of some months is the sum over these months where `since` is before the first of them.
CREATE TABLE college_athletes (
    college_id BIGINT NOT NULL,
    dimension TEXT NOT NULL,
    month BIGINT NOT NULL,
    since BIGINT NOT NULL,
    key TEXT NOT NULL,
    athletes BIGINT NOT NULL,
    PRIMARY KEY (college_id, dimension, month, since, key)
);
CREATE INDEX college_athletes_ever ON college_athletes (college_id, dimension, key, athletes) WHERE since = 0;

-- How many transactions have this gross amount (`fine`), or one that is the same without its last seven bits
-- (`medium`) or fourteen (`coarse`). Month 0 is all time.
CREATE TABLE college_amount (
    college_id BIGINT NOT NULL,
    grain TEXT NOT NULL,
    month BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (college_id, grain, month, amount)
);

CREATE FUNCTION college_to_be_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO college_kept VALUES (NEW.id, '') ON CONFLICT (college_id) DO UPDATE SET clocks = '';
    RETURN NULL;
END $$;
CREATE TRIGGER college_to_be_kept AFTER INSERT ON college
    FOR EACH ROW EXECUTE FUNCTION college_to_be_kept();
CREATE TRIGGER college_kept_by_other_clocks AFTER UPDATE OF time_zone ON college
    FOR EACH ROW WHEN (OLD.time_zone <> NEW.time_zone) EXECUTE FUNCTION college_to_be_kept();

CREATE FUNCTION college_transaction_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP <> 'INSERT' AND OLD.counted THEN
        INSERT INTO college_transaction_change (college_id, athlete_id, sign, occurred_at, source, sport_id,
            category_id, payment_type, gross_cents, fee_cents, net_cents, refunded_cents)
        VALUES (OLD.college_id, OLD.athlete_id, -1, OLD.occurred_at, OLD.source, OLD.sport_id,
            OLD.category_id, OLD.payment_type, OLD.gross_cents, OLD.fee_cents, OLD.net_cents, OLD.refunded_cents);
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.counted THEN
        INSERT INTO college_transaction_change (college_id, athlete_id, sign, occurred_at, source, sport_id,
            category_id, payment_type, gross_cents, fee_cents, net_cents, refunded_cents)
        VALUES (NEW.college_id, NEW.athlete_id, 1, NEW.occurred_at, NEW.source, NEW.sport_id,
            NEW.category_id, NEW.payment_type, NEW.gross_cents, NEW.fee_cents, NEW.net_cents, NEW.refunded_cents);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER college_transaction_added AFTER INSERT ON college_transaction
    FOR EACH ROW WHEN (NEW.counted) EXECUTE FUNCTION college_transaction_changed();
CREATE TRIGGER college_transaction_removed AFTER DELETE ON college_transaction
    FOR EACH ROW WHEN (OLD.counted) EXECUTE FUNCTION college_transaction_changed();
CREATE TRIGGER college_transaction_changed AFTER UPDATE ON college_transaction
    FOR EACH ROW WHEN (ROW(OLD.counted, OLD.college_id, OLD.athlete_id, OLD.occurred_at, OLD.source, OLD.sport_id,
            OLD.category_id, OLD.payment_type, OLD.gross_cents, OLD.fee_cents, OLD.net_cents, OLD.refunded_cents)
        IS DISTINCT FROM ROW(NEW.counted, NEW.college_id, NEW.athlete_id, NEW.occurred_at, NEW.source, NEW.sport_id,
            NEW.category_id, NEW.payment_type, NEW.gross_cents, NEW.fee_cents, NEW.net_cents, NEW.refunded_cents))
    EXECUTE FUNCTION college_transaction_changed();

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

-- What a deal is compared with: one narrow row for each executed contract of a certain value, with what was true of the
-- work and of the athlete on that day. Triggers write it with the contract. Ranges of compensation are made of settled
-- payments alone: what two agree on and nobody pays costs nothing to invent, and so does the value of goods. A deal
-- counts once all that was agreed on is paid and has not been given back. A cancelled contract is no example of what is
-- paid, and a share of sales has no value that could be compared.
CREATE TABLE comparable_deal (
    contract_id BIGINT PRIMARY KEY REFERENCES contract (id),
    category_id BIGINT NOT NULL,
    agreed_at TIMESTAMPTZ NOT NULL,
    -- Cash: goods have no value that could be compared.
    amount_cents BIGINT NOT NULL CHECK (amount_cents >= 1),
    athlete_id BIGINT NOT NULL,
    partner_id BIGINT NOT NULL,
    agent_id BIGINT,
    college_id BIGINT,
    division TEXT,
    sport_id BIGINT,
    followers BIGINT NOT NULL,
    -- None where the work is for several platforms.
    platform TEXT,
    pieces BIGINT NOT NULL,
    -- What was paid and not given back.
    paid_cents BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX comparable_deal_by_category ON comparable_deal (category_id, agreed_at, contract_id)
    WHERE paid_cents >= amount_cents;

CREATE VIEW comparable_deal_seen AS
SELECT c.id AS contract_id, j.category_id, c.executed_at AS agreed_at,
    c.agreed_amount_cents AS amount_cents, c.athlete_id, c.partner_id,
    c.agent_id, c.college_id, u.division, a.sport_id,
    COALESCE((SELECT SUM(f.followers) FROM athlete_social f WHERE f.athlete_id = c.athlete_id), 0)::bigint
        AS followers,
    (SELECT CASE WHEN COUNT(DISTINCT m.platform) = 1 THEN MIN(m.platform) END
        FROM milestone m WHERE m.job_id = c.job_id) AS platform,
    COALESCE((SELECT SUM(m.quantity) FROM milestone m WHERE m.job_id = c.job_id), 0)::bigint AS pieces,
    COALESCE((SELECT SUM(p.amount_cents - p.refunded_cents) FROM payment p WHERE p.contract_id = c.id
        AND p.status IN ('succeeded', 'partially_refunded', 'refunded')), 0)::bigint AS paid_cents
FROM contract c
JOIN job j ON j.id = c.job_id
JOIN athlete a ON a.id = c.athlete_id
LEFT JOIN college u ON u.id = c.college_id
WHERE c.status IN ('active', 'completed') AND c.executed_at IS NOT NULL
    AND j.compensation NOT IN ('royalty', 'commission')
    AND COALESCE(j.product_value_cents, 0) = 0 AND c.agreed_amount_cents >= 1;

CREATE FUNCTION contract_executed_for_comparison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO comparable_deal SELECT * FROM comparable_deal_seen v WHERE v.contract_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER contract_added_for_comparison AFTER INSERT ON contract
    FOR EACH ROW WHEN (NEW.status IN ('active', 'completed'))
    EXECUTE FUNCTION contract_executed_for_comparison();
CREATE TRIGGER contract_executed_for_comparison AFTER UPDATE OF status ON contract
    FOR EACH ROW WHEN (NEW.status = 'active' AND OLD.status = 'generated')
    EXECUTE FUNCTION contract_executed_for_comparison();

CREATE FUNCTION contract_cancelled_for_comparison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM comparable_deal WHERE contract_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER contract_cancelled_for_comparison AFTER UPDATE OF status ON contract
    FOR EACH ROW WHEN (NEW.status IN ('cancelled', 'expired') AND OLD.status NOT IN ('cancelled', 'expired'))
    EXECUTE FUNCTION contract_cancelled_for_comparison();

-- Payments are added and taken away by their difference: two that end at once are both counted.
CREATE FUNCTION payment_changed_for_comparison() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE
    before BIGINT := 0;
    after BIGINT := 0;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.status IN ('succeeded', 'partially_refunded', 'refunded') THEN
        before := OLD.amount_cents - OLD.refunded_cents;
    END IF;
    IF NEW.status IN ('succeeded', 'partially_refunded', 'refunded') THEN
        after := NEW.amount_cents - NEW.refunded_cents;
    END IF;
    IF before <> after THEN
        UPDATE comparable_deal SET paid_cents = paid_cents + after - before
        WHERE contract_id = NEW.contract_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER payment_added_for_comparison AFTER INSERT ON payment
    FOR EACH ROW EXECUTE FUNCTION payment_changed_for_comparison();
CREATE TRIGGER payment_changed_for_comparison AFTER UPDATE OF status, refunded_cents ON payment
    FOR EACH ROW EXECUTE FUNCTION payment_changed_for_comparison();
