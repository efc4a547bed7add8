-- What the worker looks for is found through an index, and only one server of many looks for it.

-- Entries of the audit trail that no link of the hash chain covers yet. Transactions end in another order
-- than their ids say, so "behind the last sealed one" would pass some over.
CREATE TABLE audit_unsealed (
    audit_id INTEGER NOT NULL PRIMARY KEY
) STRICT;
INSERT INTO audit_unsealed (audit_id) SELECT a.id FROM audit_entry a
WHERE NOT EXISTS (SELECT 1 FROM audit_seal s WHERE s.audit_id = a.id);
CREATE TRIGGER audit_entry_is_unsealed AFTER INSERT ON audit_entry BEGIN
    INSERT INTO audit_unsealed (audit_id) VALUES (NEW.id);
END;

-- Which server's worker does a task, and until when that holds without another word from it.
CREATE TABLE worker_lease (
    task TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    until TEXT NOT NULL
) STRICT;

-- Events are split and letters are handed over by two tasks; what waits for a courier is in nobody's way.
DROP INDEX outbox_by_due;
CREATE INDEX outbox_event_due ON outbox (next_at, id) WHERE status = 'pending' AND channel = 'event';
CREATE INDEX outbox_letter_due ON outbox (next_at, id) WHERE status = 'pending' AND channel <> 'event';
CREATE INDEX outbox_ended ON outbox (created_at) WHERE status <> 'pending';
CREATE INDEX outbox_secret ON outbox (expires_at) WHERE sealed IS NOT NULL;

CREATE INDEX login_failure_by_time ON login_failure (at);
CREATE INDEX one_time_code_by_expiry ON one_time_code (expires_at);
CREATE INDEX link_token_by_expiry ON link_token (expires_at);
CREATE INDEX reminder_by_due ON reminder (due_at);

-- Cancellation requests that an operator was asked to look at are not looked for again.
ALTER TABLE contract_request ADD COLUMN escalated_at TEXT;
CREATE INDEX contract_request_unanswered ON contract_request (created_at, id)
    WHERE kind = 'CC' AND status = 'P' AND escalated_at IS NULL;

CREATE INDEX announcement_untold ON announcement (starts_at, id)
    WHERE status = 'published' AND told_at IS NULL;
CREATE INDEX announcement_ending ON announcement (ends_at) WHERE status = 'published';
CREATE INDEX payout_pending ON payout (updated_at) WHERE status = 'pending';
CREATE INDEX payout_arriving ON payout (arrives_on) WHERE status = 'in_transit';
