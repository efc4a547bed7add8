-- Legal documents with titles, every edit of the open privacy policy, and what operators publish.

ALTER TABLE legal_document ADD COLUMN title TEXT;

-- An edit without a version is held until an operator puts it in force.
CREATE TABLE privacy_policy_edit (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    author TEXT NOT NULL,
    address TEXT,
    version INTEGER,
    created_at TEXT NOT NULL
) STRICT;

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
