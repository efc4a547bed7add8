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

INSERT INTO college_kept SELECT id, '' FROM college;
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

DROP TRIGGER payment_added_to_figures;
DROP TRIGGER payment_changed_in_figures;
DROP TRIGGER disclosed_job_changed_in_figures;
DROP TRIGGER athlete_changed_in_figures;
DROP TRIGGER job_changed_in_figures;
DROP TRIGGER clearance_added_to_figures;
DROP TRIGGER clearance_changed_in_figures;
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
