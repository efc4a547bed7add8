INSERT INTO partner (id, user_id, company_name, business_category_id, about, hq_state, listed, verified_at,
    created_at, updated_at)
SELECT d.i, d.i + $5, l.word || ' ' || CASE d.h % 4 WHEN 0 THEN 'Outfitters' WHEN 1 THEN 'Foods'
        WHEN 2 THEN 'Motors' ELSE 'Studio' END || ' ' || (d.i - 1000000),
    d.h / 17 % 20 + 1, 'Sells ' || t.word || ' and ' || u.word || ' in three shops and on the web, and gives a '
        || 'part of every sale to the teams of the town it comes from.',
    CASE d.h / 19 % 4 WHEN 0 THEN 'IL' WHEN 1 THEN 'OH' WHEN 2 THEN 'CA' ELSE 'NY' END, TRUE, $4, $4, $4
FROM drawn d JOIN last l ON l.k = d.h / 32 % 32
JOIN topic t ON t.k = d.h / 37 % 32 JOIN topic u ON u.k = d.h / 41 % 32
