-- What athletes and brands are found by.
--
-- A search never reads the records themselves: `athlete_search` and `partner_search` hold one row for each account in use,
-- with what searches filter and sort by, and an index for each way to ask. The views say what a row is; triggers write it
-- in the transaction that changes a record, whoever that is.
--
-- What triggers call is written in `plpgsql`, which plans once in a session. A function of the language `sql` is parsed
-- and planned at each call, which takes longer than the work itself.

CREATE TABLE athlete_search (
    athlete_id BIGINT NOT NULL PRIMARY KEY REFERENCES athlete (id),
    listed BOOLEAN NOT NULL,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    sport_id BIGINT,
    university_id BIGINT,
    conference TEXT,
    state TEXT,
    gender TEXT,
    class_year TEXT,
    followers BIGINT NOT NULL,
    engagement_rate BIGINT NOT NULL,
    available BOOLEAN NOT NULL,
    min_rate_cents BIGINT NOT NULL,
    words TSVECTOR GENERATED ALWAYS AS (search_words(name, about)) STORED
);
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
CREATE INDEX athlete_search_by_words ON athlete_search USING gin (words);

-- The words of an athlete's tags, folded.
CREATE TABLE athlete_tag (
    athlete_id BIGINT NOT NULL REFERENCES athlete (id),
    tag TEXT NOT NULL,
    PRIMARY KEY (athlete_id, tag)
);
CREATE INDEX athlete_tag_by_tag ON athlete_tag (tag, athlete_id);

CREATE VIEW athlete_searchable AS
SELECT a.id AS athlete_id, a.listed, a.display_name AS name,
    concat_ws(' ', a.position, a.hometown_city, s.name, c.name, c.short_name, a.bio, a.tags::text,
        (SELECT string_agg(f.handle, ' ' ORDER BY f.platform) FROM athlete_social f
            WHERE f.athlete_id = a.id)) AS about,
    lower(a.display_name COLLATE "C") AS sort_name, a.sport_id, a.university_id, c.conference,
    c.state, a.gender, a.class_year,
    COALESCE((SELECT SUM(f.followers) FROM athlete_social f WHERE f.athlete_id = a.id), 0)::bigint
        AS followers,
    COALESCE((SELECT MAX(f.engagement_basis_points) FROM athlete_social f
        WHERE f.athlete_id = a.id), 0) AS engagement_rate,
    a.available, COALESCE(a.min_rate_cents, 0) AS min_rate_cents
FROM athlete a JOIN app_user u ON u.id = a.user_id
LEFT JOIN sport s ON s.id = a.sport_id LEFT JOIN college c ON c.id = a.university_id
WHERE u.status = 'active';

CREATE TABLE partner_search (
    partner_id BIGINT NOT NULL PRIMARY KEY REFERENCES partner (id),
    listed BOOLEAN NOT NULL,
    name TEXT NOT NULL,
    about TEXT NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    business_category_id BIGINT,
    state TEXT,
    words TSVECTOR GENERATED ALWAYS AS (search_words(name, about)) STORED
);
CREATE INDEX partner_search_by_newest ON partner_search (listed, partner_id);
CREATE INDEX partner_search_by_name ON partner_search (listed, sort_name, partner_id);
CREATE INDEX partner_search_by_category ON partner_search (listed, business_category_id, partner_id);
CREATE INDEX partner_search_by_state ON partner_search (listed, state, partner_id);
CREATE INDEX partner_search_by_words ON partner_search USING gin (words);

CREATE VIEW partner_searchable AS
SELECT p.id AS partner_id, p.listed, p.company_name AS name,
    concat_ws(' ', k.name, p.hq_city, p.about) AS about,
    lower(p.company_name COLLATE "C") AS sort_name, p.business_category_id, p.hq_state AS state
FROM partner p JOIN app_user u ON u.id = p.user_id
LEFT JOIN business_category k ON k.id = p.business_category_id
WHERE u.status = 'active';

-- From the records to the rows they are found by. The record is held first: of two transactions that change what is known
-- of one athlete, the second one has to see the row that the first one wrote.
CREATE FUNCTION find_athlete(id BIGINT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM athlete a WHERE a.id = $1 FOR NO KEY UPDATE;
    DELETE FROM athlete_search s WHERE s.athlete_id = $1;
    INSERT INTO athlete_search SELECT * FROM athlete_searchable v WHERE v.athlete_id = $1;
END $$;
CREATE FUNCTION find_partner(id BIGINT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM partner p WHERE p.id = $1 FOR NO KEY UPDATE;
    DELETE FROM partner_search s WHERE s.partner_id = $1;
    INSERT INTO partner_search SELECT * FROM partner_searchable v WHERE v.partner_id = $1;
END $$;

CREATE FUNCTION athlete_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM find_athlete(NEW.id);
    IF TG_OP = 'INSERT' OR OLD.tags IS DISTINCT FROM NEW.tags THEN
        DELETE FROM athlete_tag WHERE athlete_id = NEW.id;
        INSERT INTO athlete_tag
            SELECT DISTINCT NEW.id, fold_text(t.value) FROM jsonb_array_elements_text(NEW.tags) t;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER athlete_changed AFTER INSERT OR UPDATE ON athlete
    FOR EACH ROW EXECUTE FUNCTION athlete_changed();

CREATE FUNCTION athlete_social_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM athlete a WHERE a.id = COALESCE(NEW.athlete_id, OLD.athlete_id)
        FOR NO KEY UPDATE;
    UPDATE athlete_search s SET (about, followers, engagement_rate) = (SELECT v.about, v.followers,
        v.engagement_rate FROM athlete_searchable v WHERE v.athlete_id = s.athlete_id)
        WHERE s.athlete_id = COALESCE(NEW.athlete_id, OLD.athlete_id);
    RETURN NULL;
END $$;
CREATE TRIGGER athlete_social_changed AFTER INSERT OR UPDATE OR DELETE ON athlete_social
    FOR EACH ROW EXECUTE FUNCTION athlete_social_changed();

CREATE FUNCTION partner_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM find_partner(NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER partner_changed AFTER INSERT OR UPDATE ON partner
    FOR EACH ROW EXECUTE FUNCTION partner_changed();

CREATE FUNCTION account_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM find_athlete(a.id) FROM athlete a WHERE a.user_id = NEW.id;
    PERFORM find_partner(p.id) FROM partner p WHERE p.user_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER account_changed AFTER UPDATE OF status ON app_user
    FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION account_changed();

CREATE FUNCTION college_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM athlete a WHERE a.university_id = NEW.id ORDER BY a.id FOR NO KEY UPDATE;
    UPDATE athlete_search s SET (about, conference, state) = (SELECT v.about, v.conference, v.state
        FROM athlete_searchable v WHERE v.athlete_id = s.athlete_id) WHERE s.university_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER college_changed AFTER UPDATE OF name, short_name, conference, state ON college
    FOR EACH ROW WHEN (ROW(OLD.name, OLD.short_name, OLD.conference, OLD.state)
        IS DISTINCT FROM ROW(NEW.name, NEW.short_name, NEW.conference, NEW.state))
    EXECUTE FUNCTION college_changed();

CREATE FUNCTION sport_renamed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM athlete a WHERE a.sport_id = NEW.id ORDER BY a.id FOR NO KEY UPDATE;
    UPDATE athlete_search s SET about = (SELECT v.about FROM athlete_searchable v
        WHERE v.athlete_id = s.athlete_id) WHERE s.sport_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER sport_renamed AFTER UPDATE OF name ON sport
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION sport_renamed();

CREATE FUNCTION business_category_renamed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM find_partner(s.partner_id) FROM partner_search s WHERE s.business_category_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER business_category_renamed AFTER UPDATE OF name ON business_category
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION business_category_renamed();
