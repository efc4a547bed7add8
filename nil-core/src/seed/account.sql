INSERT INTO app_user (id, kind, email, email_verified_at, password_hash, first_name, last_name, status,
    created_at, updated_at)
SELECT d.i + $7, $6, $6 || d.i || '@seed.example', $4, $5, f.word, l.word, 'active', $4, $4
FROM drawn d JOIN first f ON f.k = d.h % 32 JOIN last l ON l.k = d.h / 32 % 32
