-- What athletes offer at a price of their own, what brands have ordered of it, and the links and royalties of deals that
-- pay a share of sales.

CREATE TABLE service_offer (
    id INTEGER PRIMARY KEY,
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    kind TEXT NOT NULL,
    platform TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    delivery_days INTEGER NOT NULL CHECK (delivery_days > 0),
    active INTEGER NOT NULL,
    -- What it is found by besides, kept by triggers: the athlete's team, and the birth date of a listed
    -- athlete in use, which is long ago where a guardian has consented and none where nobody finds them.
    sport_id INTEGER,
    university_id INTEGER,
    born_on TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX service_offer_by_athlete ON service_offer (athlete_id, id);
-- With the weak filters in it, which are so tried and counted without the texts.
CREATE INDEX service_offer_by_newest ON service_offer (active, id, born_on, kind, price_cents,
    sport_id, university_id, athlete_id);
CREATE INDEX service_offer_by_price ON service_offer (active, price_cents, id, born_on);
CREATE INDEX service_offer_by_kind ON service_offer (active, kind, id);
CREATE INDEX service_offer_by_sport ON service_offer (active, sport_id, id);
CREATE INDEX service_offer_by_university ON service_offer (active, university_id, id);

CREATE VIEW service_findable AS
SELECT s.athlete_id, s.sport_id, s.university_id, CASE WHEN NOT s.listed THEN NULL
    WHEN g.consented_at IS NOT NULL THEN '0001-01-01' ELSE a.date_of_birth END AS born_on
FROM athlete_search s JOIN athlete a ON a.id = s.athlete_id
LEFT JOIN guardian g ON g.athlete_id = s.athlete_id;

CREATE VIEW service_offer_words AS
SELECT id, fold_words(title) AS title, fold_words(description) AS description FROM service_offer;
CREATE VIRTUAL TABLE service_offer_text USING fts5 (title, description, content = 'service_offer_words',
    content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
INSERT INTO service_offer_text (service_offer_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
INSERT INTO service_offer_text (service_offer_text, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER service_offer_added AFTER INSERT ON service_offer BEGIN
    INSERT INTO service_offer_text (rowid, title, description)
        VALUES (new.id, fold_words(new.title), fold_words(new.description));
END;
CREATE TRIGGER service_offer_removed AFTER DELETE ON service_offer BEGIN
    INSERT INTO service_offer_text (service_offer_text, rowid, title, description)
        VALUES ('delete', old.id, fold_words(old.title), fold_words(old.description));
END;
CREATE TRIGGER service_offer_reworded AFTER UPDATE OF title, description ON service_offer
WHEN old.title <> new.title OR old.description <> new.description BEGIN
    INSERT INTO service_offer_text (service_offer_text, rowid, title, description)
        VALUES ('delete', old.id, fold_words(old.title), fold_words(old.description));
    INSERT INTO service_offer_text (rowid, title, description)
        VALUES (new.id, fold_words(new.title), fold_words(new.description));
END;

-- An athlete's row in `athlete_search` is written anew with every change of the athlete.
CREATE TRIGGER service_offer_made AFTER INSERT ON service_offer BEGIN
    UPDATE service_offer SET (sport_id, university_id, born_on) = (SELECT v.sport_id,
        v.university_id, v.born_on FROM service_findable v WHERE v.athlete_id = new.athlete_id)
        WHERE athlete_id = new.athlete_id;
END;
CREATE TRIGGER service_findable_added AFTER INSERT ON athlete_search BEGIN
    UPDATE service_offer SET (sport_id, university_id, born_on) = (SELECT v.sport_id,
        v.university_id, v.born_on FROM service_findable v WHERE v.athlete_id = new.athlete_id)
        WHERE athlete_id = new.athlete_id;
END;
CREATE TRIGGER service_findable_removed AFTER DELETE ON athlete_search BEGIN
    UPDATE service_offer SET born_on = NULL WHERE athlete_id = old.athlete_id;
END;
CREATE TRIGGER service_guardian_added AFTER INSERT ON guardian BEGIN
    UPDATE service_offer SET (sport_id, university_id, born_on) = (SELECT v.sport_id,
        v.university_id, v.born_on FROM service_findable v WHERE v.athlete_id = new.athlete_id)
        WHERE athlete_id = new.athlete_id;
END;
CREATE TRIGGER service_guardian_decided AFTER UPDATE OF consented_at ON guardian BEGIN
    UPDATE service_offer SET (sport_id, university_id, born_on) = (SELECT v.sport_id,
        v.university_id, v.born_on FROM service_findable v WHERE v.athlete_id = new.athlete_id)
        WHERE athlete_id = new.athlete_id;
END;

-- One order: the offer as it was, frozen, and from acceptance on the contract it has become.
CREATE TABLE service_order (
    id INTEGER PRIMARY KEY,
    offer_id INTEGER NOT NULL REFERENCES service_offer (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    category_id INTEGER NOT NULL REFERENCES job_category (id),
    kind TEXT NOT NULL,
    platform TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    fee_basis_points INTEGER NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 10000),
    delivery_days INTEGER NOT NULL CHECK (delivery_days > 0),
    note TEXT,
    business_purpose TEXT NOT NULL,
    wanted_by TEXT,
    status TEXT NOT NULL CHECK (status IN ('ordered', 'accepted', 'delivered', 'completed',
        'declined', 'cancelled', 'expired')),
    reason TEXT,
    expires_at TEXT NOT NULL,
    contract_id INTEGER CONSTRAINT service_order_contract_key UNIQUE REFERENCES contract (id),
    deliverable_id INTEGER CONSTRAINT service_order_deliverable_key UNIQUE REFERENCES deliverable (id),
    -- Until when the brand can look at what was delivered before its silence is taken for consent.
    review_by TEXT,
    answered_at TEXT,
    delivered_at TEXT,
    ended_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((contract_id IS NULL) = (deliverable_id IS NULL)),
    CHECK ((status = 'delivered') = (review_by IS NOT NULL))
) STRICT;
CREATE INDEX service_order_by_offer ON service_order (offer_id);
CREATE INDEX service_order_by_athlete ON service_order (athlete_id, id);
CREATE INDEX service_order_by_partner ON service_order (partner_id, id);
CREATE INDEX service_order_by_category ON service_order (category_id);
CREATE INDEX service_order_by_expiry ON service_order (status, expires_at);
CREATE INDEX service_order_by_review ON service_order (status, review_by);
-- A brand orders the same thing again once the first order is answered.
CREATE UNIQUE INDEX service_order_open_key ON service_order (offer_id, partner_id)
    WHERE status = 'ordered';

-- The terms of the contract's commission are copied when the link is made; contracts never change them.
CREATE TABLE affiliate_link (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL CONSTRAINT affiliate_link_code_key UNIQUE,
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    target_url TEXT NOT NULL,
    label TEXT,
    active INTEGER NOT NULL,
    -- Whether it is what a contract's royalty is accounted for with: no link that anybody follows or sees.
    royalty INTEGER NOT NULL DEFAULT 0,
    rate_basis_points INTEGER NOT NULL CHECK (rate_basis_points BETWEEN 1 AND 10000),
    most_cents INTEGER NOT NULL CHECK (most_cents >= 0),
    -- How often it was followed; by whom is not kept.
    clicks INTEGER NOT NULL CHECK (clicks >= 0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX affiliate_link_by_contract ON affiliate_link (contract_id, id);
CREATE UNIQUE INDEX affiliate_link_royalty_key ON affiliate_link (contract_id) WHERE royalty;

-- A sale: what the brand owes for it. It is paid by payments, which may share it.
CREATE TABLE affiliate_conversion (
    id INTEGER PRIMARY KEY,
    link_id INTEGER NOT NULL REFERENCES affiliate_link (id),
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    order_reference TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    commission_cents INTEGER NOT NULL CHECK (commission_cents >= 0),
    -- Whether the commission is that of all sales under the contract up to here, less what was earned before.
    on_totals INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    -- The same order reported twice counts once.
    CONSTRAINT affiliate_conversion_order_key UNIQUE (link_id, order_reference)
) STRICT;
CREATE INDEX affiliate_conversion_by_contract ON affiliate_conversion (contract_id, id);

-- The days on which the worker has settled a contract's commission, or tried to: once a day.
CREATE TABLE commission_settlement (
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    day TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (contract_id, day)
) STRICT;
