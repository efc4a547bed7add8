-- Servers of an older version go on beside newer ones if their own last migration has this number or a later one. A
-- migration that takes away or changes what they use raises it to its own number.
ALTER TABLE installation ADD COLUMN understood_from INTEGER NOT NULL DEFAULT 29;
