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

-- A new database gets its templates when it is filled; one that is in use gets the new one here.
INSERT INTO template (event, channel, subject, body, enabled, updated_at)
SELECT 'message.copied', 'email', 'A message of {{athlete_name}} on {{site_name}}',
    'Hi {{first_name}},

{{athlete_name}} is under 18, so you get a copy of every message. {{sender_name}} wrote to {{recipient_name}}:

{{text}}

{{site_name}}', 1, updated_at FROM site;
