-- Why a message left with the first text, the one that nil comes with: its template could not be used.
ALTER TABLE outbox ADD COLUMN fell_back TEXT;
CREATE INDEX outbox_fell_back ON outbox (created_at) WHERE fell_back IS NOT NULL;
