-- What strangers can cause is bounded, on every server together.

-- Mails that somebody had sent to an address; the address itself is not kept, only its mark.
CREATE TABLE mail_allowance (
    recipient TEXT NOT NULL PRIMARY KEY,
    sent_now INTEGER NOT NULL CHECK (sent_now >= 1),
    now_ends_at TEXT NOT NULL,
    sent_today INTEGER NOT NULL CHECK (sent_today >= 1),
    day_ends_at TEXT NOT NULL
) STRICT;
CREATE INDEX mail_allowance_by_end ON mail_allowance (day_ends_at);

-- When the next attempt to log in to an account is answered: attempts queue.
CREATE TABLE login_turn (
    account TEXT NOT NULL PRIMARY KEY,
    next_at TEXT NOT NULL
) STRICT;
CREATE INDEX login_turn_by_time ON login_turn (next_at);

-- Wrong codes of a registration, over all the codes it was sent.
ALTER TABLE registration ADD COLUMN wrong_codes INTEGER NOT NULL DEFAULT 0;

-- From which network an edit of the privacy policy came that nobody vouched for.
ALTER TABLE privacy_policy_edit ADD COLUMN network TEXT;
CREATE INDEX privacy_policy_edit_by_network ON privacy_policy_edit (network, created_at);
CREATE INDEX privacy_policy_edit_by_time ON privacy_policy_edit (created_at);
