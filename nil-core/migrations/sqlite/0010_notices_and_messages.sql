-- What people are told: outgoing messages, live activity, the in-app feed, preferences, reminders, announcements.

-- What is to be sent. An `event` row becomes one row per channel; a sealed body holds a secret.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    channel TEXT NOT NULL CHECK (channel IN ('event', 'email', 'sms', 'in_app')),
    recipient TEXT NOT NULL,
    address TEXT,
    event TEXT NOT NULL,
    -- What it is about, such as `announcement:7`: if that is withdrawn, messages that still wait are too.
    about TEXT,
    subject TEXT,
    body TEXT,
    sealed BLOB,
    data TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'sent', 'expanded', 'dead', 'withdrawn')),
    attempts INTEGER NOT NULL,
    next_at TEXT NOT NULL,
    -- When the wait for `next_at` began. One that began ahead of the clock was written before the clock was set back.
    waits_since TEXT,
    error TEXT,
    -- Why it left with the first text, the one that nil comes with: its template could not be used.
    fell_back TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT
) STRICT;
CREATE INDEX outbox_by_recipient ON outbox (recipient, channel, id);
-- A courier may carry mails and no text messages: what it does not carry waits, and is in nobody's way. One index serves
-- every channel.
CREATE INDEX outbox_due ON outbox (channel, next_at, id) WHERE status = 'pending';
CREATE INDEX outbox_ended ON outbox (created_at) WHERE status <> 'pending';
CREATE INDEX outbox_secret ON outbox (expires_at) WHERE sealed IS NOT NULL;
CREATE INDEX outbox_dead ON outbox (created_at) WHERE status = 'dead';
-- How many messages of an event left by a channel, and how many were given up: counted up to a limit.
CREATE INDEX outbox_outcome ON outbox (event, channel, status, created_at) WHERE status IN ('sent', 'dead');
CREATE INDEX outbox_about ON outbox (about) WHERE status = 'pending' AND about IS NOT NULL;
CREATE INDEX outbox_fell_back ON outbox (created_at) WHERE fell_back IS NOT NULL;

-- What a client polls and what wakes its live streams. Whoever writes to a feed changes its row first
-- and so holds it until the end: rows of one user's feed become visible in the order of their ids.
CREATE TABLE activity (
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    activity TEXT NOT NULL
        CHECK (activity IN ('messages', 'notifications', 'deals', 'jobs', 'payments')),
    token TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (user_id, activity)
) STRICT;

-- The in-app feed. An event's row in the outbox makes one, however often it is worked on.
CREATE TABLE notification (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    outbox_id INTEGER NOT NULL CONSTRAINT notification_outbox_key UNIQUE,
    event TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    data TEXT NOT NULL,
    read_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX notification_by_user ON notification (user_id, id);
CREATE INDEX notification_unread ON notification (user_id, id) WHERE read_at IS NULL;

-- What somebody has chosen; without a row the event's own defaults hold. Owners are named as the
-- outbox names its recipients.
CREATE TABLE notification_preference (
    owner TEXT NOT NULL,
    event TEXT NOT NULL,
    email INTEGER NOT NULL,
    sms INTEGER NOT NULL,
    in_app INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (owner, event)
) STRICT;

-- Everybody's own quiet hours.
CREATE TABLE quiet_hours (
    owner TEXT NOT NULL PRIMARY KEY,
    from_time TEXT NOT NULL,
    to_time TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    updated_at TEXT NOT NULL
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

-- Which approaching instants somebody was told of. A date that is moved is a new one.
CREATE TABLE reminder (
    event TEXT NOT NULL,
    subject_id INTEGER NOT NULL,
    due_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (event, subject_id, due_at)
) STRICT;
CREATE INDEX reminder_by_due ON reminder (due_at);

-- Steps of the tutorial that somebody has ticked off.
CREATE TABLE tutorial_step (
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    step TEXT NOT NULL,
    done_at TEXT NOT NULL,
    PRIMARY KEY (user_id, step)
) STRICT;

-- What institutions that want one mail a day or a week have not been told of yet.
CREATE TABLE digest_item (
    id INTEGER PRIMARY KEY,
    portal_user_id INTEGER NOT NULL REFERENCES portal_user (id),
    event TEXT NOT NULL,
    line TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX digest_item_by_reader ON digest_item (portal_user_id, created_at);

CREATE TABLE announcement_group (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CONSTRAINT announcement_group_name_key UNIQUE,
    audience TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;

-- What operators announce. The audience is frozen when it is published. `told_user_id` and `told_portal_user_id` are the
-- last accounts that were told: they move in the transaction that writes the messages.
CREATE TABLE announcement (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    group_id INTEGER REFERENCES announcement_group (id),
    audience TEXT,
    status TEXT NOT NULL
        CHECK (status IN ('draft', 'scheduled', 'published', 'ended', 'withdrawn')),
    starts_at TEXT,
    ends_at TEXT,
    published_at TEXT,
    told INTEGER NOT NULL,
    told_user_id INTEGER NOT NULL,
    told_portal_user_id INTEGER NOT NULL,
    told_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status = 'draft' OR status = 'withdrawn' OR starts_at IS NOT NULL AND ends_at IS NOT NULL),
    CHECK (published_at IS NULL OR audience IS NOT NULL)
) STRICT;
CREATE INDEX announcement_by_status ON announcement (status, starts_at, id);
CREATE INDEX announcement_by_group ON announcement (group_id);
CREATE INDEX announcement_untold ON announcement (starts_at, id)
    WHERE status = 'published' AND told_at IS NULL;
CREATE INDEX announcement_ending ON announcement (ends_at) WHERE status = 'published';

-- Conversations with their messages, and the athletes' assistant.

-- One per pair and deal; `topic` spells the pair and the deal out, so that both sides beginning at
-- once begin the same one: `users:3:17:job:5`, `users:3:17`, `support:3`.
CREATE TABLE conversation (
    id INTEGER PRIMARY KEY,
    topic TEXT NOT NULL CONSTRAINT conversation_topic_key UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('deal', 'representation', 'agency', 'support')),
    job_id INTEGER REFERENCES job (id),
    created_at TEXT NOT NULL
) STRICT;

-- Each message stays as it was written; only whether it is read and pinned changes. Without a
-- sender it comes from the operators.
CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    sender_id INTEGER REFERENCES app_user (id),
    text TEXT NOT NULL,
    file_ids TEXT NOT NULL,
    pinned_at TEXT,
    read_at TEXT,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX message_by_conversation ON message (conversation_id, id);
CREATE INDEX message_unread ON message (conversation_id, sender_id) WHERE read_at IS NULL;
CREATE INDEX message_pinned ON message (conversation_id) WHERE pinned_at IS NOT NULL;

-- A user's side of a conversation. `unread_count` is always the number of messages of the other side
-- without `read_at`. Without `other_id` the other side are the operators.
CREATE TABLE participant (
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    other_id INTEGER REFERENCES app_user (id),
    last_message_id INTEGER REFERENCES message (id),
    unread_count INTEGER NOT NULL CHECK (unread_count >= 0),
    active_at TEXT NOT NULL,
    PRIMARY KEY (conversation_id, user_id)
) STRICT;
CREATE INDEX participant_by_user
    ON participant (user_id, (unread_count > 0) DESC, active_at DESC, conversation_id DESC);
CREATE INDEX participant_in_support ON participant (active_at DESC, conversation_id DESC)
    WHERE other_id IS NULL;

-- A question to a brand that the assistant proposed or the athlete wrote.
CREATE TABLE clarification_draft (
    id INTEGER PRIMARY KEY,
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    job_id INTEGER NOT NULL REFERENCES job (id),
    brand_id INTEGER NOT NULL REFERENCES partner (id),
    draft_text TEXT NOT NULL,
    final_text TEXT,
    status TEXT NOT NULL CHECK (status IN ('pending', 'sent')),
    message_id INTEGER REFERENCES message (id),
    sent_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((status = 'sent') = (sent_at IS NOT NULL)),
    CHECK ((status = 'sent') = (message_id IS NOT NULL)),
    CHECK (status = 'sent' OR final_text IS NULL)
) STRICT;
CREATE INDEX clarification_draft_by_athlete ON clarification_draft (athlete_id, status, id);

-- What an athlete asked the assistant, and what it said.
CREATE TABLE assistant_message (
    id INTEGER PRIMARY KEY,
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    role TEXT NOT NULL CHECK (role IN ('athlete', 'assistant')),
    text TEXT NOT NULL,
    job_id INTEGER REFERENCES job (id),
    sources TEXT NOT NULL,
    draft_id INTEGER REFERENCES clarification_draft (id) ON DELETE SET NULL,
    model TEXT,
    read_at TEXT,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX assistant_message_by_athlete ON assistant_message (athlete_id, id);
CREATE INDEX assistant_message_unread ON assistant_message (athlete_id)
    WHERE role = 'assistant' AND read_at IS NULL;
CREATE INDEX assistant_message_by_draft ON assistant_message (draft_id)
    WHERE draft_id IS NOT NULL;

CREATE TABLE assistant_waitlist (
    athlete_id INTEGER NOT NULL PRIMARY KEY REFERENCES athlete (id),
    joined_at TEXT NOT NULL
) STRICT;
