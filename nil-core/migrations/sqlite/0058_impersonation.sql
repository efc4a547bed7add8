-- Operators who act as an account: who, as whom, why, for how long, and how many calls they made. Rows are kept.
-- `operator_session` is the operator's own session, with which it ends; empty if it was started on the host.
CREATE TABLE impersonation (
    id INTEGER PRIMARY KEY,
    operator_id INTEGER NOT NULL REFERENCES operator (id),
    operator_session TEXT,
    user_id INTEGER REFERENCES app_user (id),
    portal_user_id INTEGER REFERENCES portal_user (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('support', 'fault', 'abuse_investigation')),
    reason TEXT NOT NULL,
    address TEXT,
    calls INTEGER NOT NULL DEFAULT 0 CHECK (calls >= 0),
    started_at TEXT NOT NULL,
    expires_at TEXT NOT NULL CHECK (expires_at > started_at),
    ended_at TEXT,
    CHECK ((user_id IS NULL) <> (portal_user_id IS NULL))
) STRICT;
CREATE INDEX impersonation_by_operator ON impersonation (operator_id, id);
CREATE INDEX impersonation_by_user ON impersonation (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX impersonation_by_portal_user ON impersonation (portal_user_id, id)
    WHERE portal_user_id IS NOT NULL;
-- Those that may still run.
CREATE INDEX impersonation_by_end ON impersonation (expires_at);

-- The session of an impersonation; empty for the account's own.
ALTER TABLE session ADD COLUMN impersonation_id INTEGER REFERENCES impersonation (id);
CREATE INDEX session_by_impersonation ON session (impersonation_id) WHERE impersonation_id IS NOT NULL;
