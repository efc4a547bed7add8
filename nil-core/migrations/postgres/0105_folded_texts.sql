-- Words are indexed, and tags and payors compared, in one form: without case, accents and apostrophes, also for letters
-- that Unicode does not take apart. These functions do for PostgreSQL what `kernel::fold` does for SQLite, whose docs have
-- the rules; a test compares them. The letters of Latin, Greek, Cyrillic and Armenian do not depend on the locale.

-- Small letters without accents. Apostrophes, double quotes, dashes and blanks become those of ASCII.
CREATE FUNCTION fold_letters(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN normalize(replace(replace(replace(replace(replace(replace(replace(translate(lower(translate(regexp_replace(normalize(translate($1,
        E'`´‘’‚‛′‵‹›ʹʻʼʽʾʿˈˊˋ՚׳ꞌ＇',
        E''''''''''''''''''''''''''''''''''''''''''''''''), NFKD),
    '[\u0300-\u036f\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+', '', 'g'),
        E'`´‘’‚‛′‵‹›ʹʻʼʽʾʿˈˊˋ՚׳ꞌ＇“”„‟″«»ʺˮ״〝〞＂‐‒–—―−\u0009\u000A\u000B\u000C\u000D\u0085\u1680\u2028\u2029',
        E'''''''''''''''''''''''''''''''''''''''''''''''"""""""""""""------         ')),
        E'łƚøɔđðɖɗıɨħŧⱦŋɲĸƙƀɓǥɣƶȼⱥəɛɇɉɍʉʋɏƴςŁȽØƆĐÐƉƊƗĦŦȾŊƝƘɃƁǤƔƵȻȺƏƐɆɈ'
        'ɌɄƲɎƳΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦ'
        'ЧШЩЪЫЬЭЮЯҐԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
        E'llooddddiihttnnkkbbggzcaeeejruvyyσllooddddihttnnkbbggzcaeeej'
        'ruvyyαβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхц'
        'чшщъыьэюяґաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'),
    'ß', 'ss'),
    'æ', 'ae'),
    'œ', 'oe'),
    'þ', 'th'),
    'Æ', 'ae'),
    'Œ', 'oe'),
    'Þ', 'th'), NFC);

-- A text as it is compared and searched: without apostrophes and double quotes, with ` and ` for an ampersand.
CREATE FUNCTION fold_text(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(translate(CASE WHEN octet_length($1) = char_length($1) THEN lower($1)
    ELSE fold_letters($1) END, E'\t\n\u000B\f\r''"`', '     '), ' &', '&'), '& ', '&'), '&', ' and ');

-- The words of a text with blanks between them. One with an apostrophe is there as one word and in its parts.
CREATE OR REPLACE FUNCTION search_fold(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN replace(regexp_replace(regexp_replace(replace(replace(
    CASE WHEN octet_length($1) = char_length($1) THEN lower($1) ELSE fold_letters($1) END,
    '&', ' and '), '`', ''''),
    '[\u0001-\u0026\u0028-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u2000-\u206f\u3000-\u303f]+',
    ' ', 'g'),
    '([^ '']+)''+([^ '']+)(?:''+([^ '']+))?', '\1\2\3 \1 \2 \3', 'g'), '''', '');

-- What is there already: the columns are made anew, so that no trigger runs.
ALTER TABLE athlete_search DROP COLUMN words;
ALTER TABLE athlete_search ADD COLUMN words TSVECTOR
    GENERATED ALWAYS AS (search_words(name, about)) STORED;
CREATE INDEX athlete_search_by_words ON athlete_search USING gin (words);
ALTER TABLE partner_search DROP COLUMN words;
ALTER TABLE partner_search ADD COLUMN words TSVECTOR
    GENERATED ALWAYS AS (search_words(name, about)) STORED;
CREATE INDEX partner_search_by_words ON partner_search USING gin (words);
ALTER TABLE job DROP COLUMN words;
ALTER TABLE job ADD COLUMN words TSVECTOR
    GENERATED ALWAYS AS (search_words(title, description)) STORED;
CREATE INDEX job_by_words ON job USING gin (words);
ALTER TABLE service_offer DROP COLUMN words;
ALTER TABLE service_offer ADD COLUMN words TSVECTOR
    GENERATED ALWAYS AS (search_words(title, description)) STORED;
CREATE INDEX service_offer_by_words ON service_offer USING gin (words);

-- Tags.
CREATE OR REPLACE FUNCTION athlete_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM find_athlete(NEW.id);
    IF TG_OP = 'INSERT' OR OLD.tags IS DISTINCT FROM NEW.tags THEN
        DELETE FROM athlete_tag WHERE athlete_id = NEW.id;
        INSERT INTO athlete_tag
            SELECT DISTINCT NEW.id, fold_text(t.value) FROM jsonb_array_elements_text(NEW.tags) t;
    END IF;
    RETURN NULL;
END $$;
DELETE FROM athlete_tag;
INSERT INTO athlete_tag
    SELECT DISTINCT a.id, fold_text(t.value) FROM athlete a, jsonb_array_elements_text(a.tags) t;

-- The key of a company, as nil writes it: needed here only.
CREATE FUNCTION company_key(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    folded TEXT := replace(fold_text($1), '.', '');
    words TEXT[] := string_to_array(btrim(regexp_replace(folded,
        '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u2000-\u206f\u3000-\u303f]+',
        ' ', 'g')), ' ');
BEGIN
    WHILE cardinality(words) > 1 AND words[cardinality(words)] IN ('co', 'company', 'corp', 'corporation',
        'inc', 'incorporated', 'limited', 'llc', 'llp', 'lp', 'ltd', 'plc') LOOP
        words := words[1:cardinality(words) - 1];
    END LOOP;
    IF cardinality(words) > 1 AND words[1] = 'the' THEN
        words := words[2:];
    END IF;
    RETURN COALESCE(NULLIF(array_to_string(words, ' '), ''), btrim(folded));
END $$;

-- Filings: by the words that were kept, and by the names as they are folded now. Empty ones were erased.
UPDATE athlete_agent_filing SET search_text = search_fold(search_text || ' ' || (SELECT
    COALESCE(a.display_name, '') || ' ' || COALESCE(u.first_name, '') || ' '
    || COALESCE(u.last_name, '') || ' ' || COALESCE(athlete_agent_filing.particulars -> 'agent' ->> 'name', '') || ' '
    || COALESCE(athlete_agent_filing.particulars -> 'agent' ->> 'business', '')
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
DROP FUNCTION company_key(text);
