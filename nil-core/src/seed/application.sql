INSERT INTO application (id, job_id, athlete_id, source, status, created_at, updated_at)
SELECT d.i, d.i, 1000001 + d.h % $5, 'applied', 'applicant', $4, $4 FROM drawn d
