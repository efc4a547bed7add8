-- Registrations whose time is over are looked for by their time.
CREATE INDEX registration_by_expiry ON registration (expires_at, user_id);
