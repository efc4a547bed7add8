INSERT INTO operator (id, email, name, password_hash, permissions, active, created_at, updated_at)
SELECT d.i, 'operator' || d.i || '@seed.example', f.word || ' ' || l.word, $5, $6, TRUE, $4, $4
FROM drawn d JOIN first f ON f.k = d.h % 32 JOIN last l ON l.k = d.h / 32 % 32
