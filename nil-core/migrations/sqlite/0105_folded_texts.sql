-- Words are indexed, and tags and payors compared, in one form: without case, accents and apostrophes, also for letters
-- that Unicode does not take apart. `fold_words`, `fold_text` and `company_key` are functions of nil's own, which it adds
-- to each connection; other tools can read the tables, but not these views.

DROP TABLE athlete_text;
CREATE VIEW athlete_words AS
SELECT athlete_id, fold_words(name) AS name, fold_words(about) AS about FROM athlete_search;
CREATE VIRTUAL TABLE athlete_text USING fts5 (name, about, content = 'athlete_words',
    content_rowid = 'athlete_id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
INSERT INTO athlete_text (athlete_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
DROP TRIGGER athlete_search_added;
CREATE TRIGGER athlete_search_added AFTER INSERT ON athlete_search BEGIN
    INSERT INTO athlete_text (rowid, name, about)
        VALUES (new.athlete_id, fold_words(new.name), fold_words(new.about));
END;
DROP TRIGGER athlete_search_removed;
CREATE TRIGGER athlete_search_removed AFTER DELETE ON athlete_search BEGIN
    INSERT INTO athlete_text (athlete_text, rowid, name, about)
        VALUES ('delete', old.athlete_id, fold_words(old.name), fold_words(old.about));
END;
DROP TRIGGER athlete_search_changed;
CREATE TRIGGER athlete_search_changed AFTER UPDATE OF name, about ON athlete_search
WHEN old.name <> new.name OR old.about <> new.about BEGIN
    INSERT INTO athlete_text (athlete_text, rowid, name, about)
        VALUES ('delete', old.athlete_id, fold_words(old.name), fold_words(old.about));
    INSERT INTO athlete_text (rowid, name, about)
        VALUES (new.athlete_id, fold_words(new.name), fold_words(new.about));
END;
INSERT INTO athlete_text (athlete_text) VALUES ('rebuild');

DROP TABLE partner_text;
CREATE VIEW partner_words AS
SELECT partner_id, fold_words(name) AS name, fold_words(about) AS about FROM partner_search;
CREATE VIRTUAL TABLE partner_text USING fts5 (name, about, content = 'partner_words',
    content_rowid = 'partner_id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
INSERT INTO partner_text (partner_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
DROP TRIGGER partner_search_added;
CREATE TRIGGER partner_search_added AFTER INSERT ON partner_search BEGIN
    INSERT INTO partner_text (rowid, name, about)
        VALUES (new.partner_id, fold_words(new.name), fold_words(new.about));
END;
DROP TRIGGER partner_search_removed;
CREATE TRIGGER partner_search_removed AFTER DELETE ON partner_search BEGIN
    INSERT INTO partner_text (partner_text, rowid, name, about)
        VALUES ('delete', old.partner_id, fold_words(old.name), fold_words(old.about));
END;
INSERT INTO partner_text (partner_text) VALUES ('rebuild');

DROP TABLE job_text;
CREATE VIEW job_words AS
SELECT id, fold_words(title) AS title, fold_words(description) AS description FROM job;
CREATE VIRTUAL TABLE job_text USING fts5 (title, description, content = 'job_words',
    content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 5 6 7 8 9 10 11 12');
DROP TRIGGER job_added;
CREATE TRIGGER job_added AFTER INSERT ON job BEGIN
    INSERT INTO job_text (rowid, title, description)
        VALUES (new.id, fold_words(new.title), fold_words(new.description));
END;
DROP TRIGGER job_removed;
CREATE TRIGGER job_removed AFTER DELETE ON job BEGIN
    INSERT INTO job_text (job_text, rowid, title, description)
        VALUES ('delete', old.id, fold_words(old.title), fold_words(old.description));
END;
DROP TRIGGER job_reworded;
CREATE TRIGGER job_reworded AFTER UPDATE OF title, description ON job
WHEN old.title <> new.title OR old.description <> new.description BEGIN
    INSERT INTO job_text (job_text, rowid, title, description)
        VALUES ('delete', old.id, fold_words(old.title), fold_words(old.description));
    INSERT INTO job_text (rowid, title, description)
        VALUES (new.id, fold_words(new.title), fold_words(new.description));
END;
INSERT INTO job_text (job_text) VALUES ('rebuild');

DROP TABLE service_offer_text;
CREATE VIEW service_offer_words AS
SELECT id, fold_words(title) AS title, fold_words(description) AS description FROM service_offer;
CREATE VIRTUAL TABLE service_offer_text USING fts5 (title, description, content = 'service_offer_words',
    content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
INSERT INTO service_offer_text (service_offer_text, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
DROP TRIGGER service_offer_added;
CREATE TRIGGER service_offer_added AFTER INSERT ON service_offer BEGIN
    INSERT INTO service_offer_text (rowid, title, description)
        VALUES (new.id, fold_words(new.title), fold_words(new.description));
END;
DROP TRIGGER service_offer_removed;
CREATE TRIGGER service_offer_removed AFTER DELETE ON service_offer BEGIN
    INSERT INTO service_offer_text (service_offer_text, rowid, title, description)
        VALUES ('delete', old.id, fold_words(old.title), fold_words(old.description));
END;
DROP TRIGGER service_offer_reworded;
CREATE TRIGGER service_offer_reworded AFTER UPDATE OF title, description ON service_offer
WHEN old.title <> new.title OR old.description <> new.description BEGIN
    INSERT INTO service_offer_text (service_offer_text, rowid, title, description)
        VALUES ('delete', old.id, fold_words(old.title), fold_words(old.description));
    INSERT INTO service_offer_text (rowid, title, description)
        VALUES (new.id, fold_words(new.title), fold_words(new.description));
END;
INSERT INTO service_offer_text (service_offer_text) VALUES ('rebuild');

-- Tags.
DROP TRIGGER athlete_added;
CREATE TRIGGER athlete_added AFTER INSERT ON athlete BEGIN
    INSERT INTO athlete_search SELECT * FROM athlete_searchable WHERE athlete_id = new.id;
    INSERT INTO athlete_tag SELECT DISTINCT new.id, fold_text(value) FROM json_each(new.tags);
END;
DROP TRIGGER athlete_retagged;
CREATE TRIGGER athlete_retagged AFTER UPDATE OF tags ON athlete WHEN old.tags <> new.tags BEGIN
    DELETE FROM athlete_tag WHERE athlete_id = new.id;
    INSERT INTO athlete_tag SELECT DISTINCT new.id, fold_text(value) FROM json_each(new.tags);
END;
DELETE FROM athlete_tag;
INSERT INTO athlete_tag
    SELECT DISTINCT a.id, fold_text(t.value) FROM athlete a, json_each(a.tags) t;

-- Filings: by the words that were kept, and by the names as they are folded now. Empty ones were erased.
UPDATE athlete_agent_filing SET search_text = fold_words(search_text || ' ' || (SELECT
    COALESCE(a.display_name, '') || ' ' || COALESCE(u.first_name, '') || ' '
    || COALESCE(u.last_name, '') || ' ' || COALESCE(athlete_agent_filing.particulars -> '$.agent' ->> 'name', '') || ' '
    || COALESCE(athlete_agent_filing.particulars -> '$.agent' ->> 'business', '')
    FROM athlete a JOIN app_user u ON u.id = a.user_id WHERE a.id = athlete_agent_filing.athlete_id))
WHERE search_text <> '';

-- Payors. A key does not tell what an `&` was; the names do, unless they were erased with the account. A contract has the
-- name of the day of signing: today's only if it is the same but for the `&`.
UPDATE clearance SET payor = COALESCE(
    (SELECT company_key(COALESCE(d.payer_parent, NULLIF(d.payer_name, ''))) FROM disclosed_job d
        WHERE d.id = clearance.disclosed_job_id),
    (SELECT company_key(p.company_name) FROM contract c JOIN partner p ON p.id = c.partner_id
        WHERE c.id = clearance.contract_id
        AND replace(replace(company_key(p.company_name), ' and ', ' '), ' ', '')
            = replace(replace(company_key(clearance.payor), ' and ', ' '), ' ', '')),
    company_key(payor));
