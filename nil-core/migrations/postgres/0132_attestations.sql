-- Brands are asked whether they are associated with the institution of a contract that goes to the
-- clearinghouse, and what they answered.
CREATE TABLE payor_attestation (
    clearance_id BIGINT NOT NULL PRIMARY KEY REFERENCES clearance (id),
    partner_id BIGINT NOT NULL REFERENCES partner (id),
    asked_at TIMESTAMPTZ NOT NULL,
    due_at TIMESTAMPTZ NOT NULL,
    attested_at TIMESTAMPTZ,
    answers JSONB,
    CHECK ((attested_at IS NULL) = (answers IS NULL))
);
CREATE INDEX payor_attestation_by_partner ON payor_attestation (partner_id, clearance_id);
-- Whether a brand that does not attest in time counts as associated.
ALTER TABLE site ADD COLUMN presume_associated BOOLEAN NOT NULL DEFAULT FALSE;
