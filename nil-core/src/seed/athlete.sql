INSERT INTO athlete (id, user_id, display_name, sport_id, university_id, position, class_year, gender,
    date_of_birth, hometown_state, bio, tags, min_rate_cents, available, listed, share_slug, created_at,
    updated_at)
SELECT d.i, d.i, f.word || ' ' || l.word, d.h / 17 % 20 + 1, 1000001 + d.h / 29 % $5,
    CASE d.h % 3 WHEN 0 THEN 'Starter' WHEN 1 THEN 'Reserve' ELSE 'Captain' END,
    CASE d.h / 7 % 5 WHEN 0 THEN 'freshman' WHEN 1 THEN 'sophomore' WHEN 2 THEN 'junior' WHEN 3 THEN 'senior'
        ELSE 'graduate' END,
    CASE d.h / 5 % 20 WHEN 0 THEN 'non_binary' ELSE CASE d.h / 11 % 2 WHEN 0 THEN 'female' ELSE 'male' END END,
    CASE d.h / 13 % 4 WHEN 0 THEN $6 WHEN 1 THEN $7 WHEN 2 THEN $8 ELSE $9 END,
    CASE d.h / 19 % 3 WHEN 0 THEN 'IL' WHEN 1 THEN 'TX' ELSE 'FL' END,
    'Trains at dawn, studies at noon. Likes ' || t.word || ' and ' || u.word || ', and answers every message.',
    CASE d.h / 23 % 4 WHEN 0 THEN $10 WHEN 1 THEN $11 WHEN 2 THEN $12 ELSE $13 END,
    d.h / 31 % 50 * 1000, d.i % 4 > 0, d.i % 10 > 0, 'athlete-' || d.i, $4, $4
FROM drawn d JOIN first f ON f.k = d.h % 32 JOIN last l ON l.k = d.h / 32 % 32
JOIN topic t ON t.k = d.h / 37 % 32 JOIN topic u ON u.k = d.h / 41 % 32
