-- Revenue is added up over months: from this index alone, whatever the number of payments before and after.
CREATE INDEX payment_by_paid_at ON payment (paid_at, status, partner_id, college_id, amount_cents, fee_cents,
    refunded_fee_cents) WHERE paid_at IS NOT NULL;

-- The dashboard reads what waits, and the last thirty days.
CREATE INDEX app_user_by_created ON app_user (created_at, kind, status);
CREATE INDEX contract_by_generated ON contract (generated_at);
CREATE INDEX job_pending ON job (updated_at) WHERE status = 'pending';
CREATE INDEX job_in_review ON job (id) WHERE manual_review ->> 'status' = 'open';
CREATE INDEX portal_user_pending ON portal_user (created_at) WHERE status = 'pending';
CREATE INDEX payout_failed_at ON payout (updated_at, id) WHERE status = 'failed';
CREATE INDEX outbox_dead ON outbox (created_at) WHERE status = 'dead';
