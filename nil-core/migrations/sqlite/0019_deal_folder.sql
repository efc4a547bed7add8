-- The folder of a deal: what either party puts there, and uploads on their way to it.

-- An upload that was announced: the address it was given takes its bytes once.
CREATE TABLE direct_upload (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    job_id INTEGER NOT NULL REFERENCES job (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL CHECK (size >= 1),
    note TEXT,
    status TEXT NOT NULL CHECK (status IN ('created', 'received', 'completed', 'expired')),
    file_id INTEGER REFERENCES stored_file (id),
    expires_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (status NOT IN ('received', 'completed') OR file_id IS NOT NULL)
) STRICT;
CREATE INDEX direct_upload_by_user ON direct_upload (user_id);
CREATE INDEX direct_upload_by_deal ON direct_upload (job_id, athlete_id);
CREATE INDEX direct_upload_by_athlete ON direct_upload (athlete_id);
CREATE INDEX direct_upload_by_file ON direct_upload (file_id);
CREATE INDEX direct_upload_by_expiry ON direct_upload (status, expires_at);

CREATE TABLE deal_file (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    athlete_id INTEGER NOT NULL REFERENCES athlete (id),
    file_id INTEGER NOT NULL CONSTRAINT deal_file_file UNIQUE REFERENCES stored_file (id),
    user_id INTEGER NOT NULL REFERENCES app_user (id),
    upload_id INTEGER CONSTRAINT deal_file_upload UNIQUE REFERENCES direct_upload (id),
    note TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX deal_file_by_deal ON deal_file (job_id, athlete_id, id);
CREATE INDEX deal_file_by_athlete ON deal_file (athlete_id);
CREATE INDEX deal_file_by_user ON deal_file (user_id);
