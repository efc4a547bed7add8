-- Rows are added and soon removed again, all of them: with the usual thresholds the planner takes the table for a large
-- one, and reads what was removed at every figure.
ALTER TABLE college_transaction_change SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000
);
