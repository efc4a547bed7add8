-- What services call: nonces of signed requests, remembered for as long as the request could be said
-- again.
CREATE TABLE used_nonce (
    api_key_id INTEGER NOT NULL REFERENCES api_key (id),
    nonce TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (api_key_id, nonce)
) STRICT;
CREATE INDEX used_nonce_by_expiry ON used_nonce (expires_at);

-- Failed payouts, which are looked through to be tried again.
CREATE INDEX payout_failed ON payout (updated_at, id) WHERE status = 'failed';

-- What institutions that want one mail a day or a week have not been told of yet.
CREATE TABLE digest_item (
    id INTEGER PRIMARY KEY,
    portal_user_id INTEGER NOT NULL REFERENCES portal_user (id),
    event TEXT NOT NULL,
    line TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX digest_item_by_reader ON digest_item (portal_user_id, created_at);
