-- The worker looks for brands that have not attested yet, by their deadline.
CREATE INDEX payor_attestation_open ON payor_attestation (due_at, clearance_id) WHERE attested_at IS NULL;
