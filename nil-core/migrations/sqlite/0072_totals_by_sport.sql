-- Figures of some sports are added up from the index alone: of one sport, or of the sports that an officer is limited
-- to. Without it every such figure reads all transactions of the institution.
CREATE INDEX college_transaction_by_sport ON college_transaction (
    sport_id, college_id, occurred_at, counted, source, athlete_id, gender, category_id, payment_type, status,
    gross_cents, fee_cents, net_cents, refunded_cents
);
