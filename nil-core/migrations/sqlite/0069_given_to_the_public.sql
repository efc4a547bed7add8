-- What institutions give to the public: the fewest athletes that a published figure stands for, requests for public
-- records, and every file that was handed out for one.
ALTER TABLE college_setting ADD COLUMN smallest_group INTEGER NOT NULL DEFAULT 5
    CHECK (smallest_group BETWEEN 5 AND 100);

CREATE TABLE public_records_request (
    id INTEGER PRIMARY KEY,
    college_id INTEGER NOT NULL REFERENCES college (id),
    requester TEXT NOT NULL,
    legal_basis TEXT NOT NULL,
    received_on TEXT NOT NULL,
    from_on TEXT,
    to_on TEXT,
    noted_by INTEGER NOT NULL REFERENCES portal_user (id),
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX public_records_request_by_college ON public_records_request (college_id, id);

-- One row for each file: begun when its first bytes are sent, completed before its last ones are.
CREATE TABLE public_records_disclosure (
    id INTEGER PRIMARY KEY,
    request_id INTEGER NOT NULL REFERENCES public_records_request (id),
    file_name TEXT NOT NULL,
    smallest_group INTEGER NOT NULL,
    handed_out_by INTEGER NOT NULL REFERENCES portal_user (id),
    created_at TEXT NOT NULL,
    completed_at TEXT,
    contracts INTEGER,
    transactions INTEGER,
    bytes INTEGER,
    sha256 TEXT,
    CHECK ((completed_at IS NULL) = (sha256 IS NULL))
) STRICT;
CREATE INDEX public_records_disclosure_by_request ON public_records_disclosure (request_id, id);
