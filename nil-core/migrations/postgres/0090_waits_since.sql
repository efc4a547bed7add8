-- When a wait began whose end is stored. One that began ahead of the clock was written before the clock was set back.
ALTER TABLE outbox ADD COLUMN waits_since TIMESTAMPTZ;
ALTER TABLE payout_account ADD COLUMN looked_at TIMESTAMPTZ;
