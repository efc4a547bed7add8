-- Accounts that were closed. Their personal data is erased when they close and, at `due_at`, once more: a request that
-- was under way when the account closed may have written some of it again. The machines of their records run again
-- then as well.
CREATE TABLE departure (
    user_id INTEGER NOT NULL PRIMARY KEY REFERENCES app_user (id),
    asked_by TEXT NOT NULL,
    reason TEXT,
    -- The person's names until then: messages that were on their way put them into notifications of others.
    names TEXT,
    left_at TEXT NOT NULL,
    due_at TEXT
) STRICT;
CREATE INDEX departure_due ON departure (due_at, user_id) WHERE due_at IS NOT NULL;

-- What an agent who leaves still has a share in.
CREATE INDEX contract_by_agent ON contract (agent_id, status, id) WHERE agent_id IS NOT NULL;
