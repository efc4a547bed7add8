-- The totals of many athletes are added up from the index alone: without it each transaction is in another page.
DROP INDEX college_transaction_by_athlete;
CREATE INDEX college_transaction_by_athlete ON college_transaction (athlete_id, college_id) INCLUDE (
    counted, occurred_at, sport_id, gender, gross_cents, net_cents, refunded_cents, over_threshold,
    prohibited_category, conflict_sponsor, associated_entity, minor, late_from
);
