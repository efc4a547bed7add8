-- Two-step log-in of operators: a secret shared with an authenticator app, encrypted; on from `totp_on_at`.
-- `totp_step` is the time step of the last code used, because a code works once.

ALTER TABLE operator ADD COLUMN totp_secret BYTEA;
ALTER TABLE operator ADD COLUMN totp_on_at TIMESTAMPTZ CHECK (totp_on_at IS NULL OR totp_secret IS NOT NULL);
ALTER TABLE operator ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0 CHECK (totp_step >= 0);
ALTER TABLE operator ADD COLUMN totp_failures BIGINT NOT NULL DEFAULT 0 CHECK (totp_failures >= 0);

-- Recovery codes that are not used yet. The hash is the SHA-256 of the code.
CREATE TABLE operator_recovery_code (
    operator_id BIGINT NOT NULL REFERENCES operator (id),
    hash TEXT NOT NULL,
    PRIMARY KEY (operator_id, hash)
);

-- The address that opened an operator's session.
ALTER TABLE session ADD COLUMN address TEXT;
