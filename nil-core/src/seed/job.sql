INSERT INTO job (id, partner_id, title, description, category_id, kind, compensation, amount_cents, slots,
    filled, application_deadline, closes_at, eligibility, usage_rights, visibility, business_purpose, status,
    close_reason, created_at, updated_at)
SELECT d.i, 1000001 + d.h / 43 % $5, 'Campaign for ' || t.word || ' ' || (d.i % 200),
    'Shows ' || t.word || ' and ' || u.word || ' to students. It takes an afternoon, and we bring everything '
        || 'that is needed for it.',
    d.h / 17 % 12 + 1,
    CASE d.h / 7 % 4 WHEN 0 THEN 'one_time' WHEN 1 THEN 'ongoing' WHEN 2 THEN 'appearance' ELSE 'licensing' END,
    CASE d.h / 5 % 3 WHEN 0 THEN 'cash' WHEN 1 THEN 'product' ELSE 'mixed' END,
    (d.h / 31 % 200 + 1) * 1000, 2, 0,
    CASE d.h / 3 % 4 WHEN 0 THEN $6 WHEN 1 THEN $7 END,
    CASE d.h / 3 % 4 WHEN 0 THEN $6 WHEN 1 THEN $7 ELSE $8 END,
    $9, $10, 'public', 'to sell', CASE d.h / 13 % 10 WHEN 0 THEN 'closed' ELSE 'open' END,
    CASE d.h / 13 % 10 WHEN 0 THEN 'partner' END, $4, $4
FROM drawn d JOIN topic t ON t.k = d.h / 37 % 32 JOIN topic u ON u.k = d.h / 41 % 32
