-- Two-step log-in of portal users, as operators have it (0002): a secret shared with an authenticator app, encrypted;
-- on from `totp_on_at`. `totp_step` is the time step of the last code used, because a code works once.
ALTER TABLE portal_user ADD COLUMN totp_secret BLOB;
ALTER TABLE portal_user ADD COLUMN totp_on_at TEXT CHECK (totp_on_at IS NULL OR totp_secret IS NOT NULL);
ALTER TABLE portal_user ADD COLUMN totp_step INTEGER NOT NULL DEFAULT 0 CHECK (totp_step >= 0);
ALTER TABLE portal_user ADD COLUMN totp_failures INTEGER NOT NULL DEFAULT 0 CHECK (totp_failures >= 0);

-- Recovery codes that are not used yet. The hash is a keyed mark of the code.
CREATE TABLE portal_recovery_code (
    portal_user_id INTEGER NOT NULL REFERENCES portal_user (id),
    hash TEXT NOT NULL,
    PRIMARY KEY (portal_user_id, hash)
) STRICT, WITHOUT ROWID;
