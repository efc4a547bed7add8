-- What athletes and brands are found by.
--
-- A search never reads the records themselves: `athlete_search` and `partner_search` hold one row for each account in use,
-- with what searches filter and sort by, and an index for each way to ask. The views say what a row is; triggers write it
-- in the transaction that changes a record, whoever that is.
--
-- Words are indexed, and tags and payors compared, in one form: without case, accents and apostrophes, also for letters
-- that Unicode does not take apart. `fold_words` and `fold_text` are functions of nil's own, which it adds to each
-- connection; other tools can read the tables, but not the views that use them.
--
-- The views keep to what SQLite understands from 3.38 on, for other tools: no `concat_ws`, and no order within an
-- aggregate.

CREATE TABLE athlete_search (
    athlete_id INTEGER NOT NULL PRIMARY KEY REFERENCES athlete (id),
    listed INTEGER NOT NULL,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    sport_id INTEGER,
    university_id INTEGER,
    conference TEXT,
    state TEXT,
    gender TEXT,
    class_year TEXT,
    followers INTEGER NOT NULL,
    engagement_rate INTEGER NOT NULL,
    available INTEGER NOT NULL,
    min_rate_cents INTEGER NOT NULL
) STRICT;
-- With the weak filters in it, which are so tried and counted without the texts.
CREATE INDEX athlete_search_by_newest ON athlete_search (listed, athlete_id, available, gender,
    class_year, followers, min_rate_cents);
CREATE INDEX athlete_search_by_name ON athlete_search (listed, sort_name, athlete_id);
CREATE INDEX athlete_search_by_followers ON athlete_search (listed, followers, athlete_id);
CREATE INDEX athlete_search_by_engagement ON athlete_search (listed, engagement_rate, athlete_id);
CREATE INDEX athlete_search_by_sport ON athlete_search (listed, sport_id, athlete_id);
CREATE INDEX athlete_search_by_university ON athlete_search (listed, university_id, athlete_id);
CREATE INDEX athlete_search_by_conference ON athlete_search (listed, conference, athlete_id);
CREATE INDEX athlete_search_by_state ON athlete_search (listed, state, athlete_id);
CREATE INDEX athlete_search_of_university ON athlete_search (university_id);
CREATE INDEX athlete_search_of_sport ON athlete_search (sport_id);

-- The words of an athlete's tags, folded.
CREATE TABLE athlete_tag (
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    tag TEXT NOT NULL,
    PRIMARY KEY (athlete_id, tag)
) STRICT;
CREATE INDEX athlete_tag_by_tag ON athlete_tag (tag, athlete_id);

CREATE VIEW athlete_searchable AS
SELECT a.id AS athlete_id, a.listed, a.display_name AS name,
    substr(COALESCE(' ' || a.position, '') || COALESCE(' ' || a.hometown_city, '')
        || COALESCE(' ' || s.name, '') || COALESCE(' ' || c.name, '') || COALESCE(' ' || c.short_name, '')
        || COALESCE(' ' || a.bio, '') || COALESCE(' ' || a.tags, '')
        || COALESCE(' ' || (SELECT group_concat(o.handle, ' ') FROM (SELECT f.handle FROM athlete_social f
            WHERE f.athlete_id = a.id ORDER BY f.platform) o), ''), 2) AS about,
    lower(a.display_name) AS sort_name, a.sport_id, a.university_id, c.conference, c.state,
    a.gender, a.class_year,
    COALESCE((SELECT SUM(f.followers) FROM athlete_social f WHERE f.athlete_id = a.id), 0)
        AS followers,
    COALESCE((SELECT MAX(f.engagement_basis_points) FROM athlete_social f
        WHERE f.athlete_id = a.id), 0) AS engagement_rate,
    a.available, COALESCE(a.min_rate_cents, 0) AS min_rate_cents
FROM athlete a JOIN app_user u ON u.id = a.user_id
LEFT JOIN sport s ON s.id = a.sport_id LEFT JOIN college c ON c.id = a.university_id
WHERE u.status = 'active';

CREATE TABLE partner_search (
    partner_id INTEGER NOT NULL PRIMARY KEY REFERENCES partner (id),
    listed INTEGER NOT NULL,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    business_category_id INTEGER,
    state TEXT
) STRICT;
CREATE INDEX partner_search_by_newest ON partner_search (listed, partner_id);
CREATE INDEX partner_search_by_name ON partner_search (listed, sort_name, partner_id);
CREATE INDEX partner_search_by_category ON partner_search (listed, business_category_id, partner_id);
CREATE INDEX partner_search_by_state ON partner_search (listed, state, partner_id);

CREATE VIEW partner_searchable AS
SELECT p.id AS partner_id, p.listed, p.company_name AS name,
    substr(COALESCE(' ' || k.name, '') || COALESCE(' ' || p.hq_city, '') || COALESCE(' ' || p.about, ''), 2)
        AS about,
    lower(p.company_name) AS sort_name, p.business_category_id, p.hq_state AS state
FROM partner p JOIN app_user u ON u.id = p.user_id
LEFT JOIN business_category k ON k.id = p.business_category_id
WHERE u.status = 'active';

-- The words. A name weighs ten times what else is said. Words that are deleted or replaced leave the indexes at once
-- (`secure-delete`), instead of standing in them until they are merged.
CREATE VIEW athlete_words AS
SELECT athlete_id, fold_words(name) AS name, fold_words(about) AS about FROM athlete_search;
CREATE VIRTUAL TABLE athlete_text USING fts5 (name, about, content = 'athlete_words',
    content_rowid = 'athlete_id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
INSERT INTO athlete_text (athlete_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
INSERT INTO athlete_text (athlete_text, rank) VALUES ('secure-delete', 1);

CREATE VIEW partner_words AS
SELECT partner_id, fold_words(name) AS name, fold_words(about) AS about FROM partner_search;
CREATE VIRTUAL TABLE partner_text USING fts5 (name, about, content = 'partner_words',
    content_rowid = 'partner_id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
INSERT INTO partner_text (partner_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
INSERT INTO partner_text (partner_text, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER athlete_search_added AFTER INSERT ON athlete_search BEGIN
    INSERT INTO athlete_text (rowid, name, about)
        VALUES (new.athlete_id, fold_words(new.name), fold_words(new.about));
END;
CREATE TRIGGER athlete_search_removed AFTER DELETE ON athlete_search BEGIN
    INSERT INTO athlete_text (athlete_text, rowid, name, about)
        VALUES ('delete', old.athlete_id, fold_words(old.name), fold_words(old.about));
END;
CREATE TRIGGER athlete_search_changed AFTER UPDATE OF name, about ON athlete_search
WHEN old.name <> new.name OR old.about <> new.about BEGIN
    INSERT INTO athlete_text (athlete_text, rowid, name, about)
        VALUES ('delete', old.athlete_id, fold_words(old.name), fold_words(old.about));
    INSERT INTO athlete_text (rowid, name, about)
        VALUES (new.athlete_id, fold_words(new.name), fold_words(new.about));
END;

CREATE TRIGGER partner_search_added AFTER INSERT ON partner_search BEGIN
    INSERT INTO partner_text (rowid, name, about)
        VALUES (new.partner_id, fold_words(new.name), fold_words(new.about));
END;
CREATE TRIGGER partner_search_removed AFTER DELETE ON partner_search BEGIN
    INSERT INTO partner_text (partner_text, rowid, name, about)
        VALUES ('delete', old.partner_id, fold_words(old.name), fold_words(old.about));
END;

-- From the records to the rows they are found by.
CREATE TRIGGER athlete_added AFTER INSERT ON athlete BEGIN
    INSERT INTO athlete_search SELECT * FROM athlete_searchable WHERE athlete_id = new.id;
    INSERT INTO athlete_tag SELECT DISTINCT new.id, fold_text(value) FROM json_each(new.tags);
END;
CREATE TRIGGER athlete_changed AFTER UPDATE ON athlete BEGIN
    DELETE FROM athlete_search WHERE athlete_id = new.id;
    INSERT INTO athlete_search SELECT * FROM athlete_searchable WHERE athlete_id = new.id;
END;
CREATE TRIGGER athlete_retagged AFTER UPDATE OF tags ON athlete WHEN old.tags <> new.tags BEGIN
    DELETE FROM athlete_tag WHERE athlete_id = new.id;
    INSERT INTO athlete_tag SELECT DISTINCT new.id, fold_text(value) FROM json_each(new.tags);
END;
CREATE TRIGGER athlete_social_added AFTER INSERT ON athlete_social BEGIN
    UPDATE athlete_search SET (about, followers, engagement_rate) = (SELECT v.about, v.followers,
        v.engagement_rate FROM athlete_searchable v WHERE v.athlete_id = new.athlete_id)
        WHERE athlete_id = new.athlete_id;
END;
CREATE TRIGGER athlete_social_changed AFTER UPDATE ON athlete_social BEGIN
    UPDATE athlete_search SET (about, followers, engagement_rate) = (SELECT v.about, v.followers,
        v.engagement_rate FROM athlete_searchable v WHERE v.athlete_id = new.athlete_id)
        WHERE athlete_id = new.athlete_id;
END;
CREATE TRIGGER athlete_social_removed AFTER DELETE ON athlete_social BEGIN
    UPDATE athlete_search SET (about, followers, engagement_rate) = (SELECT v.about, v.followers,
        v.engagement_rate FROM athlete_searchable v WHERE v.athlete_id = old.athlete_id)
        WHERE athlete_id = old.athlete_id;
END;
CREATE TRIGGER partner_added AFTER INSERT ON partner BEGIN
    INSERT INTO partner_search SELECT * FROM partner_searchable WHERE partner_id = new.id;
END;
CREATE TRIGGER partner_changed AFTER UPDATE ON partner BEGIN
    DELETE FROM partner_search WHERE partner_id = new.id;
    INSERT INTO partner_search SELECT * FROM partner_searchable WHERE partner_id = new.id;
END;
CREATE TRIGGER athlete_account_changed AFTER UPDATE OF status ON app_user
WHEN old.status <> new.status AND new.kind = 'athlete' BEGIN
    DELETE FROM athlete_search
        WHERE athlete_id IN (SELECT id FROM athlete WHERE user_id = new.id);
    INSERT INTO athlete_search SELECT * FROM athlete_searchable
        WHERE athlete_id IN (SELECT id FROM athlete WHERE user_id = new.id);
END;
CREATE TRIGGER partner_account_changed AFTER UPDATE OF status ON app_user
WHEN old.status <> new.status AND new.kind = 'partner' BEGIN
    DELETE FROM partner_search
        WHERE partner_id IN (SELECT id FROM partner WHERE user_id = new.id);
    INSERT INTO partner_search SELECT * FROM partner_searchable
        WHERE partner_id IN (SELECT id FROM partner WHERE user_id = new.id);
END;
CREATE TRIGGER college_changed AFTER UPDATE OF name, short_name, conference, state ON college
WHEN old.name <> new.name OR old.short_name <> new.short_name
    OR old.conference IS NOT new.conference OR old.state <> new.state BEGIN
    UPDATE athlete_search SET (about, conference, state) = (SELECT v.about, v.conference, v.state
        FROM athlete_searchable v WHERE v.athlete_id = athlete_search.athlete_id)
        WHERE university_id = new.id;
END;
CREATE TRIGGER sport_renamed AFTER UPDATE OF name ON sport WHEN old.name <> new.name BEGIN
    UPDATE athlete_search SET about = (SELECT v.about FROM athlete_searchable v
        WHERE v.athlete_id = athlete_search.athlete_id) WHERE sport_id = new.id;
END;
CREATE TRIGGER business_category_renamed AFTER UPDATE OF name ON business_category
WHEN old.name <> new.name BEGIN
    DELETE FROM partner_search WHERE business_category_id = new.id;
    INSERT INTO partner_search SELECT * FROM partner_searchable
        WHERE business_category_id = new.id;
END;
