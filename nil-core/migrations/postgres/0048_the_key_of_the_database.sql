-- A mark of the secret key that the database was begun with: another key would open nothing that is sealed in it. A
-- database from before takes the key of the first server that opens it.
ALTER TABLE site ADD COLUMN key_mark TEXT;
