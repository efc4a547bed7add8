-- Only athletes of Division I report to the clearinghouse. What was made due for others and is not submitted is due to
-- nobody. The division is that of the rule in assets/reference/clearinghouse.csv.
UPDATE clearance SET status = 'not_required', due_at = NULL WHERE status = 'due'
    AND college_id IN (SELECT id FROM college WHERE division <> 'D1');
