-- Affiliate links and the sales they bring about, the devices push messages go to, the tutorial, and
-- everybody's own quiet hours.

-- The terms of the contract's commission are copied when the link is made; contracts never change them.
CREATE TABLE affiliate_link (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL CONSTRAINT affiliate_link_code_key UNIQUE,
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    target_url TEXT NOT NULL,
    label TEXT,
    active INTEGER NOT NULL,
    rate_basis_points INTEGER NOT NULL CHECK (rate_basis_points BETWEEN 1 AND 10000),
    most_cents INTEGER NOT NULL CHECK (most_cents >= 0),
    -- How often it was followed; by whom is not kept.
    clicks INTEGER NOT NULL CHECK (clicks >= 0),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX affiliate_link_by_contract ON affiliate_link (contract_id, id);

-- A sale: what the brand owes for it. It is paid by payments, which may share it.
CREATE TABLE affiliate_conversion (
    id INTEGER PRIMARY KEY,
    link_id INTEGER NOT NULL REFERENCES affiliate_link (id),
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    order_reference TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    commission_cents INTEGER NOT NULL CHECK (commission_cents >= 0),
    created_at TEXT NOT NULL,
    -- The same order reported twice counts once.
    CONSTRAINT affiliate_conversion_order_key UNIQUE (link_id, order_reference)
) STRICT;
CREATE INDEX affiliate_conversion_by_contract ON affiliate_conversion (contract_id, id);

-- Which sale's commission a payment settles, and with how much.
CREATE TABLE commission_share (
    payment_id INTEGER NOT NULL REFERENCES payment (id),
    conversion_id INTEGER NOT NULL REFERENCES affiliate_conversion (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    PRIMARY KEY (payment_id, conversion_id)
) STRICT;
CREATE INDEX commission_share_by_conversion ON commission_share (conversion_id);

-- The days on which the worker has settled a contract's commission, or tried to: once a day.
CREATE TABLE commission_settlement (
    contract_id INTEGER NOT NULL REFERENCES contract (id),
    day TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (contract_id, day)
) STRICT;

-- Where push messages could be sent. The token is sealed; the mark finds it again.
CREATE TABLE device_token (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    -- The stored name of the session that gave it.
    session TEXT NOT NULL,
    platform TEXT NOT NULL CHECK (platform IN ('ios', 'android', 'web')),
    name TEXT,
    token_mark TEXT NOT NULL CONSTRAINT device_token_mark_key UNIQUE,
    sealed_token BLOB NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX device_token_by_user ON device_token (user_id, updated_at);

-- Steps of the tutorial that somebody has ticked off.
CREATE TABLE tutorial_step (
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    step TEXT NOT NULL,
    done_at TEXT NOT NULL,
    PRIMARY KEY (user_id, step)
) STRICT;

CREATE TABLE quiet_hours (
    owner TEXT NOT NULL PRIMARY KEY,
    from_time TEXT NOT NULL,
    to_time TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
