-- Who may come in, and what they did.

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
-- The dashboard reads the last thirty days.
CREATE INDEX app_user_by_created ON app_user (created_at, kind, status);

-- The token that carries a registration from step to step, and the steps done.
CREATE TABLE registration (
    user_id INTEGER NOT NULL PRIMARY KEY REFERENCES app_user (id),
    token_hash TEXT NOT NULL CONSTRAINT registration_token_key UNIQUE,
    completed TEXT NOT NULL,
    -- Wrong codes, over all the codes that were sent.
    wrong_codes INTEGER NOT NULL DEFAULT 0,
    expires_at TEXT NOT NULL
) STRICT;
-- Registrations whose time is over are looked for by their time.
CREATE INDEX registration_by_expiry ON registration (expires_at, user_id);

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
CREATE INDEX portal_user_pending ON portal_user (created_at) WHERE status = 'pending';

-- Who has asked for access to an institution's portal and has not shown yet that the e-mail is theirs:
-- nobody sees them. Without a password hash the e-mail belonged to a portal user already, and nothing comes of it.
CREATE TABLE portal_registration (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL REFERENCES college (id),
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    password_hash TEXT,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'finance', 'officer', 'owner')),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX portal_registration_by_email ON portal_registration (email, expires_at);
CREATE INDEX portal_registration_by_expiry ON portal_registration (expires_at);

CREATE TABLE operator (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL CONSTRAINT operator_email_key UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    -- A password that somebody else has seen logs in once, to be replaced: `unused` before that, `used` after it, null
    -- for a password of the operator's own.
    one_time_password TEXT CHECK (one_time_password IN ('unused', 'used')),
    -- Two-step log-in: a secret shared with an authenticator app, encrypted; on from `totp_on_at`. `totp_step` is the
    -- time step of the last code used, because a code works once.
    totp_secret BLOB,
    totp_on_at TEXT CHECK (totp_on_at IS NULL OR totp_secret IS NOT NULL),
    totp_step INTEGER NOT NULL DEFAULT 0 CHECK (totp_step >= 0),
    totp_failures INTEGER NOT NULL DEFAULT 0 CHECK (totp_failures >= 0),
    permissions TEXT NOT NULL,
    active INTEGER NOT NULL,
    last_login_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

-- Recovery codes that are not used yet. The hash is the SHA-256 of the code.
CREATE TABLE operator_recovery_code (
    operator_id INTEGER NOT NULL REFERENCES operator (id),
    hash TEXT NOT NULL,
    PRIMARY KEY (operator_id, hash)
) STRICT, WITHOUT ROWID;

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

-- What makes a token or a cookie worth something. The id is the SHA-256 of the secret.
CREATE TABLE session (
    id TEXT NOT NULL PRIMARY KEY,
    audience TEXT NOT NULL CHECK (audience IN ('core', 'compliance', 'admin')),
    subject_id INTEGER,
    kind TEXT,
    profile_id INTEGER,
    -- The impersonation that it belongs to; empty for the account's own.
    impersonation_id INTEGER REFERENCES impersonation (id),
    -- The address that opened an operator's session.
    address TEXT,
    created_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX session_by_subject ON session (audience, subject_id);
CREATE INDEX session_by_expiry ON session (expires_at);
CREATE INDEX session_by_impersonation ON session (impersonation_id) WHERE impersonation_id IS NOT NULL;

CREATE TABLE one_time_code (
    purpose TEXT NOT NULL,
    subject_id INTEGER NOT NULL,
    mark TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (purpose, subject_id)
) STRICT;
CREATE INDEX one_time_code_by_expiry ON one_time_code (expires_at);

CREATE TABLE link_token (
    purpose TEXT NOT NULL,
    subject_id INTEGER NOT NULL,
    token_hash TEXT NOT NULL CONSTRAINT link_token_hash_key UNIQUE,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (purpose, subject_id)
) STRICT;
CREATE INDEX link_token_by_expiry ON link_token (expires_at);

-- Wrong passwords of the last minutes, by what was typed as the account.
CREATE TABLE login_failure (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX login_failure_by_account ON login_failure (account, at);
CREATE INDEX login_failure_by_time ON login_failure (at);

-- When the next attempt to log in to an account is answered: attempts queue.
CREATE TABLE login_turn (
    account TEXT NOT NULL PRIMARY KEY,
    next_at TEXT NOT NULL
) STRICT;
CREATE INDEX login_turn_by_time ON login_turn (next_at);

-- The networks from which an account logged in, as keyed marks: attempts from there do not wait behind those of strangers.
CREATE TABLE known_log_in (
    account TEXT NOT NULL,
    network TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    PRIMARY KEY (account, network)
) STRICT;
CREATE INDEX known_log_in_by_time ON known_log_in (seen_at);

-- Mails that somebody had sent to an address; the address itself is not kept, only its mark.
CREATE TABLE mail_allowance (
    recipient TEXT NOT NULL PRIMARY KEY,
    sent_now INTEGER NOT NULL CHECK (sent_now >= 1),
    now_ends_at TEXT NOT NULL,
    sent_today INTEGER NOT NULL CHECK (sent_today >= 1),
    day_ends_at TEXT NOT NULL
) STRICT;
CREATE INDEX mail_allowance_by_end ON mail_allowance (day_ends_at);

CREATE TABLE api_key (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key_hash TEXT NOT NULL CONSTRAINT api_key_hash_key UNIQUE,
    scopes TEXT NOT NULL,
    created_at TEXT NOT NULL,
    -- When it last let somebody in, to the hour: a key that nobody uses can be revoked.
    last_used_at TEXT,
    revoked_at TEXT
) STRICT;

-- Nonces of signed requests, remembered for as long as the request could be said again.
CREATE TABLE used_nonce (
    api_key_id INTEGER NOT NULL REFERENCES api_key (id),
    nonce TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (api_key_id, nonce)
) STRICT;
CREATE INDEX used_nonce_by_expiry ON used_nonce (expires_at);

-- The first answer to a key, sealed; without an answer its request is still running.
CREATE TABLE idempotency (
    caller TEXT NOT NULL,
    key TEXT NOT NULL,
    operation TEXT NOT NULL,
    print TEXT NOT NULL,
    -- The record that a key without an answer waits for, such as payout:7: whoever ends it answers every key that waits
    -- for it, and never a key that has come with another request meanwhile.
    about TEXT,
    status INTEGER,
    answer BLOB,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    CONSTRAINT idempotency_pkey PRIMARY KEY (caller, key)
) STRICT;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);
CREATE INDEX idempotency_by_record ON idempotency (about) WHERE answer IS NULL;

-- Append-only.
CREATE TABLE audit_entry (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    -- Whom the actor acted for, such as `athlete:3`.
    on_behalf_of TEXT,
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
-- What an institution's own people did.
CREATE INDEX audit_entry_by_portal_user ON audit_entry (actor, id) WHERE actor LIKE 'portal_user:%';
-- Operators search the audit trail by days.
CREATE INDEX audit_entry_by_time ON audit_entry (at, id);

-- The hash chain over the audit trail, in a sequence of its own.
CREATE TABLE audit_seal (
    position INTEGER NOT NULL PRIMARY KEY,
    audit_id INTEGER NOT NULL CONSTRAINT audit_seal_entry_key UNIQUE REFERENCES audit_entry (id),
    hash TEXT NOT NULL
) STRICT;

-- Entries of the audit trail that no link of the hash chain covers yet. Transactions end in another order
-- than their ids say, so "behind the last sealed one" would pass some over.
CREATE TABLE audit_unsealed (
    audit_id INTEGER NOT NULL PRIMARY KEY
) STRICT;

CREATE TRIGGER audit_entry_is_unsealed AFTER INSERT ON audit_entry BEGIN
    INSERT INTO audit_unsealed (audit_id) VALUES (NEW.id);
END;

-- Accounts that were closed. Their personal data is erased when they close and, at `due_at`, once more: a request that
-- was under way when the account closed may have written some of it again. The machines of their records run again then
-- as well.
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
