-- What a deal is compared with: one narrow row for each executed contract of a certain value, with what was true of
-- the work and of the athlete on that day. Triggers write it with the contract. A cancelled contract is no example of
-- what is paid, and a share of sales has no value that could be compared.
CREATE TABLE comparable_deal (
    contract_id BIGINT PRIMARY KEY REFERENCES contract (id),
    category_id BIGINT NOT NULL,
    agreed_at TIMESTAMPTZ NOT NULL,
    -- Cash and the fair value of goods.
    amount_cents BIGINT NOT NULL CHECK (amount_cents >= 1),
    athlete_id BIGINT NOT NULL,
    partner_id BIGINT NOT NULL,
    agent_id BIGINT,
    college_id BIGINT,
    division TEXT,
    sport_id BIGINT,
    followers BIGINT NOT NULL,
    -- None where the work is for several platforms.
    platform TEXT,
    pieces BIGINT NOT NULL
);
CREATE INDEX comparable_deal_by_category ON comparable_deal (category_id, agreed_at, contract_id);

CREATE VIEW comparable_deal_seen AS
SELECT c.id AS contract_id, j.category_id, c.executed_at AS agreed_at,
    c.agreed_amount_cents + COALESCE(j.product_value_cents, 0) AS amount_cents, c.athlete_id, c.partner_id,
    c.agent_id, c.college_id, u.division, a.sport_id,
    COALESCE((SELECT SUM(f.followers) FROM athlete_social f WHERE f.athlete_id = c.athlete_id), 0)::bigint
        AS followers,
    (SELECT CASE WHEN COUNT(DISTINCT m.platform) = 1 THEN MIN(m.platform) END
        FROM milestone m WHERE m.job_id = c.job_id) AS platform,
    COALESCE((SELECT SUM(m.quantity) FROM milestone m WHERE m.job_id = c.job_id), 0)::bigint AS pieces
FROM contract c
JOIN job j ON j.id = c.job_id
JOIN athlete a ON a.id = c.athlete_id
LEFT JOIN college u ON u.id = c.college_id
WHERE c.status IN ('active', 'completed') AND c.executed_at IS NOT NULL
    AND j.compensation NOT IN ('royalty', 'commission')
    AND c.agreed_amount_cents + COALESCE(j.product_value_cents, 0) >= 1;

INSERT INTO comparable_deal SELECT * FROM comparable_deal_seen;

CREATE FUNCTION contract_executed_for_comparison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO comparable_deal SELECT * FROM comparable_deal_seen v WHERE v.contract_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER contract_added_for_comparison AFTER INSERT ON contract
    FOR EACH ROW WHEN (NEW.status IN ('active', 'completed'))
    EXECUTE FUNCTION contract_executed_for_comparison();
CREATE TRIGGER contract_executed_for_comparison AFTER UPDATE OF status ON contract
    FOR EACH ROW WHEN (NEW.status = 'active' AND OLD.status = 'generated')
    EXECUTE FUNCTION contract_executed_for_comparison();

CREATE FUNCTION contract_cancelled_for_comparison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM comparable_deal WHERE contract_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER contract_cancelled_for_comparison AFTER UPDATE OF status ON contract
    FOR EACH ROW WHEN (NEW.status IN ('cancelled', 'expired') AND OLD.status NOT IN ('cancelled', 'expired'))
    EXECUTE FUNCTION contract_cancelled_for_comparison();
