-- When a period was first found unpaid: the later tries are so many days after it.
ALTER TABLE subscription ADD COLUMN unpaid_since TIMESTAMPTZ;
UPDATE subscription SET unpaid_since = bill_at
    - CASE failed_attempts WHEN 1 THEN INTERVAL '1 day' WHEN 2 THEN INTERVAL '3 days' ELSE INTERVAL '7 days' END
WHERE status = 'past_due' AND bill_at IS NOT NULL AND failed_attempts > 0;
