-- What services call: nonces of signed requests, remembered for as long as the request could be said
-- again.
CREATE TABLE used_nonce (
    api_key_id BIGINT NOT NULL REFERENCES api_key (id),
    nonce TEXT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (api_key_id, nonce)
);
CREATE INDEX used_nonce_by_expiry ON used_nonce (expires_at);

-- Failed payouts, which are looked through to be tried again.
CREATE INDEX payout_failed ON payout (updated_at, id) WHERE status = 'failed';
