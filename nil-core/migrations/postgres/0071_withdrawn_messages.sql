-- What a message is about, such as `announcement:7`: if that is withdrawn, messages that still wait are too.
ALTER TABLE outbox ADD COLUMN about TEXT;
ALTER TABLE outbox DROP CONSTRAINT outbox_status_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_status_check
    CHECK (status IN ('pending', 'sent', 'expanded', 'dead', 'withdrawn'));
CREATE INDEX outbox_about ON outbox (about) WHERE status = 'pending' AND about IS NOT NULL;
