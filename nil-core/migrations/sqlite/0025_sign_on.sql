-- Officers and operators sign on through an identity provider that speaks OpenID Connect.

-- The mail domains of an institution, one row each, in small letters. Triggers keep them equal to `college.email_domains`.
CREATE TABLE college_domain (
    college_id INTEGER NOT NULL REFERENCES college (id) ON DELETE CASCADE,
    domain TEXT NOT NULL,
    PRIMARY KEY (domain, college_id)
) STRICT;
CREATE INDEX college_domain_by_college ON college_domain (college_id);
CREATE TRIGGER college_domains_made AFTER INSERT ON college
BEGIN
    DELETE FROM college_domain WHERE college_id = NEW.id;
    INSERT INTO college_domain (college_id, domain)
    SELECT DISTINCT NEW.id, lower(ltrim(trim(d.value), '@.')) FROM json_each(NEW.email_domains) AS d WHERE ltrim(trim(d.value), '@.') <> '';
END;
CREATE TRIGGER college_domains_changed AFTER UPDATE OF email_domains ON college
WHEN OLD.email_domains IS NOT NEW.email_domains
BEGIN
    DELETE FROM college_domain WHERE college_id = NEW.id;
    INSERT INTO college_domain (college_id, domain)
    SELECT DISTINCT NEW.id, lower(ltrim(trim(d.value), '@.')) FROM json_each(NEW.email_domains) AS d WHERE ltrim(trim(d.value), '@.') <> '';
END;
INSERT INTO college_domain (college_id, domain)
SELECT DISTINCT c.id, lower(ltrim(trim(d.value), '@.'))
FROM college c, json_each(c.email_domains) AS d WHERE ltrim(trim(d.value), '@.') <> '';

-- An institution's identity provider. The client's secret is sealed.
CREATE TABLE sign_on_provider (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL CONSTRAINT sign_on_provider_college_key UNIQUE REFERENCES college (id),
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    sealed_secret BLOB NOT NULL,
    -- The claim with what a person is at the institution, and the role that each of its values gives.
    role_claim TEXT NOT NULL,
    roles TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    -- Whether officers of the institution may log in with a password as well.
    passwords INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (enabled OR passwords)
) STRICT;
CREATE INDEX sign_on_provider_by_issuer ON sign_on_provider (issuer);

-- Sign-ons that a browser has begun. Without a provider it is an operator's.
CREATE TABLE sign_on_start (
    state_hash TEXT NOT NULL PRIMARY KEY,
    provider_id INTEGER REFERENCES sign_on_provider (id) ON DELETE CASCADE,
    browser_hash TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX sign_on_start_by_provider ON sign_on_start (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX sign_on_start_by_expiry ON sign_on_start (expires_at);

-- Whom a provider knows under which name. It is the name that counts, never the e-mail.
CREATE TABLE sign_on_identity (
    id INTEGER PRIMARY KEY,
    provider_id INTEGER REFERENCES sign_on_provider (id) ON DELETE CASCADE,
    portal_user_id INTEGER REFERENCES portal_user (id),
    operator_id INTEGER REFERENCES operator (id),
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    CHECK ((provider_id IS NULL) = (portal_user_id IS NULL)),
    CHECK ((portal_user_id IS NULL) <> (operator_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX sign_on_identity_of_officer ON sign_on_identity (provider_id, subject) WHERE provider_id IS NOT NULL;
CREATE UNIQUE INDEX sign_on_identity_of_operator ON sign_on_identity (issuer, subject) WHERE provider_id IS NULL;
CREATE INDEX sign_on_identity_by_officer ON sign_on_identity (portal_user_id) WHERE portal_user_id IS NOT NULL;
CREATE INDEX sign_on_identity_by_operator ON sign_on_identity (operator_id) WHERE operator_id IS NOT NULL;

-- Messages of providers that end sessions; each counts once.
CREATE TABLE sign_on_log_out (
    token_hash TEXT NOT NULL PRIMARY KEY,
    expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX sign_on_log_out_by_expiry ON sign_on_log_out (expires_at);

-- Through which identity a session was opened, and the name of the provider's own session.
ALTER TABLE session ADD COLUMN sign_on_identity_id INTEGER REFERENCES sign_on_identity (id) ON DELETE CASCADE;
ALTER TABLE session ADD COLUMN sign_on_sid TEXT;
CREATE INDEX session_by_identity ON session (sign_on_identity_id) WHERE sign_on_identity_id IS NOT NULL;
