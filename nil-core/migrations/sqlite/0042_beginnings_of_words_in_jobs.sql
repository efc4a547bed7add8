-- A search asks for the newest jobs with a beginning of a word. From a list of that beginning they come one by one;
-- without one, the lists of all words that begin so are merged first, however few jobs are shown.
DROP TABLE job_text;
CREATE VIRTUAL TABLE job_text USING fts5 (title, description, content = 'job', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 5 6 7 8 9 10 11 12');
INSERT INTO job_text (job_text) VALUES ('rebuild');
