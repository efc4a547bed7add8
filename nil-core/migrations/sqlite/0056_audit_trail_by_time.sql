-- Operators search the audit trail by days.
CREATE INDEX audit_entry_by_time ON audit_entry (at, id);
