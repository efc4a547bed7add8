-- From which days on an institution takes part in what the clearinghouse asks of its division, and
-- from which it does not.
ALTER TABLE college ADD COLUMN participation TEXT NOT NULL DEFAULT '[]';

-- Athletes whose deals are added up again, because of something else than a deal: a change of their
-- institution or of the site. The worker adds them up and removes the row.
CREATE TABLE athlete_to_weigh (
    athlete_id INTEGER NOT NULL PRIMARY KEY,
    since TEXT NOT NULL
) STRICT;
CREATE INDEX athlete_to_weigh_by_time ON athlete_to_weigh (since, athlete_id);
CREATE TRIGGER college_weighed_again AFTER UPDATE OF division, participation, time_zone ON college
WHEN new.division IS NOT old.division OR new.participation IS NOT old.participation
    OR new.time_zone IS NOT old.time_zone BEGIN
    INSERT INTO athlete_to_weigh (athlete_id, since)
        SELECT w.athlete_id, new.updated_at FROM (
            SELECT athlete_id FROM clearance WHERE college_id = new.id
            UNION SELECT athlete_id FROM athlete_entry WHERE college_id = new.id) w WHERE TRUE
        ON CONFLICT (athlete_id) DO UPDATE SET since = excluded.since;
END;
CREATE TRIGGER site_weighed_again AFTER UPDATE OF contingent_pay ON site
WHEN new.contingent_pay IS NOT old.contingent_pay BEGIN
    INSERT INTO athlete_to_weigh (athlete_id, since)
        SELECT DISTINCT x.athlete_id, new.updated_at FROM job j JOIN contract c ON c.job_id = j.id
            JOIN clearance x ON x.contract_id = c.id WHERE j.compensation IN ('royalty', 'commission')
        ON CONFLICT (athlete_id) DO UPDATE SET since = excluded.since;
END;
