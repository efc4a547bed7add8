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
