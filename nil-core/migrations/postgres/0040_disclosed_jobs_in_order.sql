-- Exports read the disclosed jobs of an institution in the order of their ids, part by part. Without this, each part
-- reads and sorts all of them.
CREATE INDEX disclosed_job_of_college ON disclosed_job (college_id, id);
