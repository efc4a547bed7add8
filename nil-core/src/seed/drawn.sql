-- Rows $1 to $2. `h` is drawn from the number of a row and the seed $3: whole numbers, equal on both engines.
WITH RECURSIVE n (i) AS (SELECT CAST($1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < $2),
mixed (i, m) AS (SELECT i, (i * 48271 + $3) % 2147483647 FROM n),
drawn (i, h) AS (SELECT i, (m * m / 8191 + m) % 2147483647 FROM mixed)
