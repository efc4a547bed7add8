-- When `nil verify` last found nothing wrong.
ALTER TABLE installation ADD COLUMN verified_at TEXT;

-- Addresses that take no more messages: mails came back or were complained about, a number does not exist or its
-- owner has opted out. What an account cannot do without is sent all the same.
CREATE TABLE undeliverable (
    id INTEGER PRIMARY KEY,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'sms')),
    -- An e-mail in small letters, or a number.
    address TEXT NOT NULL,
    why TEXT NOT NULL CHECK (why IN ('bounced', 'complained', 'opted_out', 'no_such_number')),
    since TEXT NOT NULL,
    CONSTRAINT undeliverable_address_key UNIQUE (channel, address)
) STRICT;

-- Reports about messages that were heard: each counts once.
CREATE TABLE delivery_report (
    id TEXT NOT NULL PRIMARY KEY,
    received_at TEXT NOT NULL
) STRICT;
CREATE INDEX delivery_report_by_time ON delivery_report (received_at);
