-- When a period was first found unpaid: the later tries are so many days after it.
ALTER TABLE subscription ADD COLUMN unpaid_since TEXT;
UPDATE subscription SET unpaid_since = strftime('%Y-%m-%dT%H:%M:%f+00:00', bill_at,
    CASE failed_attempts WHEN 1 THEN '-1 day' WHEN 2 THEN '-3 days' ELSE '-7 days' END)
WHERE status = 'past_due' AND bill_at IS NOT NULL AND failed_attempts > 0;
