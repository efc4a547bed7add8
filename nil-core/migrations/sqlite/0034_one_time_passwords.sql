-- Passwords that somebody else has seen log in once, to be replaced: `unused` before that, `used` after it, null
-- for a password of the operator's own. The operator of a first run could not change theirs until now.
ALTER TABLE operator ADD COLUMN one_time_password TEXT CHECK (one_time_password IN ('unused', 'used'));
UPDATE operator SET one_time_password = 'unused' WHERE email = 'operator@localhost.localdomain';
