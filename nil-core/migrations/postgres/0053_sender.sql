-- The sender of mails, if it is not the configured one.
ALTER TABLE site ADD COLUMN sender_name TEXT;
ALTER TABLE site ADD COLUMN sender_email TEXT;
