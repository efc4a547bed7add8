-- What counts on information returns, and the tax that was withheld from it: each belongs to a payment.

-- What a payee got by a payment: an athlete its whole amount, an agent the commission.
CREATE TABLE payment_payee (
    payment_id INTEGER NOT NULL REFERENCES payment (id),
    owner TEXT NOT NULL,
    athlete_id INTEGER REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    paid_at TEXT NOT NULL,
    gross_cents INTEGER NOT NULL CHECK (gross_cents >= 0),
    -- The tax that was withheld when it was paid.
    withheld_cents INTEGER NOT NULL DEFAULT 0 CHECK (withheld_cents >= 0),
    -- The commission that went back to the athlete, who cancelled the contract with the agent, and the tax within it.
    returned_cents INTEGER NOT NULL DEFAULT 0 CHECK (returned_cents >= 0),
    returned_withheld_cents INTEGER NOT NULL DEFAULT 0 CHECK (returned_withheld_cents >= 0),
    returned_at TEXT,
    PRIMARY KEY (payment_id, owner),
    CHECK ((athlete_id IS NULL) <> (agent_id IS NULL))
) STRICT;
CREATE INDEX payment_payee_by_athlete ON payment_payee (athlete_id, paid_at) WHERE athlete_id IS NOT NULL;
CREATE INDEX payment_payee_by_agent ON payment_payee (agent_id, paid_at) WHERE agent_id IS NOT NULL;
CREATE INDEX payment_payee_by_partner ON payment_payee (partner_id, paid_at);

-- The withheld tax that went back with a refund, by payee.
CREATE TABLE refund_withheld (
    refund_id INTEGER NOT NULL REFERENCES refund (id),
    owner TEXT NOT NULL,
    withheld_cents INTEGER NOT NULL CHECK (withheld_cents > 0),
    PRIMARY KEY (refund_id, owner)
) STRICT;

INSERT INTO payment_payee (payment_id, owner, athlete_id, partner_id, paid_at, gross_cents)
    SELECT p.id, 'athlete:' || p.athlete_id, p.athlete_id, p.partner_id, p.paid_at, p.amount_cents
    FROM payment p WHERE p.paid_at IS NOT NULL;
INSERT INTO payment_payee (payment_id, owner, agent_id, partner_id, paid_at, gross_cents, returned_cents, returned_at)
    SELECT p.id, 'agent:' || p.agent_id, p.agent_id, p.partner_id, p.paid_at,
        p.agent_commission_cents + COALESCE(b.cents, 0), COALESCE(b.cents, 0), b.at
    FROM payment p LEFT JOIN (SELECT t.refers_to, t.at, SUM(e.amount_cents) AS cents
        FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id
        WHERE t.reason = 'commission_returned' AND e.amount_cents > 0
        GROUP BY t.refers_to, t.at) b ON b.refers_to = 'payment:' || p.id
    WHERE p.paid_at IS NOT NULL AND p.agent_id IS NOT NULL AND p.agent_commission_cents + COALESCE(b.cents, 0) > 0;

-- What was withheld from payouts is shared among the payments that each paid out.
UPDATE payment_payee SET withheld_cents = COALESCE((SELECT s.cents FROM (
    SELECT t.payment_id, t.owner,
        p.withheld_cents * SUM(t.gross_cents) OVER (PARTITION BY p.id ORDER BY t.paid_at, t.payment_id)
            / SUM(t.gross_cents) OVER (PARTITION BY p.id)
        - p.withheld_cents * (SUM(t.gross_cents) OVER (PARTITION BY p.id ORDER BY t.paid_at, t.payment_id) - t.gross_cents)
            / SUM(t.gross_cents) OVER (PARTITION BY p.id) AS cents
    FROM payout p JOIN payment_payee t ON t.owner || ':wallet' = p.wallet AND t.paid_at <= p.created_at
        AND t.paid_at > COALESCE((SELECT MAX(o.created_at) FROM payout o
            WHERE o.wallet = p.wallet AND o.id < p.id AND o.status <> 'failed'), '')
    WHERE p.withheld_cents > 0 AND p.status <> 'failed' AND t.gross_cents > 0) s
    WHERE s.payment_id = payment_payee.payment_id AND s.owner = payment_payee.owner), 0)
WHERE EXISTS (SELECT 1 FROM payout WHERE withheld_cents > 0);
ALTER TABLE payout DROP COLUMN withheld_cents;

-- All that counts on returns. A movement belongs to the year of `at`, and changes it only if `seen_at` is in that year, too.
CREATE VIEW reportable_payment AS
    SELECT t.payment_id, t.athlete_id, t.agent_id, t.partner_id, t.paid_at AS at, t.paid_at AS seen_at, 'payment' AS kind,
        CASE WHEN t.agent_id IS NULL AND (j.compensation = 'royalty' OR j.kind = 'licensing')
            THEN '1099-MISC' ELSE '1099-NEC' END AS form,
        t.gross_cents AS amount_cents, t.withheld_cents,
        CASE WHEN t.agent_id IS NULL THEN p.agent_commission_cents ELSE 0 END AS commission_cents
    FROM payment_payee t JOIN payment p ON p.id = t.payment_id JOIN contract c ON c.id = p.contract_id
        JOIN job j ON j.id = c.job_id
    UNION ALL
    SELECT t.payment_id, t.athlete_id, t.agent_id, t.partner_id, t.paid_at, r.created_at, 'refund',
        CASE WHEN t.agent_id IS NULL AND (j.compensation = 'royalty' OR j.kind = 'licensing')
            THEN '1099-MISC' ELSE '1099-NEC' END,
        CASE WHEN t.agent_id IS NULL THEN -r.amount_cents ELSE -r.commission_cents END,
        -COALESCE(w.withheld_cents, 0), 0
    FROM payment_payee t JOIN refund r ON r.payment_id = t.payment_id AND r.status <> 'failed'
        JOIN payment p ON p.id = t.payment_id JOIN contract c ON c.id = p.contract_id JOIN job j ON j.id = c.job_id
        LEFT JOIN refund_withheld w ON w.refund_id = r.id AND w.owner = t.owner
    UNION ALL
    SELECT t.payment_id, t.athlete_id, t.agent_id, t.partner_id, t.paid_at, t.returned_at, 'returned', '1099-NEC',
        -t.returned_cents, -t.returned_withheld_cents, 0
    FROM payment_payee t WHERE t.returned_at IS NOT NULL
    UNION ALL
    SELECT NULL, c.athlete_id, NULL, c.partner_id, c.completed_at, c.completed_at, 'goods', '1099-NEC',
        j.product_value_cents, 0, 0
    FROM contract c JOIN job j ON j.id = c.job_id
    WHERE c.status = 'completed' AND j.product_value_cents > 0 AND j.compensation IN ('product', 'service', 'mixed');
