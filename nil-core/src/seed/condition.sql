INSERT INTO job_condition (job_id, kind, value)
SELECT d.i, 'sport', CAST(d.h / 47 % 20 + 1 AS TEXT) FROM drawn d WHERE d.i % 2 = 0
