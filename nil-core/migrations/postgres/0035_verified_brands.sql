-- When a brand first had a job that an operator let go public, or a payment that succeeded. Until then links
-- of its deals show a page that says where they lead.
ALTER TABLE partner ADD COLUMN verified_at TIMESTAMPTZ;
UPDATE partner SET verified_at = (SELECT MIN(a.at) FROM audit_entry a JOIN job j ON j.id = a.subject_id
    WHERE a.subject_kind = 'job' AND a.action = 'open' AND j.partner_id = partner.id);
UPDATE partner SET verified_at = (SELECT MIN(p.paid_at) FROM payment p WHERE p.partner_id = partner.id)
WHERE verified_at IS NULL;
