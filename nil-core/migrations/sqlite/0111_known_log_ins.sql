-- The networks from which an account logged in, as keyed marks: attempts from there do not wait behind those of strangers.
CREATE TABLE known_log_in (
    account TEXT NOT NULL,
    network TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    PRIMARY KEY (account, network)
) STRICT;
CREATE INDEX known_log_in_by_time ON known_log_in (seen_at);
