-- What institutions see of their athletes' money.
--
-- `college_transaction` holds one narrow row for each payment of the platform to an institution's athlete and for each
-- disclosed job that was handed in, in the order of time within an institution: with all that figures add up and filter by,
-- so that none of them reads the records themselves. The views say what a row is; triggers write it in the transaction that
-- changes a record, whoever that is.

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
-- The totals of many athletes are added up from the index alone: without it each transaction is in another page.
CREATE INDEX college_transaction_by_athlete ON college_transaction (
    athlete_id, college_id, counted, occurred_at, sport_id, gender, gross_cents, net_cents, refunded_cents,
    over_threshold, prohibited_category, conflict_sponsor, associated_entity, minor, late_from
);
-- Figures of some sports are added up from the index alone: of one sport, or of the sports that an officer is limited
-- to. Without it every such figure reads all transactions of the institution.
CREATE INDEX college_transaction_by_sport ON college_transaction (
    sport_id, college_id, occurred_at, counted, source, athlete_id, gender, category_id, payment_type, status,
    gross_cents, fee_cents, net_cents, refunded_cents
);

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
        > date(COALESCE(p.paid_at, p.created_at), COALESCE(p.utc_offset, -36000) || ' seconds'), 0) AS minor,
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

-- `INSERT OR REPLACE` removes a row without firing a trigger. So what writes transactions inserts into this view, which
-- changes the row that is there.
CREATE VIEW college_transaction_written AS SELECT * FROM college_transaction;

CREATE TRIGGER college_transaction_written INSTEAD OF INSERT ON college_transaction_written BEGIN
    INSERT INTO college_transaction VALUES (new.college_id, new.occurred_at, new.source, new.record_id,
        new.athlete_id, new.sport_id, new.gender, new.category_id, new.payment_type, new.status, new.counted,
        new.gross_cents, new.fee_cents, new.net_cents, new.refunded_cents, new.contract_id, new.over_threshold,
        new.prohibited_category, new.conflict_sponsor, new.associated_entity, new.minor, new.late_from)
    ON CONFLICT DO UPDATE SET college_id = excluded.college_id, occurred_at = excluded.occurred_at,
        athlete_id = excluded.athlete_id, sport_id = excluded.sport_id, gender = excluded.gender,
        category_id = excluded.category_id, payment_type = excluded.payment_type, status = excluded.status,
        counted = excluded.counted, gross_cents = excluded.gross_cents, fee_cents = excluded.fee_cents,
        net_cents = excluded.net_cents, refunded_cents = excluded.refunded_cents,
        contract_id = excluded.contract_id, over_threshold = excluded.over_threshold,
        prohibited_category = excluded.prohibited_category, conflict_sponsor = excluded.conflict_sponsor,
        associated_entity = excluded.associated_entity, minor = excluded.minor, late_from = excluded.late_from;
END;

CREATE TRIGGER payment_added_to_figures AFTER INSERT ON payment WHEN new.college_id IS NOT NULL BEGIN
    INSERT INTO college_transaction_written
        SELECT * FROM college_transaction_paid WHERE record_id = new.id;
END;
CREATE TRIGGER payment_changed_in_figures AFTER UPDATE ON payment WHEN new.college_id IS NOT NULL BEGIN
    INSERT INTO college_transaction_written
        SELECT * FROM college_transaction_paid WHERE record_id = new.id;
END;
CREATE TRIGGER disclosed_job_changed_in_figures AFTER UPDATE ON disclosed_job
WHEN new.first_submitted_at IS NOT NULL BEGIN
    INSERT INTO college_transaction_written
        SELECT * FROM college_transaction_disclosed WHERE record_id = new.id;
END;
-- What is removed is taken out of the institution's figures, and so of its totals.
CREATE TRIGGER disclosed_job_removed_from_figures AFTER DELETE ON disclosed_job BEGIN
    DELETE FROM college_transaction WHERE source = 'disclosed' AND record_id = old.id;
END;
CREATE TRIGGER athlete_changed_in_figures AFTER UPDATE OF sport_id, gender, date_of_birth ON athlete
WHEN old.sport_id IS NOT new.sport_id OR old.gender IS NOT new.gender
    OR old.date_of_birth IS NOT new.date_of_birth BEGIN
    INSERT INTO college_transaction_written
        SELECT * FROM college_transaction_paid WHERE athlete_id = new.id;
    INSERT INTO college_transaction_written
        SELECT * FROM college_transaction_disclosed WHERE athlete_id = new.id;
END;
CREATE TRIGGER job_changed_in_figures AFTER UPDATE OF category_id, compensation ON job
WHEN old.category_id <> new.category_id OR old.compensation <> new.compensation BEGIN
    INSERT INTO college_transaction_written SELECT * FROM college_transaction_paid
        WHERE contract_id IN (SELECT c.id FROM contract c WHERE c.job_id = new.id);
END;
CREATE TRIGGER clearance_added_to_figures AFTER INSERT ON clearance
WHEN new.contract_id IS NOT NULL BEGIN
    INSERT INTO college_transaction_written
        SELECT * FROM college_transaction_paid WHERE contract_id = new.contract_id;
END;
CREATE TRIGGER clearance_changed_in_figures AFTER UPDATE OF status, due_at, submitted_at ON clearance
WHEN new.contract_id IS NOT NULL BEGIN
    INSERT INTO college_transaction_written
        SELECT * FROM college_transaction_paid WHERE contract_id = new.contract_id;
END;

-- Totals of institutions' transactions, for figures without filters: sums by month and group, numbers of different
-- athletes, and how often each amount occurs, of all transactions that count.
--
-- Triggers note each change of such a transaction in the transaction of the change. The program adds noted changes to
-- the totals, many at once, and removes the notes: an institution's totals are right when none are left.

CREATE TABLE college_transaction_change (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL,
    athlete_id INTEGER NOT NULL,
    -- 1: now it counts; -1: it no longer does. A transaction that changed is taken out and counted again.
    sign INTEGER NOT NULL,
    occurred_at TEXT NOT NULL,
    source TEXT NOT NULL,
    sport_id INTEGER,
    category_id INTEGER NOT NULL,
    payment_type TEXT NOT NULL,
    gross_cents INTEGER NOT NULL,
    fee_cents INTEGER NOT NULL,
    net_cents INTEGER NOT NULL,
    refunded_cents INTEGER NOT NULL
) STRICT;
CREATE INDEX college_transaction_change_by_athlete ON college_transaction_change (college_id, athlete_id);

-- By which edition of the rules of clocks the totals of an institution were divided into months. Empty: not at all,
-- or by the clocks of another time zone; then they are to be made anew.
CREATE TABLE college_kept (
    college_id INTEGER PRIMARY KEY,
    clocks TEXT NOT NULL
) STRICT;
CREATE INDEX college_kept_by_clocks ON college_kept (clocks);

-- A month is twelve times the year, and the number of months before it in that year. The dimensions are `all`, with an
-- empty key, `source`, `sport`, `category` and `payment_type`; without a sport the key is empty.
CREATE TABLE college_total (
    college_id INTEGER NOT NULL,
    dimension TEXT NOT NULL,
    month INTEGER NOT NULL,
    key TEXT NOT NULL,
    count INTEGER NOT NULL,
    -- The number of different athletes.
    athletes INTEGER NOT NULL,
    gross_cents INTEGER NOT NULL,
    fee_cents INTEGER NOT NULL,
    net_cents INTEGER NOT NULL,
    refunded_cents INTEGER NOT NULL,
    PRIMARY KEY (college_id, dimension, key, month)
) STRICT, WITHOUT ROWID;

-- How many athletes have transactions in `month` and had the ones before in `since` (0: none before). The number of
-- different athletes of some months is the sum over these months where `since` is before the first of them.
CREATE TABLE college_athletes (
    college_id INTEGER NOT NULL,
    dimension TEXT NOT NULL,
    month INTEGER NOT NULL,
    since INTEGER NOT NULL,
    key TEXT NOT NULL,
    athletes INTEGER NOT NULL,
    PRIMARY KEY (college_id, dimension, month, since, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX college_athletes_ever ON college_athletes (college_id, dimension, key, athletes) WHERE since = 0;

-- How many transactions have this gross amount (`fine`), or one that is the same without its last seven bits
-- (`medium`) or fourteen (`coarse`). Month 0 is all time.
CREATE TABLE college_amount (
    college_id INTEGER NOT NULL,
    grain TEXT NOT NULL,
    month INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (college_id, grain, month, amount)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER college_to_be_kept AFTER INSERT ON college BEGIN
    INSERT INTO college_kept VALUES (new.id, '');
END;
CREATE TRIGGER college_kept_by_other_clocks AFTER UPDATE OF time_zone ON college
WHEN old.time_zone <> new.time_zone BEGIN
    UPDATE college_kept SET clocks = '' WHERE college_id = new.id;
END;

CREATE TRIGGER college_transaction_added AFTER INSERT ON college_transaction WHEN new.counted BEGIN
    INSERT INTO college_transaction_change VALUES (NULL, new.college_id, new.athlete_id, 1, new.occurred_at,
        new.source, new.sport_id, new.category_id, new.payment_type, new.gross_cents, new.fee_cents,
        new.net_cents, new.refunded_cents);
END;
CREATE TRIGGER college_transaction_removed AFTER DELETE ON college_transaction WHEN old.counted BEGIN
    INSERT INTO college_transaction_change VALUES (NULL, old.college_id, old.athlete_id, -1, old.occurred_at,
        old.source, old.sport_id, old.category_id, old.payment_type, old.gross_cents, old.fee_cents,
        old.net_cents, old.refunded_cents);
END;
CREATE TRIGGER college_transaction_changed AFTER UPDATE ON college_transaction
WHEN (old.counted, old.college_id, old.athlete_id, old.occurred_at, old.source, old.sport_id, old.category_id,
        old.payment_type, old.gross_cents, old.fee_cents, old.net_cents, old.refunded_cents)
    IS NOT (new.counted, new.college_id, new.athlete_id, new.occurred_at, new.source, new.sport_id,
        new.category_id, new.payment_type, new.gross_cents, new.fee_cents, new.net_cents, new.refunded_cents)
BEGIN
    INSERT INTO college_transaction_change SELECT NULL, old.college_id, old.athlete_id, -1, old.occurred_at,
        old.source, old.sport_id, old.category_id, old.payment_type, old.gross_cents, old.fee_cents,
        old.net_cents, old.refunded_cents WHERE old.counted;
    INSERT INTO college_transaction_change SELECT NULL, new.college_id, new.athlete_id, 1, new.occurred_at,
        new.source, new.sport_id, new.category_id, new.payment_type, new.gross_cents, new.fee_cents,
        new.net_cents, new.refunded_cents WHERE new.counted;
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

-- What a deal is compared with: one narrow row for each executed contract of a certain value, with what was true of the
-- work and of the athlete on that day. Triggers write it with the contract. Ranges of compensation are made of settled
-- payments alone: what two agree on and nobody pays costs nothing to invent, and so does the value of goods. A deal
-- counts once all that was agreed on is paid and has not been given back. A cancelled contract is no example of what is
-- paid, and a share of sales has no value that could be compared.
CREATE TABLE comparable_deal (
    contract_id INTEGER PRIMARY KEY REFERENCES contract (id),
    category_id INTEGER NOT NULL,
    agreed_at TEXT NOT NULL,
    -- Cash: goods have no value that could be compared.
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 1),
    athlete_id INTEGER NOT NULL,
    partner_id INTEGER NOT NULL,
    agent_id INTEGER,
    college_id INTEGER,
    division TEXT,
    sport_id INTEGER,
    followers INTEGER NOT NULL,
    -- None where the work is for several platforms.
    platform TEXT,
    pieces INTEGER NOT NULL,
    -- What was paid and not given back.
    paid_cents INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX comparable_deal_by_category ON comparable_deal (category_id, agreed_at, contract_id)
    WHERE paid_cents >= amount_cents;

CREATE VIEW comparable_deal_seen AS
SELECT c.id AS contract_id, j.category_id, c.executed_at AS agreed_at,
    c.agreed_amount_cents AS amount_cents, c.athlete_id, c.partner_id,
    c.agent_id, c.college_id, u.division, a.sport_id,
    COALESCE((SELECT SUM(f.followers) FROM athlete_social f WHERE f.athlete_id = c.athlete_id), 0)
        AS followers,
    (SELECT CASE WHEN COUNT(DISTINCT m.platform) = 1 THEN MIN(m.platform) END
        FROM milestone m WHERE m.job_id = c.job_id) AS platform,
    COALESCE((SELECT SUM(m.quantity) FROM milestone m WHERE m.job_id = c.job_id), 0) AS pieces,
    COALESCE((SELECT SUM(p.amount_cents - p.refunded_cents) FROM payment p WHERE p.contract_id = c.id
        AND p.status IN ('succeeded', 'partially_refunded', 'refunded')), 0) AS paid_cents
FROM contract c
JOIN job j ON j.id = c.job_id
JOIN athlete a ON a.id = c.athlete_id
LEFT JOIN college u ON u.id = c.college_id
WHERE c.status IN ('active', 'completed') AND c.executed_at IS NOT NULL
    AND j.compensation NOT IN ('royalty', 'commission')
    AND COALESCE(j.product_value_cents, 0) = 0 AND c.agreed_amount_cents >= 1;

CREATE TRIGGER contract_added_for_comparison AFTER INSERT ON contract
WHEN new.status IN ('active', 'completed') BEGIN
    INSERT INTO comparable_deal SELECT * FROM comparable_deal_seen WHERE contract_id = new.id;
END;
CREATE TRIGGER contract_executed_for_comparison AFTER UPDATE OF status ON contract
WHEN new.status = 'active' AND old.status = 'generated' BEGIN
    INSERT INTO comparable_deal SELECT * FROM comparable_deal_seen WHERE contract_id = new.id;
END;
CREATE TRIGGER contract_cancelled_for_comparison AFTER UPDATE OF status ON contract
WHEN new.status IN ('cancelled', 'expired') AND old.status NOT IN ('cancelled', 'expired') BEGIN
    DELETE FROM comparable_deal WHERE contract_id = new.id;
END;
-- Payments are added and taken away by their difference: two that end at once are both counted.
CREATE TRIGGER payment_added_for_comparison AFTER INSERT ON payment
WHEN new.status IN ('succeeded', 'partially_refunded', 'refunded') BEGIN
    UPDATE comparable_deal SET paid_cents = paid_cents + new.amount_cents - new.refunded_cents
    WHERE contract_id = new.contract_id;
END;
CREATE TRIGGER payment_changed_for_comparison AFTER UPDATE OF status, refunded_cents ON payment
WHEN new.status IN ('succeeded', 'partially_refunded', 'refunded') OR old.status IN ('succeeded', 'partially_refunded', 'refunded') BEGIN
    UPDATE comparable_deal SET paid_cents = paid_cents
        + CASE WHEN new.status IN ('succeeded', 'partially_refunded', 'refunded')
            THEN new.amount_cents - new.refunded_cents ELSE 0 END
        - CASE WHEN old.status IN ('succeeded', 'partially_refunded', 'refunded')
            THEN old.amount_cents - old.refunded_cents ELSE 0 END
    WHERE contract_id = new.contract_id;
END;
