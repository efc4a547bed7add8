-- From which days on an institution takes part in what the clearinghouse asks of its division, and
-- from which it does not.
ALTER TABLE college ADD COLUMN participation JSONB NOT NULL DEFAULT '[]';

-- Athletes whose deals are added up again, because of something else than a deal: a change of their
-- institution or of the site. The worker adds them up and removes the row.
CREATE TABLE athlete_to_weigh (
    athlete_id BIGINT NOT NULL PRIMARY KEY,
    since TIMESTAMPTZ NOT NULL
);
CREATE INDEX athlete_to_weigh_by_time ON athlete_to_weigh (since, athlete_id);
CREATE FUNCTION college_weighed_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO athlete_to_weigh (athlete_id, since)
        SELECT w.athlete_id, new.updated_at FROM (
            SELECT athlete_id FROM clearance WHERE college_id = new.id
            UNION SELECT athlete_id FROM athlete_entry WHERE college_id = new.id) w WHERE TRUE
        ON CONFLICT (athlete_id) DO UPDATE SET since = excluded.since;
    RETURN NULL;
END $$;
CREATE TRIGGER college_weighed_again AFTER UPDATE OF division, participation, time_zone ON college
    FOR EACH ROW WHEN ((new.division, new.participation, new.time_zone)
        IS DISTINCT FROM (old.division, old.participation, old.time_zone))
    EXECUTE FUNCTION college_weighed_again();
CREATE FUNCTION site_weighed_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO athlete_to_weigh (athlete_id, since)
        SELECT DISTINCT x.athlete_id, new.updated_at FROM job j JOIN contract c ON c.job_id = j.id
            JOIN clearance x ON x.contract_id = c.id WHERE j.compensation IN ('royalty', 'commission')
        ON CONFLICT (athlete_id) DO UPDATE SET since = excluded.since;
    RETURN NULL;
END $$;
CREATE TRIGGER site_weighed_again AFTER UPDATE OF contingent_pay ON site
    FOR EACH ROW WHEN (new.contingent_pay IS DISTINCT FROM old.contingent_pay)
    EXECUTE FUNCTION site_weighed_again();
