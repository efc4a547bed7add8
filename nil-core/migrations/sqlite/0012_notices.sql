-- What people are told: live activity, the in-app feed, preferences, reminders.

-- What a client polls and what wakes its live streams. Whoever writes to a feed changes its row first
-- and so holds it until the end: rows of one user's feed become visible in the order of their ids.
CREATE TABLE activity (
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    activity TEXT NOT NULL
        CHECK (activity IN ('messages', 'notifications', 'deals', 'jobs', 'payments')),
    token TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (user_id, activity)
) STRICT;

-- The in-app feed. An event's row in the outbox makes one, however often it is worked on.
CREATE TABLE notification (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    outbox_id INTEGER NOT NULL CONSTRAINT notification_outbox_key UNIQUE,
    event TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    data TEXT NOT NULL,
    read_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX notification_by_user ON notification (user_id, id);
CREATE INDEX notification_unread ON notification (user_id, id) WHERE read_at IS NULL;

-- What somebody has chosen; without a row the event's own defaults hold. Owners are named as the
-- outbox names its recipients.
CREATE TABLE notification_preference (
    owner TEXT NOT NULL,
    event TEXT NOT NULL,
    email INTEGER NOT NULL,
    sms INTEGER NOT NULL,
    in_app INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (owner, event)
) STRICT;

-- Which approaching instants somebody was told of. A date that is moved is a new one.
CREATE TABLE reminder (
    event TEXT NOT NULL,
    subject_id INTEGER NOT NULL,
    due_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (event, subject_id, due_at)
) STRICT;
