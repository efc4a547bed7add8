-- Who may be hired, one row per wanted value: what searches ask for. A job's own column says the same.

CREATE TABLE job_condition (
    job_id BIGINT NOT NULL REFERENCES job (id),
    kind TEXT NOT NULL CHECK (kind IN ('sport', 'university', 'gender', 'state', 'class_year',
        'min_followers')),
    value TEXT NOT NULL,
    number BIGINT,
    PRIMARY KEY (job_id, kind, value)
);
