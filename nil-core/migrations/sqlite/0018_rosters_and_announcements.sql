-- Lists of athletes with an address of their own, and what operators announce.

-- The owner is a college, a brand or nobody; it is shown and gives no rights.
CREATE TABLE roster (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    slug TEXT NOT NULL CONSTRAINT roster_slug_key UNIQUE,
    college_id INTEGER REFERENCES college (id),
    partner_id INTEGER REFERENCES partner (id),
    published_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (college_id IS NULL OR partner_id IS NULL)
) STRICT;
CREATE INDEX roster_by_publication ON roster (published_at, id);
CREATE INDEX roster_by_college ON roster (college_id);
CREATE INDEX roster_by_partner ON roster (partner_id);

-- Places have gaps where somebody was taken off.
CREATE TABLE roster_athlete (
    roster_id INTEGER NOT NULL REFERENCES roster (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    place INTEGER NOT NULL CHECK (place >= 1),
    added_at TEXT NOT NULL,
    PRIMARY KEY (roster_id, athlete_id)
) STRICT;
CREATE INDEX roster_athlete_by_place ON roster_athlete (roster_id, place);
CREATE INDEX roster_athlete_by_athlete ON roster_athlete (athlete_id);

CREATE TABLE announcement_group (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CONSTRAINT announcement_group_name_key UNIQUE,
    audience TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

-- The audience is frozen when it is published. `told_user_id` and `told_portal_user_id` are the last
-- accounts that were told: they move in the transaction that writes the messages.
CREATE TABLE announcement (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    group_id INTEGER REFERENCES announcement_group (id),
    audience TEXT,
    status TEXT NOT NULL
        CHECK (status IN ('draft', 'scheduled', 'published', 'ended', 'withdrawn')),
    starts_at TEXT,
    ends_at TEXT,
    published_at TEXT,
    told INTEGER NOT NULL,
    told_user_id INTEGER NOT NULL,
    told_portal_user_id INTEGER NOT NULL,
    told_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status = 'draft' OR status = 'withdrawn' OR starts_at IS NOT NULL AND ends_at IS NOT NULL),
    CHECK (published_at IS NULL OR audience IS NOT NULL)
) STRICT;
CREATE INDEX announcement_by_status ON announcement (status, starts_at, id);
CREATE INDEX announcement_by_group ON announcement (group_id);
