-- What stands around an apostrophe belongs together once it is gone, such as two marks that have an order: folded once, such
-- a text was not yet its own fold. Rows are written anew when they next change.

-- A text as it is compared and searched: without apostrophes and double quotes, with ` and ` for an ampersand.
CREATE OR REPLACE FUNCTION fold_text(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(translate(CASE WHEN octet_length($1) = char_length($1) THEN lower($1)
    ELSE normalize(translate(fold_letters($1), E'''"`', ''), NFC) END, E'\t\n\u000B\f\r''"`', '     '),
    ' &', '&'), '& ', '&'), '&', ' and ');

-- The words of a text with blanks between them. One with an apostrophe is there as one word and in its parts.
CREATE OR REPLACE FUNCTION search_fold(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN normalize(replace(regexp_replace(regexp_replace(replace(replace(
    CASE WHEN octet_length($1) = char_length($1) THEN lower($1) ELSE fold_letters($1) END,
    '&', ' and '), '`', ''''),
    '[\u0001-\u0026\u0028-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u2000-\u206f\u3000-\u303f]+',
    ' ', 'g'),
    '([^ '']+)''+([^ '']+)(?:''+([^ '']+))?', '\1\2\3 \1 \2 \3', 'g'), '''', ''), NFC);
