-- When a key last let somebody in, to the hour: a key that nobody uses can be revoked.
ALTER TABLE api_key ADD COLUMN last_used_at TIMESTAMPTZ;
