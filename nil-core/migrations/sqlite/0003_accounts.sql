-- The records behind each kind of user, and agents' agreements with athletes.

CREATE TABLE athlete (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL CONSTRAINT athlete_user_key UNIQUE REFERENCES app_user (id),
    display_name TEXT NOT NULL,
    sport_id INTEGER REFERENCES sport (id),
    university_id INTEGER REFERENCES college (id),
    position TEXT,
    class_year TEXT CHECK (class_year IN ('freshman', 'sophomore', 'junior', 'senior', 'graduate')),
    jersey_number TEXT,
    gender TEXT,
    date_of_birth TEXT,
    hometown_city TEXT,
    hometown_state TEXT,
    bio TEXT,
    photo_url TEXT,
    tags TEXT NOT NULL,
    min_rate_cents INTEGER,
    available INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    share_slug TEXT NOT NULL CONSTRAINT athlete_share_slug_key UNIQUE,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX athlete_by_university ON athlete (university_id, id);
CREATE INDEX athlete_by_sport ON athlete (sport_id, id);
-- The pages of an institution's lists are read in the order of an index, after the last row of the page before.
CREATE INDEX athlete_of_university_by_name ON athlete (university_id, lower(display_name), id);
CREATE INDEX athlete_of_university_by_joining ON athlete (university_id, created_at, id);

CREATE TABLE athlete_social (
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    platform TEXT NOT NULL,
    handle TEXT NOT NULL,
    followers INTEGER NOT NULL CHECK (followers >= 0),
    engagement_basis_points INTEGER,
    refreshed_at TEXT NOT NULL,
    PRIMARY KEY (athlete_id, platform)
) STRICT;
CREATE INDEX athlete_social_by_platform ON athlete_social (platform, athlete_id);

-- What an athlete does for brands, and from which price on.
CREATE TABLE athlete_activity (
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    activity TEXT NOT NULL,
    min_price_cents INTEGER CHECK (min_price_cents >= 0),
    price_shown INTEGER NOT NULL,
    PRIMARY KEY (athlete_id, activity)
) STRICT;
CREATE INDEX athlete_activity_by_activity ON athlete_activity (activity, athlete_id);

-- Kept apart from the athlete's record: nobody but the athlete and the rules read it.
CREATE TABLE athlete_visa (
    athlete_id INTEGER NOT NULL PRIMARY KEY REFERENCES athlete (id),
    status TEXT NOT NULL CHECK (status IN ('none', 'f1', 'j1', 'other')),
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE guardian (
    athlete_id INTEGER NOT NULL PRIMARY KEY REFERENCES athlete (id),
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    consented_at TEXT,
    declined_at TEXT,
    address TEXT
) STRICT;

CREATE TABLE partner (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL CONSTRAINT partner_user_key UNIQUE REFERENCES app_user (id),
    company_name TEXT NOT NULL,
    business_category_id INTEGER REFERENCES business_category (id),
    website TEXT,
    about TEXT,
    logo_url TEXT,
    hq_city TEXT,
    hq_state TEXT,
    listed INTEGER NOT NULL,
    -- When it first had a job that an operator let go public, or a payment that succeeded. Until then links of its deals
    -- show a page that says where they lead.
    verified_at TEXT,
    fee_basis_points INTEGER CHECK (fee_basis_points BETWEEN 0 AND 10000),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

-- The universities a brand is associated with.
CREATE TABLE partner_university (
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    university_id INTEGER NOT NULL REFERENCES college (id),
    created_at TEXT NOT NULL,
    PRIMARY KEY (partner_id, university_id)
) STRICT;
CREATE INDEX partner_university_by_university ON partner_university (university_id, partner_id);

CREATE TABLE agent (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL CONSTRAINT agent_user_key UNIQUE REFERENCES app_user (id),
    agency_name TEXT NOT NULL,
    network_profile_url TEXT,
    certifications TEXT NOT NULL,
    terms_accepted_at TEXT,
    terms_version INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE fan (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL CONSTRAINT fan_user_key UNIQUE REFERENCES app_user (id),
    university_id INTEGER REFERENCES college (id),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE fan_follow (
    fan_id INTEGER NOT NULL REFERENCES fan (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    created_at TEXT NOT NULL,
    PRIMARY KEY (fan_id, athlete_id)
) STRICT;

-- An agency contract, from its invitation on. An invitation to an address belongs to nobody until its reader answers it.
CREATE TABLE representation (
    id INTEGER PRIMARY KEY,
    agent_id INTEGER NOT NULL REFERENCES agent (id),
    athlete_id INTEGER REFERENCES athlete (id),
    email TEXT,
    status TEXT NOT NULL CHECK (status IN ('invited', 'active', 'declined', 'expired', 'ended')),
    commission_basis_points INTEGER NOT NULL CHECK (commission_basis_points BETWEEN 0 AND 10000),
    message TEXT,
    invited_at TEXT NOT NULL,
    accepted_at TEXT,
    -- Until when the athlete can cancel the agency contract.
    cancellable_until TEXT,
    -- Until when money due to the agent waits; null if it does not wait.
    transfers_wait_until TEXT,
    ended_at TEXT,
    end_reason TEXT CHECK (end_reason IN ('athlete', 'agent', 'operator', 'cancelled_in_time')),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (athlete_id IS NOT NULL OR email IS NOT NULL),
    CHECK (athlete_id IS NOT NULL OR accepted_at IS NULL)
) STRICT;
CREATE INDEX representation_by_agent ON representation (agent_id, status, id);
CREATE INDEX representation_by_athlete ON representation (athlete_id, status, id);
CREATE INDEX representation_by_status ON representation (status, invited_at);
CREATE INDEX representation_by_email ON representation (email, status);
CREATE UNIQUE INDEX representation_active_key ON representation (athlete_id) WHERE status = 'active';
CREATE UNIQUE INDEX representation_invited_key ON representation (agent_id, athlete_id)
    WHERE status = 'invited' AND athlete_id IS NOT NULL;
CREATE UNIQUE INDEX representation_addressed_key ON representation (agent_id, email)
    WHERE status = 'invited' AND email IS NOT NULL;
CREATE INDEX representation_waiting ON representation (agent_id, transfers_wait_until)
    WHERE transfers_wait_until IS NOT NULL;

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

-- A list of athletes with an address of its own. The owner is a college, a brand or nobody; it is shown and gives no
-- rights.
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
