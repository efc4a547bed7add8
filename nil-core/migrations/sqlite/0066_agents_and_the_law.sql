-- An agency contract made on the platform: until when the athlete can cancel it, how it ended, and the filings that
-- were drafted for it.

ALTER TABLE representation ADD COLUMN cancellable_until TEXT;
-- Until when money due to the agent waits; null if it does not wait.
ALTER TABLE representation ADD COLUMN transfers_wait_until TEXT;
ALTER TABLE representation ADD COLUMN end_reason TEXT CHECK (end_reason IN ('athlete', 'agent', 'operator',
    'cancelled_in_time'));
CREATE INDEX representation_waiting ON representation (agent_id, transfers_wait_until)
    WHERE transfers_wait_until IS NOT NULL;

ALTER TABLE athlete_agent_filing ADD COLUMN representation_id INTEGER REFERENCES representation (id);
CREATE UNIQUE INDEX athlete_agent_filing_drafted_key ON athlete_agent_filing (representation_id, college_id)
    WHERE representation_id IS NOT NULL;

-- A contract whose agent gets no commission, because the athlete cancelled the agency contract in time.
ALTER TABLE contract ADD COLUMN commission_waived_at TEXT;

-- Athletes with an agent who have come to an institution: it has to be told of the agent. The worker drafts the filing
-- and removes the row.
CREATE TABLE athlete_enrolment (
    athlete_id INTEGER NOT NULL PRIMARY KEY REFERENCES athlete (id),
    enrolled_at TEXT NOT NULL
) STRICT;
CREATE INDEX athlete_enrolment_by_time ON athlete_enrolment (enrolled_at, athlete_id);
CREATE TRIGGER athlete_with_agent_enrolled AFTER UPDATE OF university_id ON athlete
WHEN new.university_id IS NOT NULL AND new.university_id IS NOT old.university_id
    AND EXISTS (SELECT 1 FROM representation r WHERE r.athlete_id = new.id AND r.status = 'active') BEGIN
    INSERT INTO athlete_enrolment (athlete_id, enrolled_at) VALUES (new.id, new.updated_at)
        ON CONFLICT (athlete_id) DO UPDATE SET enrolled_at = excluded.enrolled_at;
END;
