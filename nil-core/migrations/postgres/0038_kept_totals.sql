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

INSERT INTO college_kept SELECT id, '' FROM college;
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
