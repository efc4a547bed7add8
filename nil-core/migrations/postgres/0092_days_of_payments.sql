-- Whether a payment is a minor's is decided by the day at the athlete's institution. How far its clocks are from UTC when
-- the payment is made, in seconds; where that is not known, the day is the one where a day ends last.
ALTER TABLE payment ADD COLUMN utc_offset BIGINT;

CREATE OR REPLACE VIEW college_transaction_paid AS
SELECT p.college_id, COALESCE(p.paid_at, p.created_at) AS occurred_at, 'platform' AS source,
    p.id AS record_id, p.athlete_id, a.sport_id, a.gender, j.category_id,
    j.compensation AS payment_type, p.status,
    p.status IN ('succeeded', 'partially_refunded', 'refunded') AS counted,
    p.amount_cents AS gross_cents, p.fee_cents, p.amount_cents - p.agent_commission_cents AS net_cents,
    p.refunded_cents, p.contract_id, COALESCE(x.status <> 'not_required', FALSE) AS over_threshold,
    FALSE AS prohibited_category, FALSE AS conflict_sponsor, FALSE AS associated_entity,
    -- Who was born on 29 February comes of age on 1 March.
    COALESCE(a.date_of_birth + INTERVAL '18 years' + CASE WHEN EXTRACT(MONTH FROM a.date_of_birth) = 2
            AND EXTRACT(DAY FROM a.date_of_birth) = 29 THEN INTERVAL '1 day' ELSE INTERVAL '0' END
        > (COALESCE(p.paid_at, p.created_at) AT TIME ZONE 'UTC')
            + make_interval(secs => COALESCE(p.utc_offset, -36000)), FALSE) AS minor,
    CASE WHEN x.submitted_at IS NULL OR x.submitted_at > x.due_at THEN x.due_at END AS late_from
FROM payment p
JOIN athlete a ON a.id = p.athlete_id
JOIN contract c ON c.id = p.contract_id
JOIN job j ON j.id = c.job_id
LEFT JOIN clearance x ON x.contract_id = p.contract_id
WHERE p.college_id IS NOT NULL;
