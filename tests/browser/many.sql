-- Puts some 50,000 rows behind each list of the portal and the console, in the database of a demo
-- whose server is stopped. What is copied are the finished records of the year, each as often as
-- it takes; whatever waits stays as it is. A copy's number is that of the record and a million for
-- each time it was copied, so `number / 1000000` says which copy it is. figures.mjs says what pages
-- cost then.
--
-- The `sqlite3` program lacks the functions of the triggers: `many` takes them away and puts them
-- back. Words of copies are therefore not in the search indexes.

PRAGMA foreign_keys = OFF;
PRAGMA synchronous = OFF;
BEGIN;

CREATE TEMP TABLE nth (nth INTEGER PRIMARY KEY);
WITH RECURSIVE up (nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM up WHERE nth < 50000)
INSERT INTO nth SELECT nth FROM up;

-- Athletes: 125 times 400 of the institution.
CREATE TEMP TABLE users AS SELECT u.* FROM nth CROSS JOIN app_user u WHERE nth <= 125 AND u.kind = 'athlete';
UPDATE users SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 125 FROM users) + 1) * 1000000;
UPDATE users SET email = id || '.' || email, referral_code = NULL;
INSERT INTO app_user SELECT * FROM users;
CREATE TEMP TABLE athletes AS SELECT a.* FROM nth CROSS JOIN athlete a WHERE nth <= 125;
UPDATE athletes SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 125 FROM athletes) + 1) * 1000000;
UPDATE athletes SET user_id = user_id + id / 1000000 * 1000000, share_slug = share_slug || id;
INSERT INTO athlete SELECT * FROM athletes;
CREATE TEMP TABLE found AS SELECT s.* FROM nth CROSS JOIN athlete_search s WHERE nth <= 125;
UPDATE found SET athlete_id = athlete_id + ((rowid - 1) / (SELECT COUNT(*) / 125 FROM found) + 1) * 1000000;
INSERT INTO athlete_search SELECT * FROM found;

-- Brands and agents.
CREATE TEMP TABLE owners AS SELECT u.* FROM nth CROSS JOIN app_user u WHERE nth <= 5000 AND u.kind = 'partner';
UPDATE owners SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 5000 FROM owners) + 1) * 1000000;
UPDATE owners SET email = id || '.' || email, referral_code = NULL;
INSERT INTO app_user SELECT * FROM owners;
CREATE TEMP TABLE partners AS SELECT p.* FROM nth CROSS JOIN partner p WHERE nth <= 5000;
UPDATE partners SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 5000 FROM partners) + 1) * 1000000;
UPDATE partners SET user_id = user_id + id / 1000000 * 1000000;
INSERT INTO partner SELECT * FROM partners;
CREATE TEMP TABLE mates AS SELECT u.* FROM nth CROSS JOIN app_user u WHERE nth <= 16667 AND u.kind = 'agent';
UPDATE mates SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 16667 FROM mates) + 1) * 1000000;
UPDATE mates SET email = id || '.' || email, referral_code = NULL;
INSERT INTO app_user SELECT * FROM mates;
CREATE TEMP TABLE agents AS SELECT a.* FROM nth CROSS JOIN agent a WHERE nth <= 16667;
UPDATE agents SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 16667 FROM agents) + 1) * 1000000;
UPDATE agents SET user_id = user_id + id / 1000000 * 1000000;
INSERT INTO agent SELECT * FROM agents;

-- Disclosed deals that are decided on, their clearances, and the transactions of both; each copy is
-- of another athlete.
CREATE TEMP TABLE decided AS SELECT id FROM disclosed_job WHERE status IN ('approved', 'rejected', 'withdrawn');
CREATE TEMP TABLE deals AS SELECT d.* FROM nth CROSS JOIN disclosed_job d WHERE nth <= 264 AND d.id IN (SELECT id FROM decided);
UPDATE deals SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 264 FROM deals) + 1) * 1000000;
UPDATE deals SET athlete_id = athlete_id + id / 1000000 % 126 * 1000000;
INSERT INTO disclosed_job SELECT * FROM deals;
CREATE TEMP TABLE cleared AS SELECT c.* FROM nth CROSS JOIN clearance c WHERE nth <= 264
    AND c.disclosed_job_id IN (SELECT id FROM decided) AND c.status IN ('not_required', 'cleared', 'not_cleared');
UPDATE cleared SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 264 FROM cleared) + 1) * 1000000;
UPDATE cleared SET disclosed_job_id = disclosed_job_id + id / 1000000 * 1000000,
    athlete_id = athlete_id + id / 1000000 % 126 * 1000000;
INSERT INTO clearance SELECT * FROM cleared;
CREATE TEMP TABLE moved AS SELECT t.* FROM nth CROSS JOIN college_transaction t WHERE nth <= 264
    AND t.source = 'disclosed' AND t.record_id IN (SELECT id FROM decided);
UPDATE moved SET record_id = record_id + ((rowid - 1) / (SELECT COUNT(*) / 264 FROM moved) + 1) * 1000000;
UPDATE moved SET athlete_id = athlete_id + record_id / 1000000 % 126 * 1000000;
INSERT INTO college_transaction SELECT * FROM moved;
-- The worker of the server adds these to the totals.
INSERT INTO college_transaction_change SELECT NULL, college_id, athlete_id, 1, occurred_at, source, sport_id, category_id,
    payment_type, gross_cents, fee_cents, net_cents, refunded_cents FROM moved WHERE counted;

-- Agents' filings that are over or acknowledged.
CREATE TEMP TABLE filings AS SELECT f.* FROM nth CROSS JOIN athlete_agent_filing f WHERE nth <= 3000
    AND f.status IN ('acknowledged', 'returned', 'terminated');
UPDATE filings SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 3000 FROM filings) + 1) * 1000000;
UPDATE filings SET athlete_id = athlete_id + id / 1000000 % 126 * 1000000, representation_id = NULL;
INSERT INTO athlete_agent_filing SELECT * FROM filings;

-- The trail: that of the institution's people has more than 50,000 then.
CREATE TEMP TABLE entries AS SELECT e.* FROM nth CROSS JOIN audit_entry e WHERE nth <= 25;
UPDATE entries SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 25 FROM entries) + 1) * 1000000;
INSERT INTO audit_entry SELECT * FROM entries;

-- Jobs, payments and payouts that are over.
CREATE TEMP TABLE jobs AS SELECT j.* FROM nth CROSS JOIN job j WHERE nth <= 340 AND j.status IN ('closed', 'completed');
UPDATE jobs SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 340 FROM jobs) + 1) * 1000000;
INSERT INTO job SELECT * FROM jobs;
CREATE TEMP TABLE paid AS SELECT p.* FROM nth CROSS JOIN payment p WHERE nth <= 360 AND p.paid_at IS NOT NULL;
UPDATE paid SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 360 FROM paid) + 1) * 1000000;
UPDATE paid SET number = number || '-' || (id / 1000000);
INSERT INTO payment SELECT * FROM paid;
CREATE TEMP TABLE payouts AS SELECT p.* FROM nth CROSS JOIN payout p WHERE nth <= 460 AND p.status = 'paid';
UPDATE payouts SET id = id + ((rowid - 1) / (SELECT COUNT(*) / 460 FROM payouts) + 1) * 1000000;
UPDATE payouts SET retry_of = NULL;
INSERT INTO payout SELECT * FROM payouts;

-- Reports that failed: such a one has no file.
INSERT INTO export_report (code, operator_id, kind, format, filters, status, due_at, expires_at, created_at, updated_at)
SELECT 'many-' || nth, 1, 'payments', 'csv', '{}', 'failed', at, strftime('%Y-%m-%dT%H:%M:%SZ', at, '+1 year'), at, at
FROM nth CROSS JOIN (SELECT created_at AS at FROM operator WHERE id = 1);

COMMIT;
