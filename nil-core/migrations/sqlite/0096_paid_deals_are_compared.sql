-- Ranges of compensation are made of settled payments alone: what two agree on and nobody pays costs nothing to invent,
-- and so does the value of goods. A deal counts once all that was agreed on is paid and has not been given back.
DROP VIEW comparable_deal_seen;
ALTER TABLE comparable_deal ADD COLUMN paid_cents INTEGER NOT NULL DEFAULT 0;
DELETE FROM comparable_deal WHERE EXISTS (SELECT 1 FROM contract c JOIN job j ON j.id = c.job_id
    WHERE c.id = comparable_deal.contract_id AND COALESCE(j.product_value_cents, 0) <> 0);

CREATE VIEW comparable_deal_seen AS
SELECT c.id AS contract_id, j.category_id, c.executed_at AS agreed_at,
    c.agreed_amount_cents AS amount_cents, c.athlete_id, c.partner_id,
    c.agent_id, c.college_id, u.division, a.sport_id,
    COALESCE((SELECT SUM(f.followers) FROM athlete_social f WHERE f.athlete_id = c.athlete_id), 0)
        AS followers,
    (SELECT CASE WHEN COUNT(DISTINCT m.platform) = 1 THEN MIN(m.platform) END
        FROM milestone m WHERE m.job_id = c.job_id) AS platform,
    COALESCE((SELECT SUM(m.quantity) FROM milestone m WHERE m.job_id = c.job_id), 0) AS pieces,
    COALESCE((SELECT SUM(p.amount_cents - p.refunded_cents) FROM payment p WHERE p.contract_id = c.id
        AND p.status IN ('succeeded', 'partially_refunded', 'refunded')), 0) AS paid_cents
FROM contract c
JOIN job j ON j.id = c.job_id
JOIN athlete a ON a.id = c.athlete_id
LEFT JOIN college u ON u.id = c.college_id
WHERE c.status IN ('active', 'completed') AND c.executed_at IS NOT NULL
    AND j.compensation NOT IN ('royalty', 'commission')
    AND COALESCE(j.product_value_cents, 0) = 0 AND c.agreed_amount_cents >= 1;

UPDATE comparable_deal SET paid_cents = COALESCE((SELECT v.paid_cents FROM comparable_deal_seen v
    WHERE v.contract_id = comparable_deal.contract_id), 0);

DROP INDEX comparable_deal_by_category;
CREATE INDEX comparable_deal_by_category ON comparable_deal (category_id, agreed_at, contract_id)
    WHERE paid_cents >= amount_cents;

-- Payments are added and taken away by their difference: two that end at once are both counted.
CREATE TRIGGER payment_added_for_comparison AFTER INSERT ON payment
WHEN new.status IN ('succeeded', 'partially_refunded', 'refunded') BEGIN
    UPDATE comparable_deal SET paid_cents = paid_cents + new.amount_cents - new.refunded_cents
    WHERE contract_id = new.contract_id;
END;
CREATE TRIGGER payment_changed_for_comparison AFTER UPDATE OF status, refunded_cents ON payment
WHEN new.status IN ('succeeded', 'partially_refunded', 'refunded') OR old.status IN ('succeeded', 'partially_refunded', 'refunded') BEGIN
    UPDATE comparable_deal SET paid_cents = paid_cents
        + CASE WHEN new.status IN ('succeeded', 'partially_refunded', 'refunded')
            THEN new.amount_cents - new.refunded_cents ELSE 0 END
        - CASE WHEN old.status IN ('succeeded', 'partially_refunded', 'refunded')
            THEN old.amount_cents - old.refunded_cents ELSE 0 END
    WHERE contract_id = new.contract_id;
END;
