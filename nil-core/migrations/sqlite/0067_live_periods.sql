-- Published posts that must stay up: one row for each address of approved work, and one for each day it was looked at.

CREATE TABLE watched_post (
    id INTEGER PRIMARY KEY,
    deliverable_id INTEGER NOT NULL REFERENCES deliverable (id),
    url TEXT NOT NULL,
    live_until TEXT NOT NULL,
    -- What the last check found, and why.
    outcome TEXT NOT NULL CHECK (outcome IN ('live', 'gone', 'undisclosed', 'unchecked')),
    reason TEXT,
    checked_at TEXT,
    -- When it was last seen in place.
    seen_at TEXT,
    -- What brand and athlete know: the last finding that was one.
    told TEXT NOT NULL CHECK (told IN ('live', 'gone', 'undisclosed')),
    -- When it is looked at next; null after its live period.
    look_at TEXT,
    -- How many looks in a row got no answer.
    misses INTEGER NOT NULL CHECK (misses >= 0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT watched_post_key UNIQUE (deliverable_id, url)
) STRICT;
CREATE INDEX watched_post_by_look ON watched_post (look_at, id) WHERE look_at IS NOT NULL;

CREATE TABLE post_check (
    post_id INTEGER NOT NULL REFERENCES watched_post (id),
    day TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('live', 'gone', 'undisclosed', 'unchecked')),
    reason TEXT,
    at TEXT NOT NULL,
    PRIMARY KEY (post_id, day)
) STRICT;
