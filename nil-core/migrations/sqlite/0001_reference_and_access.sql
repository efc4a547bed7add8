-- What everything refers to, who may come in, and what they did.

CREATE TABLE college (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    short_name TEXT NOT NULL,
    slug TEXT NOT NULL CONSTRAINT college_slug_key UNIQUE,
    conference TEXT,
    division TEXT NOT NULL CHECK (division IN ('D1', 'D2', 'D3', 'NAIA', 'NJCAA', 'other')),
    state TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    email_domains TEXT NOT NULL,
    listed INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX college_by_name ON college (name);

CREATE TABLE sport (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    slug TEXT NOT NULL CONSTRAINT sport_slug_key UNIQUE,
    active INTEGER NOT NULL,
    position INTEGER NOT NULL
) STRICT;

CREATE TABLE state (
    code TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

CREATE TABLE business_category (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    slug TEXT NOT NULL CONSTRAINT business_category_slug_key UNIQUE,
    sensitive INTEGER NOT NULL,
    active INTEGER NOT NULL,
    position INTEGER NOT NULL
) STRICT;

CREATE TABLE job_category (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    slug TEXT NOT NULL CONSTRAINT job_category_slug_key UNIQUE,
    sensitive INTEGER NOT NULL,
    active INTEGER NOT NULL,
    position INTEGER NOT NULL
) STRICT;

CREATE TABLE template (
    id INTEGER PRIMARY KEY,
    event TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'sms', 'in_app')),
    subject TEXT,
    body TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT template_event_channel_key UNIQUE (event, channel)
) STRICT;

CREATE TABLE legal_document (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    effective_at TEXT NOT NULL,
    CONSTRAINT legal_document_kind_version_key UNIQUE (kind, version)
) STRICT;

-- One row.
CREATE TABLE site (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    support_email TEXT NOT NULL,
    logo_url TEXT,
    fee_basis_points INTEGER NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 10000),
    job_approval INTEGER NOT NULL,
    feature_flags TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE app_user (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('athlete', 'partner', 'agent', 'fan')),
    email TEXT CONSTRAINT app_user_email_key UNIQUE,
    email_verified_at TEXT,
    password_hash TEXT,
    phone TEXT,
    first_name TEXT,
    last_name TEXT,
    status TEXT NOT NULL CHECK (status IN ('onboarding', 'active', 'suspended', 'deactivated')),
    onboarding_step TEXT,
    referral_code TEXT,
    last_login_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status <> 'active' OR (email IS NOT NULL AND password_hash IS NOT NULL))
) STRICT;
CREATE INDEX app_user_by_kind_status ON app_user (kind, status, id);

-- The token that carries a registration from step to step, and the steps done.
CREATE TABLE registration (
    user_id INTEGER NOT NULL PRIMARY KEY REFERENCES app_user (id),
    token_hash TEXT NOT NULL CONSTRAINT registration_token_key UNIQUE,
    completed TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;

CREATE TABLE portal_user (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL REFERENCES college (id),
    email TEXT NOT NULL CONSTRAINT portal_user_email_key UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'finance', 'officer', 'owner')),
    sport_ids TEXT,
    status TEXT NOT NULL CHECK (status IN ('invited', 'pending', 'active', 'disabled')),
    last_login_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status <> 'active' OR password_hash IS NOT NULL)
) STRICT;
CREATE INDEX portal_user_by_college ON portal_user (college_id, id);

CREATE TABLE operator (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL CONSTRAINT operator_email_key UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    permissions TEXT NOT NULL,
    active INTEGER NOT NULL,
    last_login_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

-- What makes a token or a cookie worth something. The id is the SHA-256 of the secret.
CREATE TABLE session (
    id TEXT NOT NULL PRIMARY KEY,
    audience TEXT NOT NULL CHECK (audience IN ('core', 'compliance', 'admin')),
    subject_id INTEGER,
    kind TEXT,
    profile_id INTEGER,
    created_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX session_by_subject ON session (audience, subject_id);
CREATE INDEX session_by_expiry ON session (expires_at);

CREATE TABLE one_time_code (
    purpose TEXT NOT NULL,
    subject_id INTEGER NOT NULL,
    mark TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (purpose, subject_id)
) STRICT;

CREATE TABLE link_token (
    purpose TEXT NOT NULL,
    subject_id INTEGER NOT NULL,
    token_hash TEXT NOT NULL CONSTRAINT link_token_hash_key UNIQUE,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (purpose, subject_id)
) STRICT;

-- Wrong passwords of the last minutes, by what was typed as the account.
CREATE TABLE login_failure (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX login_failure_by_account ON login_failure (account, at);

CREATE TABLE api_key (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key_hash TEXT NOT NULL CONSTRAINT api_key_hash_key UNIQUE,
    scopes TEXT NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT
) STRICT;

-- The first answer to a key, sealed; without an answer its request is still running.
CREATE TABLE idempotency (
    caller TEXT NOT NULL,
    key TEXT NOT NULL,
    operation TEXT NOT NULL,
    print TEXT NOT NULL,
    status INTEGER,
    answer BLOB,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    CONSTRAINT idempotency_pkey PRIMARY KEY (caller, key)
) STRICT;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);

-- Append-only.
CREATE TABLE audit_entry (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    operation TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id INTEGER NOT NULL,
    action TEXT NOT NULL,
    before TEXT,
    after TEXT,
    address TEXT,
    request_id TEXT NOT NULL
) STRICT;
CREATE INDEX audit_entry_by_subject ON audit_entry (subject_kind, subject_id, id);

-- The hash chain over the audit trail, in a sequence of its own.
CREATE TABLE audit_seal (
    position INTEGER NOT NULL PRIMARY KEY,
    audit_id INTEGER NOT NULL CONSTRAINT audit_seal_entry_key UNIQUE REFERENCES audit_entry (id),
    hash TEXT NOT NULL
) STRICT;

-- What is to be sent. An `event` row becomes one row per channel; a sealed body holds a secret.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    channel TEXT NOT NULL CHECK (channel IN ('event', 'email', 'sms', 'in_app')),
    recipient TEXT NOT NULL,
    address TEXT,
    event TEXT NOT NULL,
    subject TEXT,
    body TEXT,
    sealed BLOB,
    data TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'sent', 'expanded', 'dead')),
    attempts INTEGER NOT NULL,
    next_at TEXT NOT NULL,
    error TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT
) STRICT;
CREATE INDEX outbox_by_due ON outbox (status, next_at);
CREATE INDEX outbox_by_recipient ON outbox (recipient, channel, id);
