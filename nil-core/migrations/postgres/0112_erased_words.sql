-- On SQLite, words that are deleted leave the full-text indexes at once. The indexes of PostgreSQL hold no copy that a
-- setting could erase earlier: VACUUM removes it.
SELECT 1;
