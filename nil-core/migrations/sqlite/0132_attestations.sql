-- Brands are asked whether they are associated with the institution of a contract that goes to the
-- clearinghouse, and what they answered.
CREATE TABLE payor_attestation (
    clearance_id INTEGER NOT NULL PRIMARY KEY REFERENCES clearance (id),
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    asked_at TEXT NOT NULL,
    due_at TEXT NOT NULL,
    attested_at TEXT,
    answers TEXT,
    CHECK ((attested_at IS NULL) = (answers IS NULL))
) STRICT;
CREATE INDEX payor_attestation_by_partner ON payor_attestation (partner_id, clearance_id);
-- Whether a brand that does not attest in time counts as associated.
ALTER TABLE site ADD COLUMN presume_associated INTEGER NOT NULL DEFAULT 0;
