-- When a period was first found unpaid: the later tries are so many days after it.
ALTER TABLE subscription ADD COLUMN unpaid_since TEXT;
UPDATE subscription SET unpaid_since = date(substr(bill_at, 1, 10),
    CASE failed_attempts WHEN 1 THEN '-1 day' WHEN 2 THEN '-3 days' ELSE '-7 days' END) || substr(bill_at, 11)
WHERE status = 'past_due' AND bill_at IS NOT NULL AND failed_attempts > 0;
