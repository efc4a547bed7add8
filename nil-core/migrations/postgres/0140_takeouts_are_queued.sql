-- A takeout is an export of a user's: it has no kind, and its format is ZIP.
ALTER TABLE export_report ALTER COLUMN operator_id DROP NOT NULL;
ALTER TABLE export_report ALTER COLUMN kind DROP NOT NULL;
ALTER TABLE export_report ALTER COLUMN format DROP NOT NULL;
-- Whose takeout it is, if it is one.
ALTER TABLE export_report ADD COLUMN user_id BIGINT;
ALTER TABLE export_report ADD CHECK ((operator_id IS NULL) <> (user_id IS NULL));
ALTER TABLE export_report
    ADD CHECK ((user_id IS NULL) = (kind IS NOT NULL) AND (user_id IS NULL) = (format IS NOT NULL));
CREATE INDEX export_report_by_user ON export_report (user_id, id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX export_report_one_takeout ON export_report (user_id) WHERE status IN ('queued', 'processing');
