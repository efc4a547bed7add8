-- The records behind each kind of user.

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

CREATE TABLE athlete_social (
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    platform TEXT NOT NULL,
    handle TEXT NOT NULL,
    followers INTEGER NOT NULL CHECK (followers >= 0),
    engagement_basis_points INTEGER,
    refreshed_at TEXT NOT NULL,
    PRIMARY KEY (athlete_id, platform)
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
    fee_basis_points INTEGER CHECK (fee_basis_points BETWEEN 0 AND 10000),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

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

CREATE TABLE representation (
    id INTEGER PRIMARY KEY,
    agent_id INTEGER NOT NULL REFERENCES agent (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    status TEXT NOT NULL CHECK (status IN ('invited', 'active', 'declined', 'expired', 'ended')),
    commission_basis_points INTEGER NOT NULL CHECK (commission_basis_points BETWEEN 0 AND 10000),
    invited_at TEXT NOT NULL,
    accepted_at TEXT,
    ended_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX representation_by_agent ON representation (agent_id, status, id);
CREATE INDEX representation_by_athlete ON representation (athlete_id, status, id);
CREATE UNIQUE INDEX representation_active_key ON representation (athlete_id) WHERE status = 'active';
