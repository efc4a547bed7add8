-- What athletes, brands and jobs are found by.
--
-- A search never reads the records themselves: `athlete_search` and `partner_search` hold one row for
-- each account in use, with what searches filter and sort by, and an index for each way to ask. The
-- views say what a row is; triggers write it in the transaction that changes a record, whoever that is.

-- What an athlete does for brands, and from which price on.
CREATE TABLE athlete_activity (
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    activity TEXT NOT NULL,
    min_price_cents INTEGER CHECK (min_price_cents >= 0),
    price_shown INTEGER NOT NULL,
    PRIMARY KEY (athlete_id, activity)
) STRICT;

-- The universities a brand is associated with.
CREATE TABLE partner_university (
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    university_id INTEGER NOT NULL REFERENCES college (id),
    created_at TEXT NOT NULL,
    PRIMARY KEY (partner_id, university_id)
) STRICT;
CREATE INDEX partner_university_by_university ON partner_university (university_id, partner_id);

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

-- The words of an athlete's tags, in small letters.
CREATE TABLE athlete_tag (
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    tag TEXT NOT NULL,
    PRIMARY KEY (athlete_id, tag)
) STRICT;
CREATE INDEX athlete_tag_by_tag ON athlete_tag (tag, athlete_id);

CREATE VIEW athlete_searchable AS
SELECT a.id AS athlete_id, a.listed, a.display_name AS name,
    concat_ws(' ', a.position, a.hometown_city, s.name, c.name, c.short_name, a.bio, a.tags,
        (SELECT group_concat(f.handle, ' ' ORDER BY f.platform) FROM athlete_social f
            WHERE f.athlete_id = a.id)) AS about,
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

CREATE INDEX athlete_social_by_platform ON athlete_social (platform, athlete_id);
CREATE INDEX athlete_activity_by_activity ON athlete_activity (activity, athlete_id);

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
    concat_ws(' ', k.name, p.hq_city, p.about) AS about, lower(p.company_name) AS sort_name,
    p.business_category_id, p.hq_state AS state
FROM partner p JOIN app_user u ON u.id = p.user_id
LEFT JOIN business_category k ON k.id = p.business_category_id
WHERE u.status = 'active';

-- The words. A name weighs ten times what else is said.
CREATE VIRTUAL TABLE athlete_text USING fts5 (name, about, content = 'athlete_search',
    content_rowid = 'athlete_id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE partner_text USING fts5 (name, about, content = 'partner_search',
    content_rowid = 'partner_id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
CREATE VIRTUAL TABLE job_text USING fts5 (title, description, content = 'job',
    content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
INSERT INTO athlete_text (athlete_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
INSERT INTO partner_text (partner_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
INSERT INTO job_text (job_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');

CREATE TRIGGER athlete_search_added AFTER INSERT ON athlete_search BEGIN
    INSERT INTO athlete_text (rowid, name, about) VALUES (new.athlete_id, new.name, new.about);
END;
CREATE TRIGGER athlete_search_removed AFTER DELETE ON athlete_search BEGIN
    INSERT INTO athlete_text (athlete_text, rowid, name, about)
        VALUES ('delete', old.athlete_id, old.name, old.about);
END;
CREATE TRIGGER athlete_search_changed AFTER UPDATE OF name, about ON athlete_search
WHEN old.name <> new.name OR old.about <> new.about BEGIN
    INSERT INTO athlete_text (athlete_text, rowid, name, about)
        VALUES ('delete', old.athlete_id, old.name, old.about);
    INSERT INTO athlete_text (rowid, name, about) VALUES (new.athlete_id, new.name, new.about);
END;

CREATE TRIGGER partner_search_added AFTER INSERT ON partner_search BEGIN
    INSERT INTO partner_text (rowid, name, about) VALUES (new.partner_id, new.name, new.about);
END;
CREATE TRIGGER partner_search_removed AFTER DELETE ON partner_search BEGIN
    INSERT INTO partner_text (partner_text, rowid, name, about)
        VALUES ('delete', old.partner_id, old.name, old.about);
END;

CREATE TRIGGER job_added AFTER INSERT ON job BEGIN
    INSERT INTO job_text (rowid, title, description) VALUES (new.id, new.title, new.description);
END;
CREATE TRIGGER job_removed AFTER DELETE ON job BEGIN
    INSERT INTO job_text (job_text, rowid, title, description)
        VALUES ('delete', old.id, old.title, old.description);
END;
CREATE TRIGGER job_reworded AFTER UPDATE OF title, description ON job
WHEN old.title <> new.title OR old.description <> new.description BEGIN
    INSERT INTO job_text (job_text, rowid, title, description)
        VALUES ('delete', old.id, old.title, old.description);
    INSERT INTO job_text (rowid, title, description) VALUES (new.id, new.title, new.description);
END;

-- From the records to the rows they are found by.
CREATE TRIGGER athlete_added AFTER INSERT ON athlete BEGIN
    INSERT INTO athlete_search SELECT * FROM athlete_searchable WHERE athlete_id = new.id;
    INSERT INTO athlete_tag SELECT DISTINCT new.id, lower(value) FROM json_each(new.tags);
END;
CREATE TRIGGER athlete_changed AFTER UPDATE ON athlete BEGIN
    DELETE FROM athlete_search WHERE athlete_id = new.id;
    INSERT INTO athlete_search SELECT * FROM athlete_searchable WHERE athlete_id = new.id;
END;
CREATE TRIGGER athlete_retagged AFTER UPDATE OF tags ON athlete WHEN old.tags <> new.tags BEGIN
    DELETE FROM athlete_tag WHERE athlete_id = new.id;
    INSERT INTO athlete_tag SELECT DISTINCT new.id, lower(value) FROM json_each(new.tags);
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

-- Open jobs, one index for each way to sort them; the first one has everything that is filtered by, so
-- that they are tried and counted without the texts.
DROP INDEX job_by_status;
CREATE INDEX job_by_status ON job (status, id, visibility, application_deadline, category_id, kind,
    compensation, amount_cents);
CREATE INDEX job_by_category ON job (status, category_id, id);
CREATE INDEX job_by_amount ON job (status, amount_cents, id);
CREATE INDEX job_by_deadline ON job (status, application_deadline, id);
CREATE INDEX job_condition_by_value ON job_condition (kind, value, job_id, number);
CREATE INDEX milestone_by_platform ON milestone (platform, job_id);

-- What is there already.
INSERT INTO athlete_search SELECT * FROM athlete_searchable;
INSERT INTO athlete_tag SELECT DISTINCT a.id, lower(t.value) FROM athlete a, json_each(a.tags) t;
INSERT INTO partner_search SELECT * FROM partner_searchable;
INSERT INTO job_text (job_text) VALUES ('rebuild');
