-- What the worker reminds of: deals that go to the clearinghouse, and drafts that the institution does not have yet.
CREATE INDEX clearance_due ON clearance (due_at, id) WHERE status = 'due';
CREATE INDEX disclosed_job_draft_due ON disclosed_job (due_at, id) WHERE status = 'draft';
