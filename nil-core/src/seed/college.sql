, place (k, word) AS (VALUES (0, 'Lakeshore'), (1, 'Redwood Coast'), (2, 'Bluegrass'), (3, 'Copper Basin'),
    (4, 'Piedmont'), (5, 'Harbor City'), (6, 'Prairie View'), (7, 'Summit Ridge'), (8, 'Bayou Parish'),
    (9, 'Granite Valley'), (10, 'Palmetto'), (11, 'Cedar Falls'), (12, 'Iron Range')),
school (k, word) AS (VALUES (0, 'State University'), (1, 'University'), (2, 'College'), (3, 'Polytechnic'),
    (4, 'Technical University'), (5, 'A&M'), (6, 'Methodist University'), (7, 'City College'),
    (8, 'Institute of Technology'), (9, 'Community College'))
INSERT INTO college (id, name, short_name, slug, conference, division, state, time_zone, email_domains, listed,
    created_at, updated_at)
SELECT d.i, p.word || ' ' || s.word, 'C' || (d.i - 1000000), 'college-' || d.i,
    'Conference ' || (d.i % 8), CASE d.i % 5 WHEN 3 THEN 'D2' WHEN 4 THEN 'D3' ELSE 'D1' END,
    CASE d.i % 10 WHEN 0 THEN 'IL' WHEN 1 THEN 'IN' WHEN 2 THEN 'OH' WHEN 3 THEN 'MI' WHEN 4 THEN 'WI'
        WHEN 5 THEN 'CA' WHEN 6 THEN 'TX' WHEN 7 THEN 'FL' WHEN 8 THEN 'NY' ELSE 'WA' END,
    CASE WHEN d.i % 10 IN (0, 4, 6) THEN 'America/Chicago' WHEN d.i % 10 IN (5, 9) THEN 'America/Los_Angeles'
        ELSE 'America/New_York' END,
    $5, TRUE, $4, $4
FROM drawn d JOIN place p ON p.k = d.i % 13 JOIN school s ON s.k = d.i / 13 % 10
