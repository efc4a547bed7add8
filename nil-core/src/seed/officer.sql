INSERT INTO portal_user (id, college_id, email, name, password_hash, role, status, created_at, updated_at)
SELECT d.i, d.i, 'officer' || d.i || '@seed.example', f.word || ' ' || l.word, $5, 'owner', 'active', $4, $4
FROM drawn d JOIN first f ON f.k = d.h % 32 JOIN last l ON l.k = d.h / 32 % 32
