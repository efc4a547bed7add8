-- The capital saltillo is an apostrophe, as the small one is: folded once, it was not yet its own fold. Rows are written
-- anew when they next change; until then a name with this letter is found by its other parts.

-- Small letters without accents. Apostrophes, double quotes, dashes and blanks become those of ASCII.
CREATE OR REPLACE FUNCTION fold_letters(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN normalize(replace(replace(replace(replace(replace(replace(replace(translate(lower(translate(regexp_replace(normalize(translate($1,
        E'`´‘’‚‛′‵‹›ʹʻʼʽʾʿˈˊˋ՚׳Ꞌꞌ＇',
        E''''''''''''''''''''''''''''''''''''''''''''''''''), NFKD),
    '[\u0300-\u036f\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+', '', 'g'),
        E'`´‘’‚‛′‵‹›ʹʻʼʽʾʿˈˊˋ՚׳Ꞌꞌ＇“”„‟″«»ʺˮ״〝〞＂‐‒–—―−\u0009\u000A\u000B\u000C\u000D\u0085\u1680\u2028\u2029',
        E'''''''''''''''''''''''''''''''''''''''''''''''''"""""""""""""------         ')),
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
