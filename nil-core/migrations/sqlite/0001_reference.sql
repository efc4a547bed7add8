-- What everything refers to: institutions, sports, categories, the site's settings, and the texts that operators keep.

CREATE TABLE college (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    short_name TEXT NOT NULL,
    slug TEXT NOT NULL CONSTRAINT college_slug_key UNIQUE,
    conference TEXT,
    division TEXT NOT NULL CHECK (division IN ('D1', 'D2', 'D3', 'NAIA', 'NJCAA', 'other')),
    -- From which days on it takes part in what the clearinghouse asks of its division, and from which it does not.
    participation TEXT NOT NULL DEFAULT '[]',
    state TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    email_domains TEXT NOT NULL,
    listed INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX college_by_name ON college (name);

CREATE TABLE sport (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    slug TEXT NOT NULL CONSTRAINT sport_slug_key UNIQUE,
    active INTEGER NOT NULL,
    position INTEGER NOT NULL
) STRICT;

CREATE TABLE state (
    code TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

CREATE TABLE business_category (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    slug TEXT NOT NULL CONSTRAINT business_category_slug_key UNIQUE,
    sensitive INTEGER NOT NULL,
    active INTEGER NOT NULL,
    position INTEGER NOT NULL
) STRICT;

CREATE TABLE job_category (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    slug TEXT NOT NULL CONSTRAINT job_category_slug_key UNIQUE,
    sensitive INTEGER NOT NULL,
    active INTEGER NOT NULL,
    position INTEGER NOT NULL
) STRICT;

-- One row.
CREATE TABLE site (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    support_email TEXT NOT NULL,
    -- The sender of mails, if it is not the configured one.
    sender_name TEXT,
    sender_email TEXT,
    logo_url TEXT,
    favicon_url TEXT,
    fee_basis_points INTEGER NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 10000),
    -- Cash below a dollar was nearly always meant in dollars. Operators change it.
    least_amount_cents INTEGER NOT NULL DEFAULT 100 CHECK (least_amount_cents >= 0),
    job_approval INTEGER NOT NULL,
    -- How many days after its charge a subscription's invoice can be refunded in full.
    subscription_refund_days INTEGER NOT NULL DEFAULT 30
        CHECK (subscription_refund_days BETWEEN 0 AND 366),
    -- Whether payouts wait for a tax form.
    hold_payouts_for_tax_form INTEGER NOT NULL DEFAULT 0,
    -- Whether a share of sales counts when it is received, or with its maximum when the deal is signed.
    contingent_pay TEXT NOT NULL DEFAULT 'received' CHECK (contingent_pay IN ('received', 'maximum')),
    -- Whether a brand that does not attest in time counts as associated.
    presume_associated INTEGER NOT NULL DEFAULT 0,
    feature_flags TEXT NOT NULL,
    -- A mark of the secret key of the first server that opened the database: another key would open nothing that is
    -- sealed in it.
    key_mark TEXT,
    updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE template (
    id INTEGER PRIMARY KEY,
    event TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'sms', 'in_app')),
    subject TEXT,
    body TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    updated_at TEXT NOT NULL,
    CONSTRAINT template_event_channel_key UNIQUE (event, channel)
) STRICT;

-- The texts of templates that operators replaced.
CREATE TABLE template_version (
    template_id INTEGER NOT NULL REFERENCES template (id),
    version INTEGER NOT NULL CHECK (version >= 1),
    subject TEXT,
    body TEXT NOT NULL,
    -- When it was replaced, and by which operator.
    replaced_at TEXT NOT NULL,
    replaced_by INTEGER NOT NULL,
    PRIMARY KEY (template_id, version)
) STRICT;

CREATE TABLE legal_document (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    title TEXT,
    body TEXT NOT NULL,
    effective_at TEXT NOT NULL,
    CONSTRAINT legal_document_kind_version_key UNIQUE (kind, version)
) STRICT;

-- Every edit of the open privacy policy. One without a version is held until an operator puts it in force.
CREATE TABLE privacy_policy_edit (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    author TEXT NOT NULL,
    address TEXT,
    -- From which network it came, if nobody vouched for it.
    network TEXT,
    version INTEGER,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX privacy_policy_edit_by_network ON privacy_policy_edit (network, created_at);
CREATE INDEX privacy_policy_edit_by_time ON privacy_policy_edit (created_at);

-- What operators publish.
CREATE TABLE publication (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('blog_post', 'faq', 'testimonial', 'custom_page')),
    audience TEXT,
    slug TEXT,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    byline TEXT,
    image_url TEXT,
    position INTEGER NOT NULL,
    published_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT publication_kind_slug_key UNIQUE (kind, slug)
) STRICT;
CREATE INDEX publication_by_kind ON publication (kind, position, published_at, id);

-- Contract and payment numbers run by year without gaps in their row locks.
CREATE TABLE numbering (
    series TEXT NOT NULL PRIMARY KEY,
    last INTEGER NOT NULL
) STRICT;

-- Which server's worker does a task, and until when that holds without another word from it.
CREATE TABLE worker_lease (
    task TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    until TEXT NOT NULL
) STRICT;
