-- The site's icon, and files that belong to the site: to no user and no institution.

ALTER TABLE site ADD COLUMN favicon_url TEXT;
ALTER TABLE stored_file DROP CONSTRAINT stored_file_check2;
ALTER TABLE stored_file ADD CHECK (user_id IS NULL OR college_id IS NULL);
